/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads and processes that benchmarks measure. Those of a team are pinned to CPUs in turn and
 * begin all at once; then they work until their work is done, or a time is over.
 */
#ifndef PERF_BENCH_TEAM_H
#define PERF_BENCH_TEAM_H

#include "base/err.h"
#include "base/int-list.h"

#include <pthread.h>
#include <signal.h>

struct bench_team;

struct bench_worker {
	struct bench_team *team;
	unsigned int idx;
	int cpu;      /* where it is pinned to; -1: nowhere */
	u64 ops;      /* what it did; the worker counts */
	u64 began_ns; /* set by the worker, when it needs it */
	void *data;   /* of the benchmark */
	pthread_t thread;
};

struct bench_team {
	struct bench_worker *workers; /* owned */
	unsigned int nr;
	void *ctx; /* of the benchmark */
	bool done; /* the time is over; read it with bench_team_done() */
	/* private */
	void (*work)(struct bench_worker *w);
	u32 ready;     /* workers that are there; a futex */
	u32 go;        /* they may begin; a futex, on which none holds up another */
	sigset_t mask; /* the signals that were blocked before */
	u64 began_ns;
};

/** bench_cpus - return the CPUs that this process may run on; the caller releases them. */
struct int_list bench_cpus(void);

/**
 * bench_team_start - create the threads, which wait for bench_team_go() before they call @work.
 * Signals that end perf are blocked until bench_team_join(), so that no thread takes them.
 * @pin: to one CPU after the other of those this process may use
 * @ctx: borrowed until bench_team_join()
 * Return: 0, or a negative errno and a sentence, and then there is no team.
 */
int bench_team_start(struct bench_team *t, unsigned int nr, bool pin,
		     void (*work)(struct bench_worker *w), void *ctx, struct err *err);
/** bench_team_go - let all workers begin, once all of them are there. */
void bench_team_go(struct bench_team *t);
/**
 * bench_team_run - let them work for @secs seconds, or until SIGINT or SIGTERM comes, and set done.
 * Return: how long that was, in ns.
 */
u64 bench_team_run(struct bench_team *t, unsigned int secs);
/** bench_team_done - tell whether the time is over. */
static inline bool bench_team_done(const struct bench_team *t)
{
	return __atomic_load_n(&t->done, __ATOMIC_RELAXED);
}
/** bench_team_stop - set done, without waiting. */
void bench_team_stop(struct bench_team *t);
/** bench_team_join - wait until all workers have returned. Their figures stay until
 * bench_team_release(). */
void bench_team_join(struct bench_team *t);
/** bench_team_release - free the workers. */
void bench_team_release(struct bench_team *t);

/**
 * bench_fork - run @work in a process of its own, which ends with what it returns, and which the
 * kernel ends when this one ends.
 * Return: its process id, or a negative errno and a sentence.
 */
pid_t bench_fork(int (*work)(void *ctx), void *ctx, struct err *err);
/** bench_reap - wait for a process. Return: what its work returned, or -EINTR when a signal ended
 * it. */
int bench_reap(pid_t pid);
/** bench_kill - end a process and wait for it. */
void bench_kill(pid_t pid);

#endif
