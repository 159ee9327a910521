/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples by the instruction at which they were taken. Raw addresses are counted first, on any
 * number of threads, and their functions are found afterwards, once for each address.
 *
 *	c = annotate_counts_new();
 *	w = annotate_counts_worker(c);     one for each thread that has samples
 *	annotate_counts_add(w, ..);        from that thread only
 *	annotate_counts_finish(c, resolver, workers);
 */
#ifndef PERF_ANNOTATE_COUNTS_H
#define PERF_ANNOTATE_COUNTS_H

#include "resolve/resolve.h"

struct annotate_counts;
struct annotate_worker;

/* The counts of an event at one place. */
struct annotate_hits {
	u64 samples, period;
};

/* An instruction with samples of one event. */
struct annotate_site {
	u64 addr; /* as of struct location */
	u32 event;
	struct annotate_hits hits;
};

/* A stretch of a function without a taken branch, and how long it took. */
struct annotate_block {
	u64 start, end;  /* the first instruction and the last, counted from the function's start */
	u64 cycles, nr;  /* cycles in all, and how often it was measured */
	u64 least, most; /* the fewest and the most cycles of one time */
};

/* A function with samples. */
struct annotate_function {
	struct location at;          /* of one of its samples; its symbol is the function */
	u64 start, end;              /* as of struct symbol */
	struct annotate_site *sites; /* owned; by address, then by event */
	size_t nr_sites, cap_sites;
	struct annotate_hits *totals;  /* owned; by event */
	struct annotate_block *blocks; /* owned; NULL: none */
	size_t nr_blocks, cap_blocks;
};

/** annotate_counts_new - make an empty set. annotate_counts_free() frees it and all functions. */
struct annotate_counts *annotate_counts_new(void);
void annotate_counts_free(struct annotate_counts *c);
/** annotate_counts_worker - return the part of one more thread; owned by @c. One thread at a time
 * may call it. */
struct annotate_worker *annotate_counts_worker(struct annotate_counts *c);
/** annotate_counts_add - count a sample of @event at an address. @epoch: as for resolve_addr() */
void annotate_counts_add(struct annotate_worker *w, u32 event, u32 epoch, u8 cpumode, u64 ip,
			 u64 period);
/**
 * annotate_counts_only - leave out the addresses for which @asked is false, so that the symbols of
 * objects that have no others are not read. To be called before annotate_counts_finish(), and
 * annotate_keep() after it.
 */
void annotate_counts_only(struct annotate_counts *c,
			  bool (*asked)(void *ctx, u32 epoch, u8 cpumode, u64 ip), void *ctx);
/**
 * annotate_counts_finish - find the functions, with @r and on @workers threads.
 * @nr_events: of the recording; all numbers of events are smaller
 */
void annotate_counts_finish(struct annotate_counts *c, struct resolver *r, u32 nr_events,
			    int workers);
/** annotate_functions - return the *@nr functions, in the order of their first samples; borrowed.
 */
struct annotate_function *annotate_functions(const struct annotate_counts *c, size_t *nr);
/** annotate_find - return the function of a symbol; borrowed; NULL: it has no samples. */
const struct annotate_function *annotate_find(const struct annotate_counts *c,
					      const struct symtab *symtab, u32 sym);
/** annotate_total - return what an event counted in all, functions unknown included. */
struct annotate_hits annotate_total(const struct annotate_counts *c, u32 event);
/** annotate_keep - keep only the functions for which @keep is true. Their samples are then all that
 * there are. */
void annotate_keep(struct annotate_counts *c,
		   bool (*keep)(void *ctx, const struct annotate_function *f), void *ctx);

/** annotate_add_block - add what branch stacks say of a part of a function. */
void annotate_add_block(struct annotate_function *f, const struct annotate_block *b);

#endif
