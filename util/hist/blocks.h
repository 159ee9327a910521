/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Basic blocks: stretches of code in which no branch was taken, and how many cycles they took,
 * from branch stacks that have cycles. A block goes from the target of one branch to the source of
 * the next.
 *
 * Order of use: blocks_new, blocks_worker_new per worker, blocks_add per sample (any thread, one
 * per worker), blocks_finish, then blocks_of.
 */
#ifndef PERF_HIST_BLOCKS_H
#define PERF_HIST_BLOCKS_H

#include "resolve/resolve.h"
#include "wire/event.h"

#define BLOCK_TIMES 8

struct blocks;
struct blocks_worker;

struct block {
	const struct symtab *symtab; /* the function; borrowed */
	const char *object;          /* the name of its object; borrowed */
	u32 sym;
	u32 nr_times;
	u64 start, end; /* where branches led to and left from, counted from the function's start */
	u64 cycles, nr; /* of all blocks that end at @end, wherever they begin */
	u64 least, most;        /* the fewest and the most cycles that one of these took */
	u64 times[BLOCK_TIMES]; /* cycles of the first blocks from @start, in their order */
};

struct blocks *blocks_new(void);
void blocks_free(struct blocks *b);
/**
 * blocks_worker_new - return the table that one thread counts in; owned by @b. Call it from one
 * thread.
 */
struct blocks_worker *blocks_worker_new(struct blocks *b);
/**
 * blocks_add - count the branch stack of a sample, if its newest branch has cycles.
 * @epoch,
 * @kernel_epoch: from struct thread_at
 * @order: the sample's position among all, such as the file offset (48 bits)
 */
void blocks_add(struct blocks_worker *w, const struct sample *s, u32 epoch, u32 kernel_epoch,
		u64 order);
/**
 * blocks_finish - find the functions of blocks. Of several blocks that end alike the longest
 * remains, with the sums of all.
 */
void blocks_finish(struct blocks *b, const struct resolver *r);
/** blocks_of - return the *@nr blocks of a function, by start and end; borrowed. */
const struct block *blocks_of(const struct blocks *b, const struct symtab *symtab, u32 sym,
			      size_t *nr);

/** blocks_all - return the *@nr blocks of all functions, function by function; borrowed. */
const struct block *blocks_all(const struct blocks *b, size_t *nr);

#endif
