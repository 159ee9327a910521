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
	const u16 *fitted; /* set by report_table_init(): the widths of columns that fit, or NULL */
};

struct cell_run;

/* The rows of one event as lines of text, for who shows some of them. */
struct report_table {
	const struct hist *h;    /* borrowed */
	struct report_conf conf; /* what it points to is borrowed */
	struct hist_event *ev;   /* owned; with the sums that shares are of, for each of a group */
	u16 *fitted;             /* owned */
	struct cell_run *runs;   /* owned; report/runs-internal.h */
	u32 nr_runs;
	u32 evsel;
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

/** report_table_init - prepare to write rows of an event. report_table_release() frees it. */
void report_table_init(struct report_table *t, const struct hist *h, const struct report_conf *conf,
		       u32 evsel);
void report_table_release(struct report_table *t);
/** report_table_titles - append what stands above the rows: titles, and rulers unless there are
 * separators. */
void report_table_titles(const struct report_table *t, struct strbuf *out);
/** report_table_row - append the line of a row, which begins with two blanks. */
void report_table_row(const struct report_table *t, const struct hist_row *row, struct strbuf *out);
/** report_level_row - append the line of a node of a hierarchy, indented by its level. */
void report_level_row(const struct report_table *t, const struct hist_node *n, struct strbuf *out);
/** report_table_shows - tell whether the share of a row is large enough to be shown. */
bool report_table_shows(const struct report_table *t, const struct hist_row *row);

/** report_chain - append the call graph of one row. */
void report_chain(const struct hist *h, u32 evsel, const struct hist_row *row,
		  const struct report_conf *conf, struct strbuf *out);

/**
 * report_chain_frame - append frame @i of a node of a call graph, with what is known of its
 * branches.
 */
void report_chain_frame(const struct hist *h, const struct chain_node *n, u32 i,
			struct strbuf *out);
/** report_chain_value - append what a node is worth: a share of @total, or a sum, as -g asks. */
void report_chain_value(const struct hist *h, const struct chain_node *n, u64 total,
			const struct palette *palette, struct strbuf *out);
/**
 * report_chain_trunk - return the node that the chains of a row begin with when they have it all
 * in common, so that its share need not be told; NULL: there is none.
 * @first: receives the number of its first frame that the row itself does not show
 */
const struct chain_node *report_chain_trunk(const struct hist *h, const struct hist_row *row,
					    u32 *first);

#endif
