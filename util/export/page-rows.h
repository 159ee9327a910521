/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sums in a page: those of the tree or, when these are too many, coarser ones. A copy of all
 * sums might need most of the memory, so they are made when they are read.
 */
#ifndef PERF_EXPORT_PAGE_ROWS_H
#define PERF_EXPORT_PAGE_ROWS_H

#include "stacktree/pack.h"

struct page_rows {
	const struct stacks *s;             /* borrowed */
	const struct stacks_packed *packed; /* the sums of @s; borrowed */
	size_t nr, most;
	struct stacks_thread *threads;
	u32 nr_threads;
	u32 *now;     /* by thread of @s: its number in @threads; NULL: the same */
	u32 together; /* the number of threads with few samples that are merged by name */
	int shift;    /* slices are longer by this power of two */
};

/* The number of threads that are one, as what they have in place of theirs. */
#define THREADS_TOGETHER UINT32_MAX

/**
 * page_rows_init - prepare the rows of @s, whose sums are @packed. page_rows_release() frees them.
 */
void page_rows_init(struct page_rows *r, const struct stacks *s,
		    const struct stacks_packed *packed);
void page_rows_release(struct page_rows *r);

struct page_rows_walk {
	const struct page_rows *r;
	struct stacks_sums_walk walk;
	struct stacks_sum row; /* the next row, if @left */
	bool left;
	/* When threads are merged: the sums of a node, and the first one after them. */
	struct stacks_sum *group, next;
	size_t nr, at, cap;
	bool more;
};

/** page_rows_walk - begin with the first row; page_rows_end() ends the walk. */
void page_rows_walk(const struct page_rows *r, struct page_rows_walk *w);
/**
 * page_rows_next - return the next row, in the order of the sums, with the threads and slices of
 * @r. Return: false when there are no more.
 */
bool page_rows_next(struct page_rows_walk *w, struct stacks_sum *row);
void page_rows_end(struct page_rows_walk *w);

#endif
