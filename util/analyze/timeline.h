/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The timeline of a recording: what tasks and CPUs did over time, from the events of the scheduler,
 * of power management and of interrupts. Pictures, pages and maps read it and nothing else.
 *
 * Each task has a lane; each CPU has one for each of its rows. Arrows are not kept on their own,
 * because the lanes tell them: a runnable task knows its waker (lane_waker()), and a task that runs
 * on another CPU than before has migrated.
 *
 * A switch takes at most three changes of the lanes of tasks and one of that of a CPU. Together
 * with the stops of the lanes these are less than 24 bytes. A timeline that has grown too large
 * goes on with less detail, and tells that.
 */
#ifndef PERF_ANALYZE_TIMELINE_H
#define PERF_ANALYZE_TIMELINE_H

#include "analyze/lane.h"
#include "analyze/sched-events.h"

enum timeline_row {
	TIMELINE_TASKS,     /* running or idle */
	TIMELINE_IDLE,      /* idle at a depth, as far as cpu_idle tells */
	TIMELINE_FREQUENCY, /* as far as cpu_frequency tells */
	TIMELINE_INTERRUPT,
	TIMELINE_SOFTIRQ,
	TIMELINE_ROWS
};

struct timeline_cpu {
	struct lane rows[TIMELINE_ROWS]; /* a lane without changes: nothing was recorded */
};

#define TIMELINE_NO_LANE UINT32_MAX

struct timeline_task {
	u32 id;     /* in the table of tasks */
	u32 parent; /* number of the lane of the task that has forked it, or TIMELINE_NO_LANE */
	struct lane lane;
};

enum timeline_event {
	TIMELINE_FORK,    /* @task is forked; @value: lane of the parent, or TIMELINE_NO_LANE */
	TIMELINE_EXIT,    /* @task exits */
	TIMELINE_MIGRATE, /* @task moves to another run queue; @value: that of this CPU */
	TIMELINE_EVENTS
};

/* Something that happened at one time. */
struct timeline_mark {
	u64 time; /* ns */
	enum timeline_event event;
	u32 cpu; /* on which it happened */
	u32 task, value;
};

/* The result. */
struct timeline_lanes {
	u64 start, end;            /* ns; what is to be shown, of the lanes */
	struct timeline_cpu *cpus; /* by number */
	u32 nr_cpus;
	struct timeline_task *tasks; /* in the order of appearance */
	u32 nr_tasks;
	struct timeline_mark *marks; /* in the order of time */
	u32 nr_marks;
	/* If the lanes had to be thinned out: of changes within @grain ns only the sums are kept,
	 * and so many were left out. */
	u64 grain, left_out;
	struct intern chains;       /* in which tasks left their CPUs; see sched_chain_ips() */
	struct sched_counts counts; /* of switches */
};

#define TIMELINE_BYTES ((u64)1 << 30)

struct sched_timeline_conf {
	struct task_table *tasks; /* borrowed */
	/* Tells which time is looked at, when the first event is fed; NULL: all of it. */
	void (*window)(void *ctx, u64 *start, u64 *end);
	void *ctx;
	bool chains; /* keep the call chains of switches */
	/* From so many bytes on lanes are thinned out, more and more; 0: TIMELINE_BYTES. */
	u64 most_bytes;
};

struct sched_timeline;

const struct engine *sched_timeline_engine(void);
/** sched_timeline_new - prepare; sched_timeline_free() frees it and its result. @conf: copied */
struct sched_timeline *sched_timeline_new(const struct sched_timeline_conf *conf);
void sched_timeline_free(struct sched_timeline *t);
/** sched_timeline_result - return the lanes, borrowed. After the engine's finish(). */
const struct timeline_lanes *sched_timeline_result(const struct sched_timeline *t);

/** timeline_bytes - return how much memory the lanes take. */
u64 timeline_bytes(const struct timeline_lanes *l);

#endif
