// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "analyze/density.h"

#define SECOND 1000000000ULL

void density_init(struct grid *g, u64 start)
{
	grid_init(g, DENSITY_COLS, DENSITY_ROWS, start, SECOND);
}

void density_add(struct grid *g, u64 time)
{
	u64 since;

	if (g->start == GRID_BEGIN)
		g->start = time;
	since = time > g->start ? time - g->start : 0;
	grid_add(g, time, (u32)(since % SECOND / (SECOND / DENSITY_ROWS)));
}
