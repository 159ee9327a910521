/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time between two events that belong together: a request and its completion, a wakeup and the
 * switch it leads to. Starts and ends come in the order of time and are matched by their keys; what
 * is kept is the starts without an end so far, and counts.
 *
 * A key has one start at a time: a later one takes the place of the one before, which then has no
 * end. So the loss of an end spoils no more than one pair.
 */
#ifndef PERF_ANALYZE_PAIR_H
#define PERF_ANALYZE_PAIR_H

#include "analyze/grid.h"

#define PAIR_MAX_KEYS 8
#define PAIR_STEPS 48 /* of the histogram that is shown */

/* Rows of the grid: eight to a power of two. */
#define PAIR_ROW_BITS 3
#define PAIR_ROWS ((64 - PAIR_ROW_BITS + 1) << PAIR_ROW_BITS)

struct pair_result {
	u64 pairs;
	u64 sum, min, max; /* ns, of all pairs */
	u64 max_time;      /* when the longest ended */
	u64 starts, ends;
	u64 replaced;  /* starts that another one with the same key took the place of */
	u64 open;      /* starts that nothing ended */
	u64 alone;     /* ends without a start */
	u64 backwards; /* ends that were before their start; no pairs */
	u64 no_key;    /* events without the fields of the key */
	/* By powers of two within each unit: 0, 1ns, 2ns .. 512ns, 1us .. 512us, 1ms .. 512ms,
	 * 1s... */
	u64 steps[PAIR_STEPS];
	struct grid grid; /* time of the end by latency */
};

struct pairs;

/**
 * pairs_new - free with pairs_free().
 * @nr_key: words of a key
 * @cols, @start, @step: of the grid
 */
struct pairs *pairs_new(u32 nr_key, u32 cols, u64 start, u64 step);
void pairs_free(struct pairs *p);

void pairs_start(struct pairs *p, const u64 *key, u64 time);
void pairs_end(struct pairs *p, const u64 *key, u64 time);
/** pairs_no_key - an event that cannot be matched. */
void pairs_no_key(struct pairs *p);

/** pairs_result - what there is up to now; borrowed. */
const struct pair_result *pairs_result(struct pairs *p);

/** pairs_quantile - the latency that so many of a million pairs do not exceed; right within 1 %. */
u64 pairs_quantile(const struct pairs *p, u32 millionths);

/** pair_step_low - where a step of the histogram begins, ns; that of PAIR_STEPS too. */
u64 pair_step_low(u32 step);
/** pair_row_low - where a row of the grid begins, ns; of PAIR_ROWS the largest number. */
u64 pair_row_low(u32 row);

#endif
