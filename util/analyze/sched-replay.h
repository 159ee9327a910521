/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program of each task of a recording: a list of steps, which do what the task did without the
 * work that it did it for. Whoever follows all programs at the same time gives a scheduler the same
 * load again.
 *
 *	run		compute for so long
 *	pause		sleep for so long
 *	wait, wake	sleep until another task gets to its step with the same signal
 *
 * Each signal has one wait and one wake. A wait ended when its wake happened, and what a task did
 * before its wake was earlier still: the programs cannot wait for each other in a circle.
 *
 * Each CPU has an idle task. It pauses while the CPU has nothing to do, and wakes the tasks that
 * timers and devices woke up meanwhile. Then it waits until a task leaves its CPU idle again, so
 * that a timer is as late as the task that came before it.
 */
#ifndef PERF_ANALYZE_SCHED_REPLAY_H
#define PERF_ANALYZE_SCHED_REPLAY_H

#include "analyze/sched-events.h"

enum replay_kind { REPLAY_RUN, REPLAY_PAUSE, REPLAY_WAIT, REPLAY_WAKE, REPLAY_NR_KINDS };

struct replay_step {
	enum replay_kind kind;
	u32 signal; /* of a wait and of a wake */
	u64 ns;     /* of a run and of a pause */
};

struct replay_program {
	bool idle; /* it is the idle task of a CPU */
	u32 task;  /* its number in the table of tasks; of an idle task: the number of its CPU */
	struct replay_step *steps; /* owned */
	size_t nr, cap;
	/* The engine alone uses these: */
	bool seen;     /* it is known what the task did before */
	bool asleep;   /* the last step is a wait that has no wake so far */
	u64 asleep_at; /* ns */
};

struct replay_programs {
	struct replay_program *v; /* owned; in the order of appearance */
	u32 nr;
	size_t cap;
	u32 nr_signals;
	u64 first, last; /* times of the first and the last event in ns */
	u64 pointless;   /* wakeups of tasks that were not asleep; there are no steps for them */
};

struct sched_replay;

/** sched_replay_engine - return the engine, whose state is a struct sched_replay. */
const struct engine *sched_replay_engine(void);
/** sched_replay_new - prepare; sched_replay_free() frees the state. @tasks: borrowed */
struct sched_replay *sched_replay_new(struct task_table *tasks);
void sched_replay_free(struct sched_replay *r);
/** sched_replay_programs - return the programs, which belong to @r. */
const struct replay_programs *sched_replay_programs(const struct sched_replay *r);

#endif
