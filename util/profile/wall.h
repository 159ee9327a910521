/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wall-clock time of threads. perf record --wall has two events: "wall-clock" samples the time that
 * threads are on CPUs, and "wall-blocked" takes a sample, with its stack, each time that a thread
 * leaves its CPU. Records of context switches say when it came back. With both, a sample of the
 * second counts as one of the first, whose period is the time until then.
 */
#ifndef PERF_PROFILE_WALL_H
#define PERF_PROFILE_WALL_H

#include "base/hash.h"
#include "profile/waits.h"
#include "session/session.h"
#include "symbol/symbol.h"

/* A thread left its CPU, and came back. */
struct wall_gap {
	u64 out, in; /* @in: 0 as long as it has not come back */
	bool preempted;
};

struct wall_thread {
	struct wall_gap *gaps; /* owned; in the order of time */
	size_t nr, cap;
	bool ended; /* it ended while away */
};

struct wall {
	bool active;        /* the recording has both events */
	u32 clock, blocked; /* their numbers */
	bool has_sleeps;    /* it has the event of perf record --off-cpu, */
	u32 sleeps;         /* of this number */
	u64 min_block;      /* ns; shorter times count as none */
	struct map64 by_tid;
	struct wall_thread *threads; /* owned */
	size_t nr, cap;
	bool mapped; /* waits_map() was called */
};

/** wall_find - look for the events; @w is zeroed. */
void wall_find(struct wall *w, const struct evlist *l);
/** wall_note - take a record of a context switch or of an end; others are ignored. In the order of
 * time. */
void wall_note(struct wall *w, const struct session_event *ev);
/**
 * wall_away - tell how long a thread was away that left its CPU at @time.
 * @until: when the recording ends, for threads that are away then
 * Return: ns; 0: it is not known, too short or no wait; *@preempted: it was made to leave
 */
u64 wall_away(const struct wall *w, u32 tid, u64 time, u64 until, bool *preempted);
void wall_release(struct wall *w);

/* Stacks of waiting threads, of one worker. Starts zeroed. */
struct wall_chains {
	u64 *chain; /* owned */
	size_t cap;
	struct map64 kinds; /* by address of the kernel: enum wait_kind */
};

/**
 * wall_chain - make the stack of a thread that left its CPU, with what it waits for innermost.
 * @nr: receives the number of words
 * Return: the stack, which lives until the next call, and *@kind.
 */
const u64 *wall_chain(struct wall_chains *c, const struct machine *m, struct symbols *symbols,
		      const struct sample *s, bool preempted, u64 *nr, enum wait_kind *kind);
/** wall_chain_at - make the stack of @s with @kind innermost. Return: as wall_chain(). */
const u64 *wall_chain_at(struct wall_chains *c, const struct sample *s, enum wait_kind kind,
			 u64 *nr);
void wall_chains_release(struct wall_chains *c);

#endif
