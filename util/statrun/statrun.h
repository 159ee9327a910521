/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs of perf stat: events are opened, a command runs or time passes, counts are read and added
 * up. Options go in; a listener hears of intervals and runs when they end; results come out. A run
 * waits on an event loop, on which the caller may watch more.
 *
 *	run = stat_run_new(&options, &evlist, &listener, &err);
 *	rc = stat_run_all(run, &err);
 *	...print what stat_run_results(run) has...
 *	stat_run_free(run);
 */
#ifndef PERF_STATRUN_STATRUN_H
#define PERF_STATRUN_STATRUN_H

#include "base/notice.h"
#include "base/sysroot.h"
#include "control/control.h"
#include "events/config.h"
#include "kernel/event-loop.h"
#include "kernel/open.h"
#include "kernel/target.h"
#include "stat/compare.h"
#include "stat/metrics.h"
#include "stat/result.h"
#include "statrun/retire.h"

/* --- options ------------------------------------------------------------------------- */

/* Counting by BPF programs. Strings are borrowed. */
struct stat_bpf_options {
	const char *progs;    /* ids of BPF programs to look at; NULL: none */
	const char *attr_map; /* NULL: where it usually is, when there is a place */
	bool counters;        /* tasks are counted by BPF as well */
};

/* A recording of the counts. Strings are borrowed. */
struct stat_file_options {
	const char *path;        /* NULL: there is no recording */
	const char *const *argv; /* the whole command line, for its header */
	int argc;
};

/* Commands that are compared. Strings are borrowed. */
struct stat_compare_options {
	char *commands[COMPARE_MOST]; /* for the shell */
	size_t nr;                    /* 0: nothing is compared */
	unsigned int warmup;          /* runs of each that do not count */
	bool show_output;             /* what the runs print is shown */
};

/** stat_compare_add - add a command to those that are compared. Return: 0, or negative errno and a
 * sentence. */
int stat_compare_add(struct stat_compare_options *c, const char *command, struct err *err);

/* The options of a run. All pointers are borrowed, for as long as the run is there. */
struct stat_options {
	const struct sysroot *sysroot;
	struct target target;
	char *const *command; /* NULL-terminated; NULL: there is none to run */
	struct stat_compare_options compare;
	const char *pre, *post;  /* for the shell, before and after each run; NULL: nothing */
	struct count_opts count; /* but for enable_on_exec, which the run chooses */
	enum aggr_mode mode;
	int cache_level;                /* of AGGR_CACHE; 0: the last one */
	bool scale;                     /* counts of events that shared a counter are scaled up */
	bool apart;                     /* events of several PMUs are not added up */
	bool merge_all;                 /* those of several kinds of cores are added up as well */
	bool sync;                      /* sync() before each run */
	int repeat;                     /* runs; 0: for ever */
	unsigned int interval, timeout; /* ms; 0: none */
	unsigned int interval_count;    /* intervals until it ends; 0: all */
	int delay;   /* ms before counting starts; -1: it is not for us to start it */
	int verbose; /* how much is told of the work (-v, -vv) */
	const struct stat_metrics *metrics; /* asked for by name */
	struct stat_bpf_options bpf;
	struct stat_file_options file;
	struct control *control; /* commands come from there; NULL: none do */
	bool record_latency;     /* events with the modifier R are sampled beside the others */
	enum retire_mode latency_mode;
};

/**
 * stat_target_text - append what is counted, but for the quote at the end: "'sleep 1".
 * @words: the command line, NULL-terminated; looked at when nothing else is counted
 * @escape: the words are not the user's, but of a file
 */
void stat_target_text(const struct stat_options *o, const char *const *words, bool escape,
		      struct strbuf *out);
/** stat_command_alone - tell whether a command is counted, and nothing that runs beside it. */
bool stat_command_alone(const struct stat_options *o);

/* The listener of a run while it goes on. Functions may be NULL. */
struct stat_listener {
	void *ctx;
	/* An interval has ended; the results have its counts. @time: ns since the start. */
	void (*interval)(void *ctx, u64 time);
	/* A whole run has ended; the results have its counts. Its events are still open. */
	void (*run_end)(void *ctx);
	/* Each call of perf_event_open, for -vv. */
	void (*tried)(void *ctx, const struct open_try *t);
	struct notices notes;  /* what the user is told of the work */
	struct notices counts; /* with -v: what is to stand between the counts, line by line */
};

/* --- results ------------------------------------------------------------------------- */

/* Why a run ended. Callbacks on the event loop of a run may return one; the largest counts. */
enum stat_stop {
	STAT_GO_ON = EVENT_LOOP_GO_ON,
	STAT_INTERVAL, /* it is time to look at the counts: no end */
	STAT_TIMEOUT,  /* --timeout, or enough intervals */
	STAT_QUIT,     /* the user wants no more, no further runs either */
	STAT_STOPPED,  /* by --control */
	STAT_ENDED,    /* the command has, or all that is looked at */
	STAT_SIGNAL
};

/* The results of a run, which owns all of them. */
struct stat_results {
	/* of the run or interval that ended last; the means of all runs when all are over */
	struct stat_result last;
	const struct stat_thread *threads; /* those that are counted by themselves */
	u32 nr_cpus;                       /* that are counted by themselves; at least 1 */
	struct stat_times times;           /* of the run that ended last */
	struct stat_runs runs;
	u64 *walls; /* ns of each run */
	size_t nr_walls, cap_walls;
	struct compare_table compared; /* has its rows from the beginning */
	enum stat_stop why;            /* the last run ended */
	int signal;                    /* that ended it all; 0: none */
	int status;                    /* for the shell: that of the command that ended last */
};

/* --- the run ------------------------------------------------------------------------- */

struct stat_run;

/**
 * stat_run_new - find what is looked at and configure the events for it; blocks SIGINT, SIGTERM,
 * SIGHUP and SIGCHLD until stat_run_free().
 * @l: the events, borrowed; those that do not count on the CPUs that were named are taken out
 * @to: is copied
 *
 * Return: the caller's, or NULL with a sentence in @err. Its code is -EINVAL or -ESRCH for a target
 * that is wrong or not there.
 */
struct stat_run *stat_run_new(const struct stat_options *o, struct evlist *l,
			      const struct stat_listener *to, struct err *err);

/** stat_run_all - run as often as the options say. Return: 0, or negative errno and a sentence,
 * when a run could not start; ends of other kinds are told in the results. */
int stat_run_all(struct stat_run *r, struct err *err);

/** stat_run_opened - tell whether the events could be opened, as far as that was tried. */
bool stat_run_opened(const struct stat_run *r);

/** stat_run_results - return what was counted so far; borrowed. */
const struct stat_results *stat_run_results(const struct stat_run *r);

/** stat_run_finish - complete the recording, when there is one. Return: 0, or negative errno and a
 * sentence, unless it has been told of as a notice. */
int stat_run_finish(struct stat_run *r, struct err *err);

/** stat_run_free - close everything. NULL is fine. */
void stat_run_free(struct stat_run *r);

/* These functions are for callbacks on the loop of a run, while it waits. */

/** stat_run_loop - return the loop on which the run waits; borrowed. */
struct event_loop *stat_run_loop(struct stat_run *r);
/** stat_run_signal - take a signal that ends all runs. Return: STAT_SIGNAL */
int stat_run_signal(struct stat_run *r, int signo);

#endif
