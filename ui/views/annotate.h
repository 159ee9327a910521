/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The annotate browser: the instructions and lines of source of a function, as `perf annotate
 * --stdio2` prints them. Other functions, and files, are up to its caller.
 */
#ifndef PERF_UI_VIEWS_ANNOTATE_H
#define PERF_UI_VIEWS_ANNOTATE_H

#include "annotatetext/annotate-text.h"
#include "ui/widgets/view.h"

/* These values tell how it goes on after a view, beside what all views return. */
enum annotate_result {
	ANNOTATE_ENTERS = VIEW_OWN, /* shown->line was entered: it leads out of the function */
	ANNOTATE_NEXT,              /* the next function was asked for */
	ANNOTATE_PREVIOUS,
};

/* The browser shows this. Pointers are borrowed. */
struct annotate_shown {
	const struct annotation *a;  /* with lines, positions and bytes */
	struct annotate_text *text;  /* changes as users ask; stays for the next function */
	bool *no_source, *no_arrows; /* so do these */
	size_t line;                 /* the line to select; SIZE_MAX: the hottest. The one that was
					selected in the end */
	/* Count again what @a shows, every @interval ms; NULL: the counts are complete. */
	void (*recount)(void *ctx);
	int interval;
	/* Look for the types of data in @a, if that was not done yet. It may take a while. */
	void (*find_types)(void *ctx);
	/* Let users run a script on the samples of the function; NULL: there are none. */
	void (*scripts)(void *ctx, struct ui *ui);
	/* Append the command that opened the browser, and shows this function. */
	void (*command)(void *ctx, struct strbuf *out);
	/* Write what is shown to a file, and append to @said its name, or why that did not work. */
	void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said);
	void *ctx;
};

/** annotate_bindings - what its keys ask for. */
extern const struct binding annotate_bindings[];

/** annotate_view - show a function until it is left. Return: as view_run(), or a value of enum
 * annotate_result. */
int annotate_view(struct ui *ui, struct annotate_shown *shown);

#endif
