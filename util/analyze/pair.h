/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time between two events that belong together, such as a request and its completion, or a
 * wakeup and the context switch that follows. Starts and ends are passed in time order and are
 * matched by their keys. Only starts without an end so far, and counts, are stored.
 *
 * A key has one start at a time: a later start replaces the earlier one, which then has no end. So
 * a lost end spoils one pair at most.
 */
#ifndef PERF_ANALYZE_PAIR_H
#define PERF_ANALYZE_PAIR_H

#include "analyze/grid.h"

#define PAIR_MAX_KEYS 8
#define PAIR_STEPS 48 /* of the histogram */

/* Rows of the grid: eight for each power of two. */
#define PAIR_ROW_BITS 3
#define PAIR_ROWS ((64 - PAIR_ROW_BITS + 1) << PAIR_ROW_BITS)

struct pair_result {
	u64 pairs;
	u64 sum, min, max; /* in ns, of all pairs */
	u64 max_time;      /* when the longest pair ended */
	u64 starts, ends;
	u64 replaced;  /* starts that were replaced by another one with the same key */
	u64 open;      /* starts without an end */
	u64 alone;     /* ends without a start */
	u64 backwards; /* ends before their start, which are not counted as pairs */
	u64 no_key;    /* events without the fields of the key */
	/* The histogram, in powers of two within each unit: 0, 1ns, 2ns .. 512ns, 1us .. 512us,
	 * 1ms .. 512ms, 1s... */
	u64 steps[PAIR_STEPS];
	struct grid grid; /* latency over the time of the end */
};

struct pairs;

/**
 * pairs_new - prepare to match. pairs_free() frees the result.
 * @nr_key: the number of words in a key
 * @cols, @start, @step: parameters of the grid
 */
struct pairs *pairs_new(u32 nr_key, u32 cols, u64 start, u64 step);
void pairs_free(struct pairs *p);

/** pairs_start - add a start. @key: its words */
void pairs_start(struct pairs *p, const u64 *key, u64 time);
/** pairs_end - add an end and, if there is a start with its key, count a pair. */
void pairs_end(struct pairs *p, const u64 *key, u64 time);
/** pairs_add - count a pair that the caller has matched. */
void pairs_add(struct pairs *p, u64 start, u64 end);
/** pairs_no_key - count an event that cannot be matched. */
void pairs_no_key(struct pairs *p);

/** pairs_result - return the results so far, which @p owns. */
const struct pair_result *pairs_result(struct pairs *p);

/**
 * pairs_quantile - return the latency that @millionths of a million pairs do not exceed, within 1
 * %.
 */
u64 pairs_quantile(const struct pairs *p, u32 millionths);

/**
 * pair_step_low - return the lower bound in ns of a step of the histogram; PAIR_STEPS is allowed.
 */
u64 pair_step_low(u32 step);
/**
 * pair_row_low - return the lower bound in ns of a row of the grid; for PAIR_ROWS, the largest
 * number.
 */
u64 pair_row_low(u32 row);

#endif
