/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of perf stat: one walk over a result (stat-rows.c), and a table of operations for each
 * format: text for people, CSV, and JSON with an object on each line.
 */
#ifndef PERF_STATTEXT_STATTEXT_H
#define PERF_STATTEXT_STATTEXT_H

#include "base/color.h"
#include "base/strbuf.h"
#include "stat/result.h"
#include "stat/shadow.h"

struct stat_ops;

/* A column with metric_only: a metric that belongs to an event. */
struct stat_column {
	size_t evsel;
	char *unit; /* owned; as in struct stat_metric */
	char *name; /* owned; the unit, with the event where that is needed */
};

/* The settings of the output. */
struct stat_view {
	const struct stat_ops *ops;
	const char *sep;       /* separator of CSV */
	const char *thousands; /* between groups of three digits; NULL: numbers are not grouped */
	const struct stat_thread *threads; /* for AGGR_THREAD */
	bool color;
	bool metric_only;
	bool show_threads; /* for events with percore: each CPU shows the count of its core */
	bool hide_zero;    /* events that counted nothing have no row */
	bool all_threads;  /* all threads of the system: those that counted nothing have no row */
	bool interval;     /* rows begin with a time stamp */
	bool summary;      /* rows begin with the word "summary", in CSV */
	bool several;   /* there were several runs: CSV and JSON have a field for the deviation */
	u32 unit_width; /* width of the widest unit */
	struct stat_column *columns; /* owned; set by stat_view_settle() with metric_only */
	size_t nr_columns, cap_columns;
	u32 nr_cpus; /* CPUs that are counted on; a tool event has a value only on the first */
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
	u64 time;                    /* for an interval: ns since the start */
	struct stat_metric *metrics; /* only those that have a value */
	size_t nr_metrics, cap_metrics;
};

/* An output format. Functions may be NULL, and then print nothing. */
struct stat_ops {
	/* Prints what precedes the rows of an interval. */
	void (*heading)(const struct stat_view *v, const struct stat_result *r, struct strbuf *out);
	void (*row)(const struct stat_row *row, struct strbuf *out);
	/* With metric_only: prints the names of the columns, before all rows. */
	void (*only_heading)(const struct stat_view *v, const struct stat_result *r,
			     struct strbuf *out);
	/* With metric_only: prints a row. metrics[] follows the columns of the view; NaN: no value.
	 */
	void (*only_row)(const struct stat_row *row, struct strbuf *out);
};

extern const struct stat_ops stat_text_ops, stat_csv_ops, stat_json_ops;

/** stat_view_settle - derive widths and columns from the events and metrics. */
void stat_view_settle(struct stat_view *v, const struct evlist *l,
		      const struct stat_metrics *metrics);
/** stat_view_release - free what the view owns. */
void stat_view_release(struct stat_view *v);

/** stat_rows - append all rows of @r. @time: for an interval, ns since the start; otherwise 0 */
void stat_rows(const struct stat_view *v, const struct stat_result *r, u64 time,
	       struct strbuf *out);

/** stat_metric_text - append the value of a metric as it is shown; nothing when it has none. */
void stat_metric_text(const struct stat_metric *m, struct strbuf *out);

/**
 * stat_row_id - append the thread's name or the aggregation id of a row; nothing when there is only
 * one.
 */
void stat_row_id(const struct stat_row *row, struct strbuf *out);

/** stat_row_percore - tell whether the row is that of a core while others are those of CPUs. */
bool stat_row_percore(const struct stat_row *row);

/** stat_row_cpus - return the number of CPUs that a row stands for. */
u32 stat_row_cpus(const struct stat_row *row);
/**
 * stat_row_digits - return the number of digits after the decimal point, which are needed when the
 * value was scaled to another unit.
 */
int stat_row_digits(const struct stat_row *row);

/** stat_put_grouped - append a number in groups of three digits: "1,234,567.89". */
void stat_put_grouped(const char *digits, const char *thousands, struct strbuf *out);

/** stat_row_running - return the percentage of time during which the event was on a counter. */
double stat_row_running(const struct stat_row *row);

#endif
