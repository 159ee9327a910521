/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as text: head lines, column titles, rows, call graphs. */
#ifndef PERF_REPORT_REPORT_H
#define PERF_REPORT_REPORT_H

#include "base/color.h"
#include "base/err.h"
#include "hist/hist.h"

/**
 * output_write - where text goes, in pieces.
 * Return: 0, or negative to stop (-EPIPE when the reader has gone).
 */
typedef int output_write(void *ctx, const char *text, size_t len);

struct report_conf {
	const char *sep;      /* between columns instead of two blanks, no rulers; NULL */
	bool quiet;           /* rows only */
	bool relative;        /* shares of what passed the filters */
	double percent_limit; /* rows under this share are left out */
	const u16 *widths;    /* of HIST_MAX_COLUMNS columns, 0: as it takes; NULL; borrowed */
	bool groups;          /* events may be shown in groups */
	const struct palette *palette; /* colours of percentages, NULL: none; borrowed */
};

/* What is said about an event above its rows. */
struct report_event {
	u32 evsel;
	const char *name;   /* "cpu-clock", or of the group: "anon group { a, b }" */
	const char *slices; /* the spans of time that were asked for; NULL: all */
	int socket;         /* that was asked for, -1: all */
	bool borrowed;      /* its call graphs are those of another event */
};

/** report_unit - "46 ", "2K", "13M": a count as the head line has it. */
void report_unit(u64 nr, struct strbuf *out);

/** report_samples - "# Samples: 2K of event 'cpu-clock'" and the event count. */
void report_samples(const struct hist *h, const struct report_conf *conf,
		    const struct report_event *ev, struct strbuf *out);

/**
 * report_rows - titles, ruler and rows of one event, with what hist_chains() has built.
 * Return: 0, or what @write returned.
 */
int report_rows(const struct hist *h, const struct report_conf *conf, u32 evsel,
		output_write *write, void *ctx);

/** report_chain - the call graph of one row. */
void report_chain(const struct hist *h, u32 evsel, const struct hist_row *row,
		  const struct report_conf *conf, struct strbuf *out);

#endif
