/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums that a page has: those of the tree, or where these are many, coarser ones. */
#ifndef PERF_OUTPUT_PAGE_ROWS_H
#define PERF_OUTPUT_PAGE_ROWS_H

#include "hist/stacks.h"

struct page_rows {
	struct stacks_sum *v; /* in the order of sums; threads and slices are those below */
	size_t nr;
	struct stacks_thread *threads;
	u32 nr_threads;
	u32 together; /* so many threads with few samples are shown by their names alone */
	int shift;    /* slices are longer by this power of two */
};

/* The number of threads that are one, as what they have in place of theirs. */
#define THREADS_TOGETHER UINT32_MAX

/** page_rows_init - of @s. Free with page_rows_release(). */
void page_rows_init(struct page_rows *r, const struct stacks *s);
void page_rows_release(struct page_rows *r);

#endif
