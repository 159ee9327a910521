/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follow the programs of recorded tasks (analyze/sched-replay.h) again: each in a thread of its
 *own, as often as wanted. The threads are not bound to CPUs, because it is the scheduler's work to
 * choose one.
 *
 *	replay_measure(&costs);
 *	replayer_new(&r, programs, &costs, &err);
 *	replayer_round(r, &round);
 *	replayer_free(r);
 */
#ifndef PERF_SCHEDRUN_SCHEDRUN_H
#define PERF_SCHEDRUN_SCHEDRUN_H

#include "analyze/sched-replay.h"
#include "base/err.h"

/* ---- the costs of measuring ---- */

/* A run or a pause takes so much longer than asked for, in ns. */
struct replay_costs {
	u64 run, sleep;
};

/** replay_measure - find out the costs on this machine, within a millisecond or two. */
void replay_measure(struct replay_costs *c);
/** replay_run - compute for @ns of the thread's CPU time. */
void replay_run(const struct replay_costs *c, u64 ns);
/** replay_pause - sleep for @ns. */
void replay_pause(const struct replay_costs *c, u64 ns);

/* ---- rounds ---- */

/**
 * replay_is_small - tell whether a replay is short and has few threads.
 * @most_tasks: the largest number of threads
 * Return: 0, or -E2BIG and a sentence that says what is too much.
 */
int replay_is_small(const struct replay_programs *p, u64 most_tasks, struct err *err);

struct replayer;

/* All programs have been followed once. */
struct replay_round {
	u64 elapsed; /* ns until the last of them was at its end */
	u64 cpu;     /* CPU time of all threads of the process in ns */
};

/**
 * replayer_new - start the threads. replayer_free() ends them.
 * @p, @costs: borrowed
 * Return: 0, or a negative errno and a sentence.
 */
int replayer_new(struct replayer **out, const struct replay_programs *p,
		 const struct replay_costs *costs, struct err *err);
/** replayer_round - follow all programs once, and return when all are at their ends. */
void replayer_round(struct replayer *r, struct replay_round *out);
/** replayer_free - end the threads; @r may be NULL. */
void replayer_free(struct replayer *r);

#endif
