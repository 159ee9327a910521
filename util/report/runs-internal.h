/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of cells: columns side by side whose texts many rows have in common, as those of the values
 * that samples have few of (what a memory access hit, its latency), or of the place (symbol and
 * object). Each thread that writes rows keeps the texts it has made of a run, and copies them.
 */
#ifndef PERF_REPORT_RUNS_INTERNAL_H
#define PERF_REPORT_RUNS_INTERNAL_H

#include "hist/values.h"

enum run_of {
	RUN_OF_ROW,   /* each row has its own text */
	RUN_OF_KIND,  /* hist_row_kind() decides */
	RUN_OF_PLACE, /* the place and the level decide */
};

/* The columns [@first, @end) of a table. */
struct cell_run {
	u32 first, end;
	enum run_of of;
	u32 slots;   /* texts that a thread keeps, a power of two */
	size_t size; /* bytes of each */
};

struct cell_texts;

/**
 * runs_plan - cut the columns of an event into runs; the caller frees them.
 * @nr: receives their number
 * Runs have texts in common only where that pays, as there are many more rows than texts.
 */
struct cell_run *runs_plan(const struct hist *h, const struct hist_event *ev, u32 *nr);

/** cell_texts_new - return the texts of one thread: none so far. */
struct cell_texts *cell_texts_new(const struct cell_run *runs, u32 nr);
void cell_texts_free(struct cell_texts *t);
/**
 * cell_texts_add - append the text of the @run-th run of a row, if it is known.
 * Return: it is.
 */
bool cell_texts_add(const struct cell_texts *t, const struct hist *h, u32 run,
		    const struct hist_row *row, struct strbuf *out);
/** cell_texts_keep - keep that text, which has been appended from @at on. */
void cell_texts_keep(struct cell_texts *t, const struct hist *h, u32 run,
		     const struct hist_row *row, const struct strbuf *out, size_t at);

#endif
