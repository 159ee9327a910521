/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stretches of code without a branch taken, and how many cycles they took: of branch stacks that
 * have cycles. A stretch goes from where one branch led to where the next one left.
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
	const char *object;          /* name of what it is in; borrowed */
	u32 sym;
	u32 nr_times;
	u64 start, end;         /* from the function's start; of branches to and from */
	u64 cycles, nr;         /* of all that left at @end, wherever they began */
	u64 times[BLOCK_TIMES]; /* cycles of the first that began at @start */
};

struct blocks *blocks_new(void);
void blocks_free(struct blocks *b);
/** blocks_worker_new - a counting table for one thread; owned by @b. Call from one thread. */
struct blocks_worker *blocks_worker_new(struct blocks *b);
/**
 * blocks_add - count the branch stack of a sample; nothing when its newest branch has no cycles.
 * @epoch, @kernel_epoch: from struct thread_at
 * @order: place among the samples, such as the file offset (48 bits)
 */
void blocks_add(struct blocks_worker *w, const struct sample *s, u32 epoch, u32 kernel_epoch,
		u64 order);
/** blocks_finish - find the functions. Several blocks that end alike are one: the longest. */
void blocks_finish(struct blocks *b, const struct resolver *r);
/** blocks_of - *@nr blocks of a function, by start and end; borrowed. */
const struct block *blocks_of(const struct blocks *b, const struct symtab *symtab, u32 sym,
			      size_t *nr);

/** blocks_all - *@nr blocks of all functions, those of one together; borrowed. */
const struct block *blocks_all(const struct blocks *b, size_t *nr);

#endif
