/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When in each second samples were taken: columns are seconds, rows parts of them. */
#ifndef PERF_ANALYZE_DENSITY_H
#define PERF_ANALYZE_DENSITY_H

#include "analyze/grid.h"

#define DENSITY_ROWS 50 /* of 20 ms */
#define DENSITY_COLS 300

/** density_init - release with grid_release(). */
void density_init(struct grid *g);
/** density_add - count a sample. */
void density_add(struct grid *g, u64 time);

#endif
