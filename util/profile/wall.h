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
	u64 end;            /* when the last switch or end of a thread was */
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
/* An absence of a thread from its CPU. */
struct wall_absence {
	u64 ns;          /* 0: it is not known, too short or no wait */
	bool preempted;  /* it was made to leave */
	bool unfinished; /* it had not come back when the recording ended */
};

/**
 * wall_away - tell how a thread was away that left its CPU at @time.
 * @until: when the recording ends, for threads that are away then
 */
struct wall_absence wall_away(const struct wall *w, u32 tid, u64 time, u64 until);
void wall_release(struct wall *w);

/* Stacks of waiting threads, of one worker. Starts zeroed. */
struct wall_chains {
	u64 *chain; /* owned */
	size_t cap;
	struct map64 kinds; /* by address of the kernel: enum wait_kind */
};

/** wall_kind - tell what a thread waits for that left its CPU with the stack of @s. */
enum wait_kind wall_kind(struct wall_chains *c, const struct machine *m, struct symbols *symbols,
			 const struct sample *s, bool preempted);
/**
 * wall_chain - make the stack of @s with a wait as its innermost frame.
 * @unfinished: the wait has a frame inside of it that says so
 * @kind: WAIT_NONE: only that frame is added
 * @nr: receives the number of words
 * Return: the stack, which lives until the next call; its second word is the innermost frame.
 */
const u64 *wall_chain(struct wall_chains *c, const struct sample *s, enum wait_kind kind,
		      bool unfinished, u64 *nr);
void wall_chains_release(struct wall_chains *c);

#endif
