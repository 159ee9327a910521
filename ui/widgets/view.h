/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view: a title, titles of columns, rows of which one is selected, and a line of help. Rows are
 * asked for as they are drawn, so that it does not matter how many there are. What is shown and
 * what keys do is a table of operations.
 */
#ifndef PERF_UI_WIDGETS_VIEW_H
#define PERF_UI_WIDGETS_VIEW_H

#include "ui/widgets/keymap.h"
#include "ui/widgets/ui.h"

struct view;

/* The result tells how it goes on after a request. Views may return further values of their own to
 * who ran them. */
enum view_result {
	VIEW_STAYS,
	VIEW_UNKNOWN, /* the view does not know the request: what all views do is done */
	VIEW_BACK,
	VIEW_QUIT,
	VIEW_OWN,
};

struct view_ops {
	const char *name;                /* of its keys in the configuration: "report" */
	const struct binding *bindings;  /* ends with a row without keys */
	const struct keys_of *more_keys; /* of a view whose requests it knows, too; NULL: none */
	/* Append the first line. */
	void (*title)(struct view *v, struct strbuf *out);
	/* Append titles of columns; NULL, or nothing is appended: they have no line. */
	void (*heads)(struct view *v, struct strbuf *out);
	/* Append the last line; NULL: it tells which key shows help. */
	void (*hint)(struct view *v, struct strbuf *out);
	u64 (*nr_rows)(struct view *v);
	/* Append the text of a row, with styles: see style_sequence(). */
	void (*row)(struct view *v, u64 row, struct strbuf *out);
	/* Draw something other than rows in @height lines from @y on; NULL: rows are drawn. */
	void (*paint)(struct view *v, struct screen *s, u32 y, u32 height);
	/* Append lines about the selected row, which the lower third of the screen shows; NULL:
	 * rows have all of it. */
	void (*about)(struct view *v, struct strbuf *out);
	/* See a key before it is looked up in the bindings, as text that is typed; NULL. Return: as
	 * request() */
	int (*key)(struct view *v, struct ui *ui, u32 key);
	/* Do what was asked for. Return: a value of enum view_result, or an own one */
	int (*request)(struct view *v, struct ui *ui, int request);
	/* See a press of the mouse first; NULL: rows are selected by it. Return: as request() */
	int (*mouse)(struct view *v, struct ui *ui, const struct term_event *ev);
	/* Do what is to be done every v->interval ms; NULL. Return: as request() */
	int (*tick)(struct view *v, struct ui *ui);
};

/* Views have this within a struct of their own (container_of()). */
struct view {
	const struct view_ops *ops;
	int interval;       /* ms; 0: nothing is done but what is asked for */
	u64 at, top;        /* the selected row, and the first one on the screen */
	u32 shift;          /* columns that rows are moved to the left */
	u32 y, height;      /* lines of the screen that rows have; as drawn last */
	struct strbuf find; /* what was searched for; view_run() releases it */
	struct keymap keys; /* while it runs */
};

/** view_run - show a view until it is left. Return: what request(), mouse() or tick() returned
 * last; VIEW_QUIT when the terminal is gone. */
int view_run(struct view *v, struct ui *ui);
/** view_select - select a row, and keep it on the screen. Rows above 0 that are not there are the
 * last one. */
void view_select(struct view *v, u64 row);
/**
 * view_save - save the title, the titles of columns and all rows, as they are on the screen but
 * without styles, and say what became of it.
 * @save: writes the text, and appends to @said the name of the file, or why that did not work
 */
void view_save(struct view *v, struct ui *ui,
	       void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said), void *ctx);

#endif
