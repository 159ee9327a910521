/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf stat: options (builtin-stat.c), the events that are counted (stat-events.c, stat-metrics.c),
 * the run (stat-run.c), waiting (stat-wait.c), what is printed (stat-show.c).
 */
#ifndef PERF_STATRUN_STATRUN_H
#define PERF_STATRUN_STATRUN_H

#include "base/sysroot.h"
#include "events/config.h"
#include "events/parse.h"
#include "events/sources.h"
#include "kernel/ends.h"
#include "kernel/open.h"
#include "kernel/target.h"
#include "kernel/workload.h"
#include "metric/metric.h"
#include "stattext/stattext.h"
#include "cmd/common/control.h"
#include "cmd/common/filter.h"
#include "cmd/common/open-show.h"
#include "statrun/bpf.h"
#include "statrun/events.h"
#include "statrun/file.h"
#include "statrun/compare.h"
#include "cmd/stat/side.h"
#include "cmd/common/target.h"
#include "stat/metrics.h"
#include "stat/result.h"

/* Why stat_wait() came back. */
enum stat_event {
	STAT_INTERVAL, /* it is time to print */
	STAT_ENDED,    /* the command, or all that is looked at */
	STAT_SIGNAL,
	STAT_TIMEOUT,
	STAT_STOPPED /* by --control */
};

struct stat_cmd {
	/* asked for */
	struct count_opts count;
	struct target target;
	struct cgroup_arg cgroups;
	bool scale, null, sync, append, table, summary, big_num, quiet, json, no_csv_summary,
		interval_clear;
	const char *output, *sep, *pre, *post;
	enum aggr_mode mode;
	int cache_level;                                /* of --per-cache; 0: the last one */
	unsigned int interval, interval_count, timeout; /* ms, times, ms; 0: none */
	int delay;                                      /* ms; -1: never enabled by us */
	int log_fd, verbose;
	enum color_when color; /* what is beyond its threshold */
	int repeat;            /* 0: for ever, 1: once */
	char *metric_names;    /* owned; of all -M, with commas; NULL: none */
	char *core;            /* owned; the PMU of --cputype */
	struct stat_event_options ev;
	struct stat_event_choice chosen;
	char **command; /* borrowed from argv, NULL without one */
	struct stat_compare compare;
	struct stat_side side;
	struct stat_bpf bpf;
	struct stat_file file; /* of perf stat record */
	struct control control;
	struct open_shown tried; /* with -vv */
	bool reported;           /* counts are of a file */

	/* state */
	struct sysroot sysroot;
	struct evlist evlist;
	struct filter_arg filter;
	struct int_list cpus, tids;
	struct cpu_place *places;    /* owned; of each of cpus */
	struct stat_thread *threads; /* owned, with their names; of each of tids */
	struct kevents kevents;
	bool *unsupported; /* owned; of each event */
	struct workload workload;
	struct counts counts;
	struct map64 cpu_index, tid_index;
	struct aggr_map ids;
	struct stat_result result; /* of this run, or of the last interval */
	struct stat_runs runs;
	u64 *walls; /* owned; wall time of each run, for --table */
	size_t nr_walls, cap_walls;
	size_t turn;             /* which run this is, of all or of this command */
	struct stat_times times; /* of the run that ended last */
	struct stat_view view;
	FILE *out;
	int write_error;       /* the first one of out, negative errno */
	unsigned int nr_shown; /* intervals since the start, or the screen was cleared */
	u64 start;             /* when counting began, CLOCK_MONOTONIC in ns */
	int sigfd;
	bool stopped;        /* by --control */
	bool post_failed;    /* what --post says: no more runs */
	struct ends ends;    /* of what is looked at */
	enum stat_event why; /* the last run ended */
	int signal;          /* that ended us, 0 */
};

/** opt_metrics, opt_cputype - option callbacks, opt->value: struct stat_cmd. */
int opt_metrics(const struct option *opt, const char *arg, int unset);
int opt_cputype(const struct option *opt, const char *arg, int unset);
/** opt_per_cache - opt->value: struct stat_cmd; "L2" or nothing. */
int opt_per_cache(const struct option *opt, const char *arg, int unset);
/** opt_stat_each_cgroup - what is counted is known later. opt_iostat - told: no PMU we know. */
int opt_stat_each_cgroup(const struct option *opt, const char *arg, int unset);
int opt_iostat(const struct option *opt, const char *arg, int unset);
/** stat_run - count as asked and print. Return: exit status; s->signal is the signal to die of. */
int stat_run(struct stat_cmd *s);

/** stat_run_once - run the command; s->result, s->times and s->workload say what became of it. */
int stat_run_once(struct stat_cmd *s, const sigset_t *mask, struct err *err);
/** stat_enable - have all events count, or not. */
void stat_enable(struct stat_cmd *s, bool on);
/** stat_read_counts - s->counts as they are now. */
void stat_read_counts(struct stat_cmd *s);
/** stat_forget_run - ready for the next one. */
void stat_forget_run(struct stat_cmd *s);
/** stat_exit_status - of the run that ended last. */
int stat_exit_status(const struct stat_cmd *s);

/** opt_stat_control - option callback, opt->value: struct stat_cmd. */
int opt_stat_control(const struct option *opt, const char *arg, int unset);
/** stat_serve_control - there is something to read from it. Return: false: nothing will come any
 * more. */
bool stat_serve_control(struct stat_cmd *s);
/** stat_wait_start - s->sigfd and s->tids are there. */
void stat_wait_start(struct stat_cmd *s);
/** stat_end_workload - have it end, unless it has, and wait for that; no more after a signal. */
void stat_end_workload(struct stat_cmd *s);
/** stat_wait - until something is to be done. @until: CLOCK_MONOTONIC ns, 0: no end. */
enum stat_event stat_wait(struct stat_cmd *s, u64 until);
/** stat_now - CLOCK_MONOTONIC in ns. */
u64 stat_now(void);

/** stat_show_start - open the output, decide what it looks like. Return: 0 or -1 with a message. */
int stat_show_start(struct stat_cmd *s);
/** stat_show_interval - the rows of s->result. @time: ns since the start */
void stat_show_interval(struct stat_cmd *s, u64 time);
/** stat_show_end - all there is to say at the end. */
void stat_show_end(struct stat_cmd *s);
/** stat_show_close - close the output. Return: 0 or -1 when it could not all be written. */
int stat_show_close(struct stat_cmd *s);

#endif
