/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a run, for the files that it consists of. */
#ifndef PERF_STATRUN_RUN_INTERNAL_H
#define PERF_STATRUN_RUN_INTERNAL_H

#include "bpf/count.h"
#include "file/writer.h"
#include "gauges/gauges.h"
#include "kernel/count.h"
#include "kernel/exit-watch.h"
#include "kernel/ring.h"
#include "kernel/workload.h"
#include "statrun/table.h"

#include <signal.h>

/* Counting by BPF programs. */
struct stat_bpf {
	struct int_list progs, cpus;
	struct bpf_counts counts;
	bool open;
};

/* The recording that is written. */
struct stat_file {
	struct file_writer w;
	bool open;
	bool mute;     /* what is read now is not for the file */
	size_t rounds; /* that are written */
	u64 *tool_ids; /* owned; of each event, 0 unless it is a tool's */
	int failed;    /* negative errno: writing did not work, and that was told */
};

/* The events whose latency is sampled. */
struct stat_sampler {
	struct evlist list;               /* copies of them */
	u32 *of;                          /* owned; of each copy: the number of its event */
	struct retire_latency *latencies; /* owned; of each copy, in this run */
	struct kevents opened;
	struct rings rings;
	bool told;        /* the user knows of those that are not measured */
	bool told_zeroes; /* and of those that have been, but always as 0 */
};

struct stat_run {
	const struct stat_options *o; /* borrowed */
	struct evlist *evlist;        /* borrowed */
	struct stat_listener to;
	struct stat_results results;

	struct event_loop *loop; /* owned */
	sigset_t mask;           /* of signals, as it was before */
	struct exit_watch exits; /* of what is looked at */
	int timers[2];           /* of intervals and of the timeout; -1: none */
	bool stopped;            /* by --control */
	bool quit;               /* no more runs */
	bool post_failed;        /* what --post says: no more runs */
	bool open_failed;

	struct stat_table table;
	bool enable_on_exec; /* events start with the command */
	struct kevents kevents;
	struct stat_bpf bpf;
	struct stat_file file;
	struct stat_sampler sampler;
	struct gauge_values gauges; /* one for each event that is one, in their order */
	struct workload workload;
	char *const *command;         /* borrowed; what this run runs; NULL: nothing */
	size_t turn;                  /* which run this is, of all or of this command */
	u64 start;                    /* when counting began, CLOCK_MONOTONIC in ns */
	struct multiplexing *counted; /* owned; of each event: by each command that is compared */
};

/* --- run.c: one run -------------------------------------------------------------------- */

/** stat_run_once - run the command; the results say what became of it. Return: 0, or negative errno
 * and a sentence. */
int stat_run_once(struct stat_run *r, struct err *err);
/** stat_run_enable - let all events count, or not. */
void stat_run_enable(struct stat_run *r, bool on);
/** stat_run_forget - close the events of a run, be ready for the next one. */
void stat_run_forget(struct stat_run *r);

/* --- target.c: what is looked at --------------------------------------------------------- */

/** stat_find_target - find the CPUs and threads of the target, and where they are. Return: 0, or
 * negative errno and a sentence. */
int stat_find_target(struct stat_run *r, struct err *err);

/* --- read.c: counts ---------------------------------------------------------------------- */

/** stat_take_count - add what was read of an event at a place; kcount_fn, @ctx: struct stat_run. */
void stat_take_count(void *ctx, const struct kfd *k, const struct kcount *c);
/** stat_gauges_start - begin to count what sensors and graphics cards tell. */
void stat_gauges_start(struct stat_run *r);
/** stat_read - read the counts as they are now, with those of the tool. */
void stat_read(struct stat_run *r);
/** stat_sum_up - compute the results of what has come since the last mark. */
void stat_sum_up(struct stat_run *r);
/** stat_end_interval - end an interval. @now: CLOCK_MONOTONIC ns. The listener is told. */
void stat_end_interval(struct stat_run *r, u64 now);

/* --- wait.c: waiting --------------------------------------------------------------------- */

/** stat_wait_start - prepare to wait for signals and threads. Return: 0 or negative errno. */
int stat_wait_start(struct stat_run *r, struct err *err);
/** stat_timers_start - begin intervals and the timeout now. Return: 0 or negative errno. */
int stat_timers_start(struct stat_run *r, struct err *err);
/** stat_timers_stop - end them. */
void stat_timers_stop(struct stat_run *r);
/** stat_wait - wait until something is to be done. Return: enum stat_stop, or negative errno. */
int stat_wait(struct stat_run *r, struct err *err);
/** stat_delay_start - set the timer of --delay. Return: 0, or negative errno and a sentence. */
int stat_delay_start(struct stat_run *r, struct err *err);
/** stat_end_workload - have the command end, unless it has, and wait for that, but no longer after
 * a signal. */
void stat_end_workload(struct stat_run *r);

/* --- sampler.c: values that come from samples ---------------------------------------------- */

/** stat_sampler_init - find the events that are sampled, before any is configured for counting. */
void stat_sampler_init(struct stat_run *r);
/** stat_sampler_open - open them when that is asked for, and tell of those that are not measured.
 * Return: 0, or negative errno and a sentence. */
int stat_sampler_open(struct stat_run *r, struct err *err);
/** stat_sampler_read - fill in the values of all samples of this run until now. */
void stat_sampler_read(struct stat_run *r);
/** stat_sampler_close - get ready for the next run. */
void stat_sampler_close(struct stat_run *r);
/** stat_sampler_release - free everything. */
void stat_sampler_release(struct stat_run *r);

/* --- bpf.c ------------------------------------------------------------------------------- */

/** stat_bpf_used - tell whether BPF counts. */
bool stat_bpf_used(const struct stat_run *r);
/** stat_bpf_open - open the events. Return: 0, or negative errno and a sentence. */
int stat_bpf_open(struct stat_run *r, struct err *err);
/** stat_bpf_close - get ready for the next run; tells what could not be counted. */
void stat_bpf_close(struct stat_run *r);

/* --- file.c: the recording; nothing of these does anything when there is none -------------- */

/** stat_file_configure - give events what they need so that their counts can be told apart in a
 * file. */
void stat_file_configure(struct evlist *l);
/** stat_file_start - write what comes before counts. The events are open. */
int stat_file_start(struct stat_run *r, struct err *err);
/** stat_file_count - write what was read at a place. */
void stat_file_count(struct stat_run *r, const struct kfd *k, const struct kcount *c);
/** stat_file_round - end a round of counts. Counts of perf itself are taken from the table.
 * @time: ns since the start; @final: of the whole run, not of an interval */
void stat_file_round(struct stat_run *r, u64 time, bool final);

/* --- compare.c --------------------------------------------------------------------------- */

/** stat_compare_init - make the table of what will be compared. */
void stat_compare_init(struct stat_run *r);
/** stat_compare_all - run all commands in turns. Return: 0, or negative errno and a sentence. */
int stat_compare_all(struct stat_run *r, struct err *err);

#endif
