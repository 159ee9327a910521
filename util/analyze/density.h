/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Count when samples were taken within each second of a recording: columns are seconds from its
 * start, rows are parts of a second. */
#ifndef PERF_ANALYZE_DENSITY_H
#define PERF_ANALYZE_DENSITY_H

#include "analyze/grid.h"

#define DENSITY_ROWS 50 /* of 20 ms each */
#define DENSITY_COLS 300

/**
 * density_init - initialize the grid. grid_release() frees it.
 * @start: when the recording began, in ns; GRID_BEGIN: with the first sample
 */
void density_init(struct grid *g, u64 start);
/** density_add - count a sample. */
void density_add(struct grid *g, u64 time);

#endif
