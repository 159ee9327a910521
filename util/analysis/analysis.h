/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Feed engines (analyze/engine.h) with the events of a recording, in the order of time and in one
 * pass for all of them: the fields of their events are bound, the filters of the recording are
 * applied, and losses are counted. Each event is decoded once, however many engines take it.
 *
 *	recording_open(&r, &options, ...);
 *	a = analysis_new(&r);
 *	state = sched_latency_new(analysis_tasks(a), ...);
 *	analysis_run(a, sched_latency_engine(), state, &err);
 *	...
 *	analysis_free(a);
 */
#ifndef PERF_ANALYSIS_ANALYSIS_H
#define PERF_ANALYSIS_ANALYSIS_H

#include "analyze/engine.h"
#include "analyze/task-table.h"
#include "recording/recording.h"

struct analysis;

/* A recording tells this of tasks, besides the events of an engine. */
struct task_life {
	u32 parent; /* pid of the parent; UINT32_MAX: unknown */
	bool ended; /* a record says that it has exited */
};

/** analysis_new - prepare; analysis_free() frees it. @r: opened and borrowed */
struct analysis *analysis_new(struct recording *r);
void analysis_free(struct analysis *a);
/** analysis_recording - return the recording. */
struct recording *analysis_recording(struct analysis *a);

/**
 * analysis_tasks - return the tasks of the recording, for engines. They are named as the recording
 * names them at the time in question.
 */
struct task_table *analysis_tasks(struct analysis *a);
/** analysis_life - return what is known of a task. @id: its number in the table */
struct task_life analysis_life(const struct analysis *a, u32 id);

/**
 * analysis_run - prepare the recording and feed the engine with it.
 * @state: of the engine
 * Return: 0, or a negative errno and a sentence; -ENOENT: the events of the engine are missing.
 */
int analysis_run(struct analysis *a, const struct engine *e, void *state, struct err *err);

/* This is one of several engines that are fed in one pass. */
struct analysis_part {
	const struct engine *engine;
	void *state;   /* of the engine; borrowed */
	bool optional; /* the others go on when the recording lacks its events */
	/*
	 * Makes the state anew, because all events come again from the first one on. Return: the
	 * state; NULL: what was written of the former one cannot be taken back. If all parts can do
	 * that, a file is read once where that works, which takes a third less; the engines then
	 * get their events before all tasks are known. They may ask the table of tasks for tasks up
	 * to the time of the event, and nobody may resolve addresses before the end. NULL: the file
	 * is read twice.
	 */
	void *(*renew)(void *ctx);
	void *ctx; /* of renew() */
	/* The pass sets it for an optional part that is left out: a sentence on what is missing.
	 * Its code is 0 when the engine was fed. */
	struct err missing;
};

/**
 * analysis_run_parts - prepare the recording and feed several engines with it, each event to all
 * that take it, in the order of the array. Each gets what it would get alone. A task that no record
 * names has the name that the first event told which any of the engines takes.
 * Return: 0, or a negative errno and a sentence; -ENOENT: the events of a part are missing that is
 * not optional, or those of all parts.
 */
int analysis_run_parts(struct analysis *a, struct analysis_part *parts, size_t nr, struct err *err);

/* These are missing from the recording. */
struct analysis_losses {
	u64 events; /* records of all kinds that are in the recording */
	u64 lost, chunks;
	u64 too_short; /* events that end before their fields */
	u64 no_cpu;    /* events without a CPU, or on one that cannot be */
};

/** analysis_losses - return the counts, after analysis_run(). */
struct analysis_losses analysis_losses(const struct analysis *a);

/** analysis_missing - return lines on the events that the engines have missed, after
 * analysis_run(); "": there are none. They live as long as @a. */
const char *analysis_missing(const struct analysis *a);

/**
 * analysis_window - return the time that --time chose: from *@start to *@end in ns, 0 and
 * UINT64_MAX where it is open. During and after analysis_run().
 */
void analysis_window(const struct analysis *a, u64 *start, u64 *end);
/**
 * analysis_task_order - return a number by which tasks can be ordered: that of a task that no
 * record tells of is larger than those of others, however often the file is read.
 * @id: the number of a task
 */
u32 analysis_task_order(const struct analysis *a, u32 id);
/** analysis_wants_task - tell whether --pid, --tid and --comm let a task through. */
bool analysis_wants_task(const struct analysis *a, const struct task_at *task);

#endif
