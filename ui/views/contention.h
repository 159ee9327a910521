/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screens of `perf c2c report`: cache lines that processors contend for, and the places in one
 * of them. Both are tables of rows, which who shows them writes as they are drawn.
 */
#ifndef PERF_UI_VIEWS_CONTENTION_H
#define PERF_UI_VIEWS_CONTENTION_H

#include "ui/widgets/view.h"

/* Requests that are passed on; REQ_ENTER is one, too. */
enum contention_request {
	CONTENTION_SUMS = REQ_OWN,
	CONTENTION_NODES,
	CONTENTION_NAMES,
	CONTENTION_PRINT,
	CONTENTION_COMMAND,
};

/* Pointers are borrowed. */
struct contention_shown {
	/* Append the title, the titles of columns, a row. */
	void (*title)(void *ctx, struct strbuf *out);
	void (*heads)(void *ctx, struct strbuf *out);
	void (*row)(void *ctx, u64 row, struct strbuf *out);
	u64 nr_rows;
	const char *command; /* that prints the same */
	/* Do what REQ_ENTER, CONTENTION_SUMS, _NODES and _NAMES ask for, for the selected row;
	 * there may be none. Return: as view_run() */
	int (*request)(void *ctx, struct ui *ui, int request, u64 row);
	/* Write what is shown to a file, and append to @said its name, or why that did not work. */
	void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said);
	void *ctx;
};

/** contention_bindings, places_bindings - what the keys of the two screens ask for. */
extern const struct binding contention_bindings[];
extern const struct binding places_bindings[];

/** contention_view - show lines until they are left. Return: as view_run() */
int contention_view(struct ui *ui, const struct contention_shown *shown);
/** places_view - show the places in a line until they are left. Return: as view_run() */
int places_view(struct ui *ui, const struct contention_shown *shown);

#endif
