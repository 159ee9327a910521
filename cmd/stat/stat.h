/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf stat: the command around the runs of room statrun. What the options say, and where counts
 * are shown: rows and comparisons (show.c), a screen (live.c), a monitoring system (room
 * statserve). */
#ifndef PERF_CMD_STAT_STAT_H
#define PERF_CMD_STAT_STAT_H

#include "cli/terminal.h"
#include "cmd/common/events.h"
#include "stat/compare-limits.h"
#include "statrun/events.h"
#include "statrun/statrun.h"
#include "statserve/prometheus-page.h"
#include "stattext/iostat.h"
#include "stattext/live.h"
#include "stattext/stattext.h"

/* The options and the state of the output: where the rows go, and in what form. */
struct stat_output {
	const char *path; /* borrowed; -o; NULL: not given */
	const char *sep;  /* borrowed; -x */
	int log_fd;
	bool append, json, quiet, big_num, clear, table, summary, no_csv_summary, no_rows;
	enum color_when color; /* what is beyond its threshold */
	FILE *file;
	int write_error;       /* the first one of file, negative errno */
	unsigned int nr_shown; /* intervals since the start, or the screen was cleared */
};

/* --live: a view on a terminal. */
struct stat_live {
	bool asked;
	struct terminal terminal;
	struct live live;
	u64 time; /* ns since the start, of the last interval */
};

struct stat_cmd {
	struct stat_options o;
	struct stat_event_options ev;
	struct stat_event_choice chosen;
	struct stat_output out;
	struct stat_view view;
	const char *prometheus;          /* borrowed; --prometheus: a file, or :PORT; NULL: none */
	struct prometheus_page *counted; /* owned; what shows them there */
	struct stat_live live;
	struct compare_limits limits;
	struct control control;
	struct cgroup_arg cgroups;
	struct event_filters filter;
	struct open_shown tried; /* with -vv */
	bool null;
	char *metric_names; /* owned; of all -M, with commas; NULL: none */
	char *core;         /* owned; the PMU of --cputype */
	struct sysroot sysroot;
	struct iostat_ports ports; /* of --iostat */
	struct evlist evlist;

	struct stat_run *run;               /* owned; NULL before, and for a recording */
	const struct stat_results *results; /* of the run or the recording; NULL before */
	const char *const *words;           /* borrowed; the command line that is counted, or was */
};

/* options.c: option callbacks, opt->value: struct stat_cmd, but for: */
int opt_metrics(const struct option *opt, const char *arg, int unset);
int opt_cputype(const struct option *opt, const char *arg, int unset);
int opt_per_cache(const struct option *opt, const char *arg, int unset);
int opt_tpebs_mode(const struct option *opt, const char *arg, int unset);
int opt_iostat(const struct option *opt, const char *arg, int unset);
int opt_compare(const struct option *opt, const char *arg, int unset); /* stat_compare_options */
int opt_compare_fail_if(const struct option *opt, const char *arg, int unset); /* compare_limits */

/** stat_choose_events - add what else the options ask for to the events that were named. Return: 0,
 * or an exit status after a message. */
int stat_choose_events(struct stat_cmd *s, struct event_sources *sources);
/** stat_count - count as asked and print. Return: exit status. @signal: what ended it; 0: none did
 */
int stat_count(struct stat_cmd *s, int *signal);
/** stat_report - print what is in the recording @path. @mode_given: the mode of the options counts,
 * not that of the file. Return: exit status */
int stat_report(struct stat_cmd *s, const char *path, bool mode_given);

/** stat_show_start - open the output, decide what it looks like. Return: 0 or -1 with a message. */
int stat_show_start(struct stat_cmd *s);
/** stat_show_settle - prepare to show, as the CPUs, threads and events of s->results are known. */
void stat_show_settle(struct stat_cmd *s);
/** stat_show_interval - print the rows of an interval. @time: ns since the start */
void stat_show_interval(struct stat_cmd *s, u64 time);
/** stat_show_end - print all there is to say at the end. */
void stat_show_end(struct stat_cmd *s);
/** stat_show_compared - print the comparison, and on stderr what passes a limit. Return: 1 when
 * something does, else 0 */
int stat_show_compared(struct stat_cmd *s);
/** stat_show_close - close the output. Return: 0 or -1 when it could not all be written. */
int stat_show_close(struct stat_cmd *s);

/* Each of the functions below does nothing when its option was not given. */

/** live_start - take the terminal. Return: 0, or negative errno and a sentence. */
int live_start(struct stat_cmd *s, struct err *err);
/** live_interval - take the counts of another interval. @time: ns since the start */
void live_interval(struct stat_cmd *s, u64 time);
/** live_leave - give the terminal back: what is printed next is to stay there. */
void live_leave(struct stat_cmd *s);
/** live_end - free the contents. */
void live_end(struct stat_cmd *s);

#endif
