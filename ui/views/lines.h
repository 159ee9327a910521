/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text that another command has written, line by line: it is scrolled, searched, and saved. */
#ifndef PERF_UI_VIEWS_LINES_H
#define PERF_UI_VIEWS_LINES_H

#include "ui/widgets/view.h"

/* This is shown. Pointers are borrowed. */
struct lines_shown {
	const char *title;
	const char *command; /* that has written it */
	const struct strbuf *text;
	/* Write the text to a file, and append to @said its name, or why that did not work. */
	void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said);
	void *ctx;
};

/** lines_bindings - what its keys ask for. */
extern const struct binding lines_bindings[];

/** lines_view - show it until it is left. Return: as view_run() */
int lines_view(struct ui *ui, const struct lines_shown *shown);

#endif
