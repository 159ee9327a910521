/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PERF_BLOCKTEXT_BLOCKTEXT_INTERNAL_H
#define PERF_BLOCKTEXT_BLOCKTEXT_INTERNAL_H

#include "blocktext/blocktext.h"

#include "analyze/pair.h"
#include "base/intern.h"
#include "block/names.h"
#include "block/places.h"

/** block_names_of - use the names of this machine, if the recording was made here. A stream has
 * told that when it was read. @a: NULL: it was not */
static inline void block_names_of(struct block_names *n, struct analysis *a)
{
	block_names_learn(n, a ? analysis_recording(a)->session.file->env.hostname : NULL);
}

/* ---- what is collected ---- */

/* I/O is done for this. It has no padding. */
struct block_who {
	u64 cgroup;
	u32 task, stack;
};

/* A call chain occurred first in this thread and at this time. */
struct block_stack {
	u32 pid, tid;
	u64 time;
};

/* The I/O of a layer is summed up. */
struct block_layer_sum {
	u64 requests, sectors;
	u64 total, below; /* ns; what was spent in the layers that it has caused */
};

struct block_report {
	const struct block_show *show;
	const struct block_source *source;
	struct task_table *tasks; /* of the recording, or owned */
	struct map64 alone;       /* numbers of tasks without a recording */
	u32 nr_alone;
	struct block_flow *flow;
	struct block_sums sums;
	struct intern whos, chains; /* bytes of struct block_who; addresses */
	struct block_stack *stacks; /* owned; by number of the chain */
	u32 nr_stacks;
	size_t cap_stacks;
	struct pairs *pairs; /* latencies of the histogram and the heat map; NULL: not wanted */
	struct block_places places;
	struct block_layer_sum *layers; /* owned; by number of the layer */
	u32 nr_layers;
	size_t cap_layers;
	u64 first, last; /* ns; of the events that are looked at */
	bool begun;
	struct block_names names;
};

/** block_report_new - prepare; block_report_free() frees it. */
struct block_report *block_report_new(const struct block_show *show,
				      const struct block_source *source);
void block_report_free(struct block_report *r);
/** block_report_taker - return the taker of the events. */
struct block_taker block_report_taker(struct block_report *r);

/** block_report_put - append the report; write the heat map. Return: 0, or a negative errno and a
 * sentence. */
int block_report_put(struct block_report *r, struct strbuf *out, struct err *err);

/* ---- text ---- */

/** block_put_devices - append the figures of each device. @sums: by device */
void block_put_devices(struct block_report *r, const struct block_sums *sums, struct strbuf *out);
/** block_put_details - append sizes of requests, distances between them, and how many there were at
 * a time, of a device. */
void block_put_details(const struct block_report *r, u32 dev, struct strbuf *out);
/** block_put_layers - append which I/O was caused by other I/O, and where its time was spent;
 * nothing if none was. */
void block_put_layers(struct block_report *r, struct strbuf *out);
/** block_put_rows - append a row for each of the sums, at most @most. */
void block_put_rows(struct block_report *r, const struct block_sums *sums, size_t most,
		    struct strbuf *out);
/** block_put_cells - append the sums with all their figures for programs. */
void block_put_cells(struct block_report *r, const struct block_sums *sums, struct strbuf *out);
/** block_put_key - append the part of a key that one of BLOCK_BY_* stands for. @by: its bit */
void block_put_key(struct block_report *r, const struct block_key *key, u32 by, struct strbuf *out);
/** block_by_name - return the word for a bit of BLOCK_BY_*. @at: its number; NULL: no more */
const char *block_by_name(u32 at);
/** block_kind_name - return "read" and the like. */
const char *block_kind_name(enum block_kind kind);
/** block_sorted_rows - return the rows, those that took longest first; the caller frees the array.
 */
const struct block_row **block_sorted_rows(const struct block_sums *sums, size_t *nr);

/** block_sum - return the sum of a count over all kinds. */
static inline u64 block_sum(const u64 v[BLOCK_KINDS])
{
	u64 sum = 0;

	for (u32 kind = 0; kind < BLOCK_KINDS; kind++)
		sum += v[kind];
	return sum;
}

#endif
