/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One function with its callers above it and its callees below it. ENTER goes on to one of these,
 * and ESC leads back through all functions that were shown.
 */
#ifndef PERF_UI_VIEWS_CALLS_H
#define PERF_UI_VIEWS_CALLS_H

#include "stacktree/stacks.h"
#include "ui/widgets/view.h"

/* Pointers are borrowed. */
struct calls_shown {
	const struct stacks *stacks; /* with arrays */
	u32 event;                   /* of the tree */
	u32 func;                    /* that is shown first */
	u64 total;                   /* period that shares are of */
	const char *command;         /* that prints the report with the same samples */
	/* Write what is shown to a file, and append to @said its name, or why that did not work. */
	void (*save)(void *ctx, const struct strbuf *text, struct strbuf *said);
	void *ctx;
};

/** calls_bindings - what its keys ask for. */
extern const struct binding calls_bindings[];

/** calls_view - show it until it is left. Return: as view_run() */
int calls_view(struct ui *ui, const struct calls_shown *shown);

#endif
