/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions in the annotate browser, one after the other: calls are followed, and come back. */
#ifndef PERF_BROWSE_CODE_H
#define PERF_BROWSE_CODE_H

#include "annotatetext/annotate-text.h"
#include "ui/widgets/ui.h"

/* A function to show, and the events whose counts stand beside it. Borrowed. */
struct browsed_page {
	const struct annotate_function *of;
	struct annotate_text *text;
};

/* This is shown. Pointers are borrowed. */
struct browsed_code {
	struct annotator *annotator; /* its configuration asks for positions and bytes */
	const struct annotate_counts *counts;
	u32 nr_events;
	const struct browsed_page *pages;
	size_t nr_pages;
	u64 offset; /* in the first page, from its start: the line to begin with; 0: the hottest */
	const char *input;   /* the recording, for scripts; NULL: it cannot be read again */
	const char *command; /* that asked for it, without the name of a function */
	/* Count again every @interval ms, and set @counts, in which functions are other ones then;
	 * those of @pages stay. NULL: the counts are complete. */
	void (*recount)(struct browsed_code *c, void *ctx);
	void *ctx;
	int interval;
	bool no_source, no_arrows;
	char *why; /* private: why the last function is not shown; owned */
};

/**
 * browse_code - show pages from number @at on until they are left. Functions that cannot be
 * annotated are passed over; when there are no others, a window tells why.
 * Return: as view_run()
 */
int browse_code(struct ui *ui, struct browsed_code *c, size_t at);

#endif
