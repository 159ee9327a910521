/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The allocations of the kernel (kmem/kmem.h) become text, in the layouts of perf 6.1:
 *
 *	kmem_show_name_table(&show, KMEM_BY_SITE);	as the options come, in their order
 *	kmem_show_limit(&show, "10", &err);
 *	kmem_show_settle(&show, &err);
 *	kmem_show_run(&show, analysis, &text, &err);
 */
#ifndef PERF_KMEMTEXT_KMEMTEXT_H
#define PERF_KMEMTEXT_KMEMTEXT_H

#include "analysis/analysis.h"
#include "recordopts/verb-args.h"

enum kmem_kind { KMEM_SLAB, KMEM_PAGE, KMEM_KINDS };
enum kmem_table { KMEM_BY_SITE, KMEM_BY_MEMORY, KMEM_TABLES };

#define KMEM_SORT_KEYS 10
#define KMEM_SORTS 8

/* Rows are sorted by these keys, the first one first. */
struct kmem_order {
	u8 keys[KMEM_SORT_KEYS];
	u32 nr;
};

/* An option -s: it is about the allocator and the table that were named last before it. */
struct kmem_sort {
	const char *keys; /* borrowed */
	int kind, table;  /* -1: all */
};

/* It tells what is shown; it starts zeroed. */
struct kmem_show {
	bool kinds[KMEM_KINDS], tables[KMEM_TABLES];
	bool live, leaks, raw_ip, verbose;
	u64 lines[KMEM_TABLES]; /* the most rows of a table; 0: all */
	struct kmem_order order[KMEM_KINDS][KMEM_TABLES];
	/* private */
	int last_kind, last_table; /* that were named, + 1 */
	struct kmem_sort sorts[KMEM_SORTS];
	u32 nr_sorts;
};

/** kmem_show_name_kind, kmem_show_name_table - take --slab or --page, --caller or --alloc. */
void kmem_show_name_kind(struct kmem_show *s, enum kmem_kind kind);
void kmem_show_name_table(struct kmem_show *s, enum kmem_table table);
/** kmem_show_limit - take -l: of the table that was named last, or of all when none was. @number:
 * NULL: all rows. Return: 0, or -EINVAL and a sentence. */
int kmem_show_limit(struct kmem_show *s, const char *number, struct err *err);
/** kmem_show_sort - take -s. @keys: borrowed; NULL: forget those before. Return: 0, or -EINVAL and
 * a sentence. */
int kmem_show_sort(struct kmem_show *s, const char *keys, struct err *err);
/**
 * kmem_show_default - choose the allocator when none was named. @name: "slab" or "page", as the
 * configuration has it; NULL: slab. Return: 0, or -EINVAL and a sentence.
 */
int kmem_show_default(struct kmem_show *s, const char *name, struct err *err);
/** kmem_show_settle - combine the options. Return: 0, or -EINVAL and a sentence. */
int kmem_show_settle(struct kmem_show *s, struct err *err);

/**
 * kmem_show_run - read the recording and append the tables and the summary.
 * @show: settled
 * Return: 0, or a negative errno and a sentence; -ENOENT: the recording lacks the events.
 */
int kmem_show_run(const struct kmem_show *show, struct analysis *a, struct strbuf *out,
		  struct err *err);

/**
 * kmem_record_args - make the arguments of the recorder. @show: with the allocators; @argv: the
 * user's, from the verb on; @sr: where tracefs is looked for. verb_args_release() frees them.
 */
void kmem_record_args(struct verb_args *a, const struct kmem_show *show, const struct sysroot *sr,
		      int argc, const char **argv);

#endif
