// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "analyze/density.h"

#define SECOND 1000000000ULL

void density_init(struct grid *g)
{
	grid_init(g, DENSITY_COLS, DENSITY_ROWS, GRID_BEGIN, SECOND);
}

void density_add(struct grid *g, u64 time)
{
	grid_add(g, time, (u32)(time % SECOND / (SECOND / DENSITY_ROWS)));
}
