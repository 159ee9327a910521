/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the report: head lines, column titles, rows, call graphs. */
#ifndef PERF_REPORT_REPORT_H
#define PERF_REPORT_REPORT_H

#include "base/color.h"
#include "base/err.h"
#include "report/fit.h"
#include "hist/hist.h"

/**
 * output_write - receives text in pieces.
 * Return: 0, or a negative errno to stop (-EPIPE when the reader has gone).
 */
typedef int output_write(void *ctx, const char *text, size_t len);

struct report_conf {
	const char *sep; /* text between columns instead of two blanks, without rulers; or NULL */
	bool quiet;      /* print only rows */
	bool relative;   /* compute shares of the samples that pass the filters */
	double percent_limit; /* leave out rows with a smaller share */
	const u16 *widths;    /* of HIST_MAX_COLUMNS columns, 0: as needed; borrowed; or NULL */
	bool groups;          /* events may be shown in groups */
	const struct palette *palette; /* colours of percentages, NULL: none; borrowed */
	struct fit fit;    /* names are shortened so that lines fit; not with @sep or @widths */
	const u16 *fitted; /* set by report_rows(): the widths of columns that fit, or NULL */
};

/* The lines about an event above its rows. */
struct report_event {
	u32 evsel;
	const char *name;   /* "cpu-clock", or that of the group: "anon group { a, b }" */
	const char *slices; /* the selected spans of time; NULL: all */
	int socket;         /* the selected socket; -1: all */
	bool borrowed;      /* it shows the call graphs of another event */
};

/** report_unit - append a count in the form of the head line: "46 ", "2K", "13M". */
void report_unit(u64 nr, struct strbuf *out);

/** report_samples - append "# Samples: 2K of event 'cpu-clock'" and the event count. */
void report_samples(const struct hist *h, const struct report_conf *conf,
		    const struct report_event *ev, struct strbuf *out);

/**
 * report_rows - write titles, ruler and rows of one event, with the call graphs that hist_chains()
 * has made.
 * Return: 0, or what @write returned.
 */
int report_rows(const struct hist *h, const struct report_conf *conf, u32 evsel,
		output_write *write, void *ctx);

/** report_chain - append the call graph of one row. */
void report_chain(const struct hist *h, u32 evsel, const struct hist_row *row,
		  const struct report_conf *conf, struct strbuf *out);

#endif
