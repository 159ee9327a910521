// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "analyze/grid.h"

#include "base/alloc.h"

void grid_init(struct grid *g, u32 cols, u32 rows, u64 start, u64 step)
{
	*g = (struct grid){ .start = start, .step = step, .cols = cols, .rows = rows };
	g->cells = xcalloc((size_t)cols * rows, sizeof(*g->cells));
}

void grid_release(struct grid *g)
{
	free(g->cells);
	g->cells = NULL;
}

static void add_to(u32 *cell, u32 n)
{
	*cell = n > UINT32_MAX - *cell ? UINT32_MAX : *cell + n;
}

/* Double the width of columns. */
static void fold(struct grid *g)
{
	for (u32 c = 0; c < g->used; c++) {
		for (u32 r = 0; r < g->rows; r++) {
			u32 *from = &g->cells[(size_t)c * g->rows + r], n = *from;

			*from = 0;
			add_to(&g->cells[(size_t)(c / 2) * g->rows + r], n);
		}
	}
	g->used = (g->used + 1) / 2;
	g->step *= 2;
}

void grid_add(struct grid *g, u64 time, u32 row)
{
	u64 col;

	if (g->start == GRID_BEGIN)
		g->start = time - time % g->step;
	while (time > g->start && (time - g->start) / g->step >= g->cols && g->step <= INT64_MAX)
		fold(g);
	col = time > g->start ? MIN((time - g->start) / g->step, (u64)g->cols - 1) : 0;
	g->used = MAX(g->used, (u32)col + 1);
	add_to(&g->cells[col * g->rows + row], 1);
}

u64 grid_step(u64 span, u32 cols)
{
	static const u32 nice[] = { 1, 2, 5 };

	for (u64 ten = 1; ten <= UINT64_MAX / 50; ten *= 10)
		for (size_t i = 0; i < ARRAY_SIZE(nice); i++)
			if (span / cols < ten * nice[i])
				return ten * nice[i];
	return UINT64_MAX / cols;
}
