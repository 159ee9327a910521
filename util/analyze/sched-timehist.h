/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The history of CPUs: one row for each time that a task leaves a CPU, with how long it ran, how
 * long it had waited before, and how much of that it was runnable. Rows are passed on when they are
 * complete; sums over tasks and CPUs are kept.
 */
#ifndef PERF_ANALYZE_SCHED_TIMEHIST_H
#define PERF_ANALYZE_SCHED_TIMEHIST_H

#include "analyze/sched-events.h"
#include "base/int-list.h"

enum sched_row_kind { SCHED_ROW_SWITCH, SCHED_ROW_WAKEUP, SCHED_ROW_MIGRATION };

/* One row. Times are in ns. */
struct sched_row {
	enum sched_row_kind kind;
	u64 time;
	u32 cpu;
	struct task_at task;  /* that left the CPU, or that did what the row tells */
	struct task_at other; /* that came instead, was woken up, was moved */
	/* A switch has these members: */
	u64 wait;   /* from the time it left a CPU until it got this one */
	u64 delay;  /* how long it was runnable before it ran */
	u64 moving; /* the part of the delay before the task was moved to this CPU */
	u64 run;
	char state;          /* in which it left */
	s32 prio, came_prio; /* its priority when it left and when it came; the same: unchanged */
	bool gap;            /* events were lost during one of these times */
	u32 from, to;        /* of a migration: the CPUs */
	const struct engine_input *in; /* the event; for its call chain */
};

/* Sums of the times that a task ran, or that a CPU had nothing to do. */
struct sched_runs {
	u64 nr, total, min, max; /* ns */
	double mean, squares;    /* the latter of the differences from the mean */
	u64 sleep, iowait, preempted, delayed;
	u64 migrations;
	u64 gaps; /* runs of which events were lost, in their time or in that before them */
};

/** sched_runs_deviation - return the standard deviation of the mean in percent of it. */
double sched_runs_deviation(const struct sched_runs *r);

struct sched_timehist_conf {
	struct task_table *tasks; /* borrowed */
	/* Takes a row; NULL: only sums are wanted. */
	void (*row)(void *ctx, const struct sched_row *row);
	/* Tells whether the filters of users let a task through; it is asked once
	 * for each name of a task. */
	bool (*wants)(void *ctx, const struct task_at *task);
	/* Returns the span of time that is looked at; asked at the first event. */
	void (*window)(void *ctx, u64 *start, u64 *end);
	/* Told that a CPU has no task from this switch on; NULL: not wanted. */
	void (*idle_begins)(void *ctx, const struct engine_input *in);
	/* Told for how many ns it had none. */
	void (*idle_ends)(void *ctx, u32 cpu, u64 ns);
	void *ctx;
	const struct int_list *prios; /* borrowed; only tasks of these priorities; NULL: of all */
	bool idle_only;               /* only the time of CPUs without a task counts */
	bool switches_only;           /* rows of wakeups and migrations are not wanted */
};

struct sched_timehist;

const struct engine *sched_timehist_engine(void);
/** sched_timehist_new - prepare; sched_timehist_free() frees it. @conf: copied */
struct sched_timehist *sched_timehist_new(const struct sched_timehist_conf *conf);
void sched_timehist_free(struct sched_timehist *h);

/**
 * sched_timehist_tasks - walk over the tasks that ran, in the order of appearance.
 * @fn: called for each; @id: its number in the table of tasks
 */
void sched_timehist_tasks(const struct sched_timehist *h,
			  void (*fn)(void *ctx, u32 id, const struct sched_runs *r), void *ctx);
/** sched_timehist_idle - return how long a CPU had no task; NULL: it had no event. */
const struct sched_runs *sched_timehist_idle(const struct sched_timehist *h, u32 cpu);
/** sched_timehist_cpus - return the number that is above those of all CPUs with events. */
u32 sched_timehist_cpus(const struct sched_timehist *h);
/** sched_timehist_span - return the time from the first to the last switch, in ns. */
u64 sched_timehist_span(const struct sched_timehist *h);
/** sched_timehist_ended - tell whether the last state in which a task left a CPU was its end. */
bool sched_timehist_ended(const struct sched_timehist *h, u32 id);
/** sched_timehist_counts - return the counts of what does not fit together. */
const struct sched_counts *sched_timehist_counts(const struct sched_timehist *h);

#endif
