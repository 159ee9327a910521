/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts as perf stat prints them: one walk over a result (stat-rows.c), and a table of operations
 * for each format: text for people, CSV, JSON (a line each).
 */
#ifndef PERF_STATTEXT_STATTEXT_H
#define PERF_STATTEXT_STATTEXT_H

#include "base/color.h"
#include "base/strbuf.h"
#include "stat/result.h"
#include "stat/shadow.h"

struct stat_ops;

/* A thread that is counted by itself. */
struct stat_thread {
	int tid;
	const char *comm; /* borrowed */
};

/* With metric_only: what is said beside one of the events. */
struct stat_column {
	size_t evsel;
	char *unit; /* owned; as struct stat_metric has it */
	char *name; /* owned; the same with the event where it needs one */
};

/* How it is to be printed. */
struct stat_view {
	const struct stat_ops *ops;
	const char *sep;       /* of CSV */
	const char *thousands; /* between groups of three digits; NULL: numbers are not grouped */
	const struct stat_thread *threads; /* with AGGR_THREAD */
	bool color;
	bool metric_only;
	bool show_threads; /* of events with percore: each CPU shows what its core has counted */
	bool hide_zero;    /* events that counted nothing have no row */
	bool all_threads;  /* of the system: those that counted nothing have no row */
	bool interval;     /* rows start with when that was */
	bool summary;      /* ... or with that word, in CSV */
	bool several;      /* runs: there is a field for how they spread, in CSV and JSON */
	u32 unit_width;    /* of the widest unit */
	struct stat_column *columns; /* owned; from stat_view_settle() with metric_only */
	size_t nr_columns, cap_columns;
	u32 nr_cpus; /* that are counted on; of a tool's event only the first says something */
};

/* One line, or a part of one with metric_only. */
struct stat_row {
	const struct stat_view *view;
	const struct stat_result *result;
	const struct evsel *evsel;
	size_t id;
	const struct stat_value *value;
	double shown; /* the value in its unit */
	bool counted, unsupported;
	u64 time;                    /* of an interval: ns since the start */
	struct stat_metric *metrics; /* only those that can be told */
	size_t nr_metrics, cap_metrics;
};

/* A format. Those that are NULL print nothing. */
struct stat_ops {
	/* above the rows of an interval */
	void (*heading)(const struct stat_view *v, const struct stat_result *r, struct strbuf *out);
	void (*row)(const struct stat_row *row, struct strbuf *out);
	/* with metric_only: names of the columns, above all rows */
	void (*only_heading)(const struct stat_view *v, const struct stat_result *r,
			     struct strbuf *out);
	/* ... and a row; metrics[] is that of the view's columns, NaN for what cannot be told */
	void (*only_row)(const struct stat_row *row, struct strbuf *out);
};

extern const struct stat_ops stat_text_ops, stat_csv_ops, stat_json_ops;

/** stat_view_settle - what follows from the events and metrics: widths, columns. */
void stat_view_settle(struct stat_view *v, const struct evlist *l,
		      const struct stat_metrics *metrics);
/** stat_view_release - free what it owns. */
void stat_view_release(struct stat_view *v);

/** stat_rows - append all rows of @r. @time: of an interval, ns since the start; else 0 */
void stat_rows(const struct stat_view *v, const struct stat_result *r, u64 time,
	       struct strbuf *out);

/** stat_metric_text - its value as it is shown, appended; nothing when it cannot be told. */
void stat_metric_text(const struct stat_metric *m, struct strbuf *out);

/** stat_row_id - the name of the thread or the aggregation id of a row; nothing when all is one. */
void stat_row_id(const struct stat_row *row, struct strbuf *out);

/** stat_row_percore - is the row that of a core, though others are of CPUs? */
bool stat_row_percore(const struct stat_row *row);

/** stat_row_cpus - of how many CPUs a row is. */
u32 stat_row_cpus(const struct stat_row *row);
/** stat_row_digits - behind the point: some where the unit is not the one that is counted in. */
int stat_row_digits(const struct stat_row *row);

/** stat_put_grouped - append a number in groups of three digits: "1,234,567.89". */
void stat_put_grouped(const char *digits, const char *thousands, struct strbuf *out);

/** stat_row_running - per cent of the time that the event was on a counter. */
double stat_row_running(const struct stat_row *row);

#endif
