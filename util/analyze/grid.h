/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts over time and something else: what a heat map is drawn from. However long the time, there
 * are no more columns than asked for: when it goes on, two become one.
 */
#ifndef PERF_ANALYZE_GRID_H
#define PERF_ANALYZE_GRID_H

#include "base/compat.h"

#define GRID_BEGIN UINT64_MAX /* the first column begins with what is added first */

struct grid {
	u64 start; /* ns, of the first column; GRID_BEGIN: nothing was added */
	u64 step;  /* ns a column */
	u32 cols, rows;
	u32 used;   /* columns up to the last one with a count */
	u32 *cells; /* owned: cells[col * rows + row]; they do not overflow but stay */
};

/** grid_init - @step: at first, not 0. Release with grid_release(). */
void grid_init(struct grid *g, u32 cols, u32 rows, u64 start, u64 step);
void grid_release(struct grid *g);

/** grid_add - count one. A time before the first column counts in it. */
void grid_add(struct grid *g, u64 time, u32 row);

/** grid_step - a step for that many columns to hold @span ns: 1, 2 or 5 times a power of ten. */
u64 grid_step(u64 span, u32 cols);

#endif
