/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Profiles side by side: the rows of `perf diff`, with call paths or blocks that unfold below them.
 * They are sorted by another column, or compared by another method, as keys ask for it.
 */
#ifndef PERF_UI_VIEWS_DIFF_H
#define PERF_UI_VIEWS_DIFF_H

#include "report/diff-text.h"
#include "ui/widgets/view.h"

/* This is shown. Pointers are borrowed. */
struct diff_shown {
	/* These are set by compare(). */
	const struct diff *diff;
	const struct diff_text *text;
	const char *event;
	/* Compare the next event (@step 1), the one before (-1), or this one (0) in that way. */
	void (*compare)(void *ctx, const struct diff_conf *conf, int step,
			struct diff_shown *shown);
	/* Append the command that prints what is compared in that way. */
	void (*command)(void *ctx, const struct diff_conf *conf, struct strbuf *out);
	/* Let the user choose a recording, and look into the function of a row there. */
	void (*annotate)(void *ctx, struct ui *ui, const struct diff_row *row);
	/* Write text to a file, and append to @said its name, or why that did not work. */
	void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said);
	void *ctx;
};

/** diff_bindings - what its keys ask for. */
extern const struct binding diff_bindings[];

/** diff_view - show a comparison until it is left; @shown has its functions, and nothing was
 * compared yet. @conf: how it is compared first. Return: as view_run() */
int diff_view(struct ui *ui, struct diff_shown *shown, const struct diff_conf *conf);

#endif
