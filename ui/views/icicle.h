/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The call graph of a row as boxes: a line for each level, and boxes as wide as their share, each
 * below the one that it belongs to. A box can be zoomed into, and names are searched for with the
 * share that has them.
 */
#ifndef PERF_UI_VIEWS_ICICLE_H
#define PERF_UI_VIEWS_ICICLE_H

#include "hist/hist.h"
#include "ui/widgets/view.h"

/* Pointers are borrowed. */
struct icicle_shown {
	const struct hist *h;
	const struct hist_row *row; /* with a call graph */
	u64 total;                  /* that shares are of */
	/* Show the callers and callees of the function of a place. Return: as view_run(), and
	 * VIEW_STAYS: it goes on here */
	int (*calls)(void *ctx, struct ui *ui, u32 place);
	/* Show the command that prints the call graph. */
	void (*show_command)(void *ctx, struct ui *ui);
	void *ctx;
};

/** icicle_bindings - what its keys ask for. */
extern const struct binding icicle_bindings[];

/** icicle_view - show it until it is left. Return: as view_run() */
int icicle_view(struct ui *ui, const struct icicle_shown *shown);

#endif
