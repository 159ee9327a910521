/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts over time and a second quantity, as a heat map needs them. The number of columns is
 * limited: when time goes beyond the last one, columns are merged in pairs.
 */
#ifndef PERF_ANALYZE_GRID_H
#define PERF_ANALYZE_GRID_H

#include "base/compat.h"

#define GRID_BEGIN UINT64_MAX /* the first column begins with the first count */

struct grid {
	u64 start; /* time of the first column in ns; GRID_BEGIN: there are no counts yet */
	u64 step;  /* ns for each column */
	u32 cols, rows;
	u32 used;   /* number of columns up to the last one with a count */
	u32 *cells; /* owned: cells[col * rows + row]; counts saturate */
};

/** grid_init - make an empty grid. @step: at first; not 0. grid_release() frees it. */
void grid_init(struct grid *g, u32 cols, u32 rows, u64 start, u64 step);
void grid_release(struct grid *g);

/** grid_add - count one. A time before the first column counts in the first column. */
void grid_add(struct grid *g, u64 time, u32 row);

/**
 * grid_step - return a step with which @cols columns hold @span ns: 1, 2 or 5 times a power of ten.
 */
u64 grid_step(u64 span, u32 cols);

#endif
