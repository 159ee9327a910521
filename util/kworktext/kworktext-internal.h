/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts on work of the kernel share these functions. */
#ifndef PERF_KWORKTEXT_KWORKTEXT_INTERNAL_H
#define PERF_KWORKTEXT_KWORKTEXT_INTERNAL_H

#include "kworktext/kworktext.h"

#include "export/heatmap.h"

#define KWORK_NAME_COLUMNS 30U

/* Functions of the kernel are named by this. */
struct kwork_symbols {
	/* Return the name of the function at an address, valid until the next call; NULL: none. */
	const char *(*name)(void *ctx, u64 address);
	void *ctx;
};

/** kwork_symbols_of - return names that come from the recording's symbols, which are not opened
 * before the first call. */
struct kwork_symbols kwork_symbols_of(struct recording *r);

/** kwork_shows - tell whether the item has the name that is asked for. */
bool kwork_shows(const struct kwork_show *show, const struct kwork_symbols *symbols,
		 const struct kwork_item *item);
/** kwork_put_name - append "name:number" of an item with the letter of its class, as wide as the
 * column. */
void kwork_put_name(const struct kwork_show *show, const struct kwork_symbols *symbols,
		    const struct kwork_item *item, struct strbuf *out);
/** kwork_put_time - append a time in ns as seconds in 17 columns. */
void kwork_put_time(u64 ns, struct strbuf *out);
/** kwork_put_losses - append lines on what the recording lacks. */
void kwork_put_losses(const struct analysis *a, struct strbuf *out);

/** kwork_map_new - return an empty heat map; NULL: none is wanted. span_map_free() frees it.
 * @delays: it is about delays and not about runs */
struct span_map *kwork_map_new(const struct kwork_show *show, bool delays);

/* A table of runs or of delays is made of this. */
struct kwork_table {
	enum kwork_view view;
	const struct kwork_show *show;
	struct kwork_symbols symbols;
	const struct kwork_item *items;
	size_t nr;
	struct kwork_missing missing;
	u64 events; /* records in the recording */
	u64 time;   /* ns from the first event to the last one */
};

/** kwork_put_table - append the table. */
void kwork_put_table(const struct kwork_table *t, struct strbuf *out);

/** kwork_put_cpus - append the lines on CPUs. @cpus: @nr of them */
void kwork_put_cpus(const struct kwork_cpu *cpus, u32 nr, struct strbuf *out);
/** kwork_put_tasks - sort tasks and append them. @time: ns that are 100 % */
void kwork_put_tasks(const struct kwork_order *o, struct kwork_task *tasks, size_t nr, u64 time,
		     struct strbuf *out);

#endif
