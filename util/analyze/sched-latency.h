/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long tasks wait for a CPU: from the moment in which a task becomes runnable (it is woken up,
 * or preempted) until a switch puts it on a CPU. Memory grows with the number of tasks only.
 */
#ifndef PERF_ANALYZE_SCHED_LATENCY_H
#define PERF_ANALYZE_SCHED_LATENCY_H

#include "analyze/sched-events.h"
#include "analyze/steps.h"

/* The delays of a task, or of the tasks of one name. Times are in ns. */
struct sched_delays {
	u32 task, tid; /* id and tid of the first of them */
	u32 merged;    /* how many tasks they are */
	u64 cgroup;    /* id of that in which the task last left a CPU; 0: not known */
	u64 runtime;   /* the kernel's sum */
	u64 switches, total;
	u64 max, max_start, max_end; /* the longest delay and when it was */
	u64 gaps;                    /* delays during which events were lost */
	u32 *steps;                  /* owned; STEPS numbers of delays; NULL: not asked for */
};

struct sched_latency;

/** sched_latency_engine - return the engine, whose state is a struct sched_latency. */
const struct engine *sched_latency_engine(void);

/**
 * sched_latency_new - prepare; sched_latency_free() frees the state.
 * @tasks: borrowed
 * @some_cpus: the events of other CPUs are filtered out, so tasks may become runnable unseen
 * @steps: distributions are wanted
 */
struct sched_latency *sched_latency_new(struct task_table *tasks, bool some_cpus, bool steps);
void sched_latency_free(struct sched_latency *l);
/** sched_latency_watch - be told of each delay from now on. @delay: gets @ctx, the task, and since
 * when and until when it waited, in ns */
void sched_latency_watch(struct sched_latency *l,
			 void (*delay)(void *ctx, const struct task_at *task, u64 ready, u64 ran),
			 void *ctx);

/* It tells which tasks are added up in one row. */
enum sched_merge { SCHED_BY_COMM, SCHED_BY_TASK, SCHED_BY_CGROUP };

/**
 * sched_latency_rows - return what was found, one row for each task that was put on a CPU, in the
 * order in which they appeared; the idle task is none.
 * @merge: SCHED_BY_COMM: tasks of the same last name are added up
 * @wants: tells with @ctx whether a task is to be in a row; NULL: all are
 * @nr: their number
 * Return: an array for sched_delays_free(). The engine may go on.
 */
struct sched_delays *sched_latency_rows(const struct sched_latency *l, enum sched_merge merge,
					bool (*wants)(void *ctx, const struct task_at *task),
					void *ctx, size_t *nr);
/** sched_delays_free - free rows. */
void sched_delays_free(struct sched_delays *rows, size_t nr);
/** sched_latency_counts - return the counts of what went wrong. */
const struct sched_counts *sched_latency_counts(const struct sched_latency *l);

/** sched_delays_quantile - return the delay that @millionths of a million delays do not exceed,
 * within an eighth; 0 without steps. */
u64 sched_delays_quantile(const struct sched_delays *d, u32 millionths);

#endif
