/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why tasks waited for a CPU: the longest delays, who had the CPU meanwhile, who had woken the task
 * up, and what that one had waited for before, through a chain of such tasks. Memory grows with the
 * number of tasks, of CPUs, and of different call chains.
 */
#ifndef PERF_ANALYZE_SCHED_WHY_H
#define PERF_ANALYZE_SCHED_WHY_H

#include "analyze/sched-events.h"

#define WHY_DEPTH 8   /* the most tasks of a chain */
#define WHY_HOLDERS 8 /* the most tasks that are named as having had the CPU */

/* A time that a task slept; all zero: none is known. */
struct why_sleep {
	u64 from, until; /* ns */
	u64 io;          /* ns of it that it waited for I/O, as far as the kernel tells */
	u32 chain;       /* number of the call chain in which it left its CPU; 0: none */
	char state;
};

/* It is a task that woke up the task before it in the chain. */
struct why_waker {
	u32 pid, tid; /* tid 0: the idle task of the CPU */
	u32 cpu;
	u32 chain;              /* number of the call chain of the wakeup; 0: none */
	u64 time;               /* of the wakeup, in ns */
	bool interrupt;         /* an interrupt did it, whichever task ran; the chain ends here */
	struct why_sleep sleep; /* the last one of the waker */
};

struct why_holder {
	u32 task; /* number in the table of tasks */
	u32 runs;
	u64 ns; /* of the delay */
};

/* A delay. Times are in ns. */
struct why_delay {
	u32 pid, tid, cpu;
	u64 ready, ran; /* since when it was runnable, and when it ran */
	bool preempted; /* it had not slept; otherwise it was woken up */
	bool gap;       /* events were lost meanwhile */
	u32 from_cpu;   /* where it waited before @moved */
	u64 moved;      /* when it was moved to @cpu; 0: it was not */
	struct why_sleep sleep;
	struct why_waker wakers[WHY_DEPTH]; /* the first one woke up the task itself */
	u32 nr_wakers;
	struct why_holder holders[WHY_HOLDERS];
	u32 nr_holders;
	u64 others;  /* for how long further tasks had the CPU */
	u64 unknown; /* for how long it is not known who had it: so many runs are not remembered */
};

struct sched_why_conf {
	struct task_table *tasks; /* borrowed */
	u32 most;                 /* so many delays are kept, at least one */
	u32 depth;                /* of chains, at most WHY_DEPTH */
	/* Tells whether the delays of a task are wanted; it is asked once
	 * for each name of a task. */
	bool (*wants)(void *ctx, const struct task_at *task);
	/* It is told of each delay that is wanted, however short; may be NULL. */
	void (*delay)(void *ctx, const struct task_at *task, u64 ready, u64 ran);
	void *ctx;
};

struct sched_why;

const struct engine *sched_why_engine(void);
/** sched_why_new - prepare; sched_why_free() frees it. @conf: copied */
struct sched_why *sched_why_new(const struct sched_why_conf *conf);
void sched_why_free(struct sched_why *w);

/** sched_why_delays - return the longest delays, the longest first; borrowed. @nr: their number */
const struct why_delay *sched_why_delays(const struct sched_why *w, size_t *nr);
/** sched_why_chain - return the addresses of a call chain with context markers, innermost first;
 * borrowed. @nr: their number */
const u64_una *sched_why_chain(const struct sched_why *w, u32 chain, u64 *nr);

#endif
