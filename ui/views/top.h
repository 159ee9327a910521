/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen of a live profile: lines that are made anew at each refresh, and keys that change what
 * the next ones show. The lines are text of their own, so that nothing is looked at while samples
 * are counted.
 */
#ifndef PERF_UI_VIEWS_TOP_H
#define PERF_UI_VIEWS_TOP_H

#include "ui/widgets/view.h"

/* Keys change these members. */
struct top_settings {
	double delay;         /* seconds between refreshes */
	unsigned int least;   /* functions with fewer samples are not shown */
	double least_percent; /* of a function that is looked into: lines below that are not */
	bool hide_kernel, hide_user;
	bool zero;   /* only what was sampled since the last refresh is shown */
	bool chains; /* call graphs are shown */
};

/* A refresh. All are emptied before. */
struct top_text {
	struct strbuf title; /* one line, without newline, as the next */
	struct strbuf heads; /* titles of columns */
	struct strbuf hint;  /* what has to be known; empty: nothing */
	struct strbuf rows;  /* lines, with styles: style_palette() */
	bool ended;          /* nothing more will come */
};

/* Pointers are borrowed. */
struct top_shown {
	struct top_settings *settings;
	/* Make the text. @refresh: count anew; else it is that of the last refresh, shown as the
	 * settings are now. Return: 0, or negative errno and a sentence. */
	int (*text)(void *ctx, bool refresh, struct top_text *out, struct err *err);
	/* Go to the next event. Return: false: there is no other. */
	bool (*next_event)(void *ctx);
	/* Append the lines of a function, with what was counted at each. Return: 0, or negative
	 * errno and a sentence. */
	int (*annotate)(void *ctx, const char *name, struct strbuf *out, struct err *err);
	/* Write what is shown to a file, and append to @said its name, or why that did not work. */
	void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said);
	void *ctx;
};

/** top_bindings - what its keys ask for. */
extern const struct binding top_bindings[];

/** top_view - show a live profile until it is left. Return: 0, or negative errno and a sentence. */
int top_view(struct ui *ui, const struct top_shown *shown, struct err *err);

#endif
