/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sort on several threads: arrays by a comparison, and ids by numbers that belong to them. */
#ifndef PERF_HIST_SORT_H
#define PERF_HIST_SORT_H

#include "base/compat.h"

struct crew;

/**
 * parallel_sort - sort an array of @nr elements of @size bytes on @workers threads. The comparison
 * has to be a total order, or the result depends on the number of threads.
 */
void parallel_sort(void *v, size_t nr, size_t size, int (*cmp)(const void *, const void *, void *),
		   void *ctx, int workers);

/*
 * How sort_ids() compares two ids: first by a number of each for every level, from level 0 on, and
 * then by a comparison when all numbers are equal.
 */
struct id_order {
	/* Compares two ids, given by pointers, whose numbers are all equal. NULL: such ids are the
	 * same. */
	int (*cmp)(const void *a, const void *b, void *ctx);
	/* Returns the number of an id for a level; smaller numbers come first. */
	u64 (*key)(const void *ctx, u32 id, u32 level);
	u32 levels;
	/* Prefetches what key() is going to read, called with @step 0 and later with 1. NULL: the
	 * numbers are at hand. */
	void (*ask)(const void *ctx, u32 id, int step);
	void *ctx;
};

/* Marks an id in the result of sort_ids() that is equal to the one before it in all numbers. */
#define SORTED_TIE (1U << 31)

/**
 * sort_ids - return @ids in the order that @by describes; the caller frees the result.
 * @ids: NULL stands for all numbers below @nr, which has to be less than SORTED_TIE
 * @crew: the threads to sort on; NULL: the caller's alone
 * Equal ids may stand in any order among themselves. When @by has a comparison, ids whose numbers
 * are all equal to those of the id before them are marked with SORTED_TIE.
 */
u32 *sort_ids(const u32 *ids, size_t nr, const struct id_order *by, struct crew *crew);

#endif
