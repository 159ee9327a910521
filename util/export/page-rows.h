/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums that a page has: those of the tree, or where these are many, coarser ones. There may be
 * so many that another copy would be most of the memory: they are made as they are asked for. */
#ifndef PERF_EXPORT_PAGE_ROWS_H
#define PERF_EXPORT_PAGE_ROWS_H

#include "stacktree/pack.h"

struct page_rows {
	const struct stacks *s;             /* borrowed */
	const struct stacks_packed *packed; /* its sums; borrowed */
	size_t nr, most;
	struct stacks_thread *threads;
	u32 nr_threads;
	u32 *now;     /* by thread of @s: its number among @threads; NULL: the same */
	u32 together; /* so many threads with few samples are shown by their names alone */
	int shift;    /* slices are longer by this power of two */
};

/* The number of threads that are one, as what they have in place of theirs. */
#define THREADS_TOGETHER UINT32_MAX

/** page_rows_init - of @s, whose sums are @packed. Free with page_rows_release(). */
void page_rows_init(struct page_rows *r, const struct stacks *s,
		    const struct stacks_packed *packed);
void page_rows_release(struct page_rows *r);

struct page_rows_walk {
	const struct page_rows *r;
	struct stacks_sums_walk walk;
	struct stacks_sum row; /* what comes next, if anything is left */
	bool left;
	/* Where threads were put together: the sums of a node, and the first one behind them. */
	struct stacks_sum *group, next;
	size_t nr, at, cap;
	bool more;
};

/** page_rows_walk - begin with the first of the rows; end with page_rows_end(). */
void page_rows_walk(const struct page_rows *r, struct page_rows_walk *w);
/** page_rows_next - rows in the order of sums, with the threads and slices of @r. Return: false
 * when there are no more. */
bool page_rows_next(struct page_rows_walk *w, struct stacks_sum *row);
void page_rows_end(struct page_rows_walk *w);

#endif
