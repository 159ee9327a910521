/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The block browser: basic blocks and the cycles that they took, as `perf report --total-cycles
 * --stdio` prints them. */
#ifndef PERF_UI_VIEWS_BLOCKS_H
#define PERF_UI_VIEWS_BLOCKS_H

#include "report/blocks-text.h"
#include "ui/widgets/view.h"

/* Pointers are borrowed. */
struct blocks_shown {
	const struct blocks *blocks;
	struct report_conf report; /* as for blocks_text(); the browser sets colours and widths */
	const char *title;
	const char *command; /* that prints the same */
	/* Look into the function of a block, at the place where the block begins; NULL: that cannot
	 * be done. Messages go to ui_say(). Return: as view_run() */
	int (*annotate)(void *ctx, struct ui *ui, const struct block *b);
	/* Write what is shown to a file, and append to @said its name, or why that did not work. */
	void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said);
	void *ctx;
};

/** blocks_bindings - what its keys ask for. */
extern const struct binding blocks_bindings[];

/** blocks_view - show it until it is left. Return: as view_run() */
int blocks_view(struct ui *ui, const struct blocks_shown *shown);

#endif
