/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up events of the scheduler for tests of its engines, one at a time. */
#ifndef TESTS_SCHED_FEED_H
#define TESTS_SCHED_FEED_H

#include "analyze/sched-events.h"

#define SCHED_BY_IDLE UINT32_MAX
#define SCHED_STEP_LOST UINT32_MAX /* no event: some are missing before that time */

/* One event. Tasks are called "task<tid>". */
struct sched_step {
	u32 event; /* enum sched_event or enum timeline_input */
	u64 time;
	u32 cpu;
	u32 task;   /* of a switch: the one that leaves; of power: the CPU it is about */
	u64 value;  /* of a switch: the state that it leaves in; of a runtime: ns; of a migration:
		       from; of a fork: the parent; of a wakeup: flags; of power: the state; of an
		       interrupt: number; of a wait for I/O: ns */
	u32 next;   /* of a switch: the task that enters; of a migration: the CPU it goes to */
	bool other; /* a filter does not let it through */
	u32 by;     /* the task in which it happens, or SCHED_BY_IDLE; 0: the one it is about */
	u32 prio;   /* of a switch: of both tasks */
	u64 cgroup; /* of the task in which it happens */
};

/** sched_feed - pass the steps to the engine, up to one of time 0. */
void sched_feed(const struct engine *e, void *state, const struct sched_step *steps);

/** sched_feed_span - do that, with the steps from @start to @end inside the time that is looked at.
 */
void sched_feed_span(const struct engine *e, void *state, const struct sched_step *steps, u64 start,
		     u64 end);

/** sched_feed_tasks - return tasks whose ids are their tids. */
struct task_table *sched_feed_tasks(void);

#endif
