/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that are counted in the kernel: a BPF program at the begin of each call notes the
 * time, another one at its return adds it to the sums of the call. Nothing is written per call, so
 * nothing can be lost while the maps have room.
 */
#ifndef PERF_BPF_CALL_SUMS_H
#define PERF_BPF_CALL_SUMS_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/sysroot.h"
#include "bpf/sys.h"
#include "bpf/tasks.h"

#define CALL_SUMS_PROGS 5
#define CALL_SUMS_STEPS 496         /* of times, as step_of() has them */
#define CALL_SUMS_ERRNOS 280        /* counters of errors, see call_sums_error() */
#define CALL_SUMS_NARROW 0x20000000 /* is added to the numbers of calls of 32-bit programs */

struct sums_value; /* see call-sums-internal.h */

/* This decides what has sums of its own. */
enum call_sums_by { CALL_SUMS_BY_THREAD, CALL_SUMS_BY_CGROUP, CALL_SUMS_TOTAL };

struct call_sums_opts {
	const struct sysroot *sysroot; /* borrowed, like all pointers below */
	enum call_sums_by by;
	const bool *wanted; /* by number of a call; NULL: all are */
	u32 nr_wanted;
	const bool *wanted_narrow; /* the same for calls of 32-bit programs */
	u32 nr_wanted_narrow;
	const struct int_list *cpus; /* calls are counted on these CPUs only; NULL or empty: all */
	bool errnos;                 /* errors are counted by their numbers as well */
	bool steps;                  /* so are times by their steps, */
	s64 steps_of[2]; /* of the calls of two numbers; -1: there is none; both: of all calls */
	bool intervals;  /* call_sums_take() will be called */
	bool selected;   /* only threads of call_sums_select() are counted, */
	bool inherit;    /* and those that they create from then on */
	bool on_exec;    /* counting begins when one of them calls exec */
	const struct int_list *not_pids; /* processes that are left out */
	const char *cgroup; /* only threads in this control group, as cgroup_open(); NULL: all */
};

/* The calls of one number. Times are in ns. */
struct call_sum {
	u64 group;    /* a thread, a control group, or 0 */
	u32 pid;      /* of the thread */
	s64 nr;       /* the number of the call, perhaps with CALL_SUMS_NARROW */
	u64 returned; /* calls that have returned */
	u64 timed;    /* those of them whose begin was seen, too */
	u64 open;     /* calls that have begun and go on */
	u64 errors;
	u64 total, min, max;
	unsigned __int128 squares; /* the sum of the squares of the times */
	const u32 *errnos;         /* CALL_SUMS_ERRNOS counters, and */
	u32 *steps;                /* CALL_SUMS_STEPS, borrowed for the call; NULL: all are 0 */
};

struct call_sums {
	enum call_sums_by by;
	struct bpf_ns ns;          /* threads have the numbers of this namespace */
	bool selected;             /* only some threads are counted */
	u32 nr_values;             /* that a key has: one for each CPU that there may be, or one */
	struct sums_value *values; /* owned; of one key */
	u32 *counters[2];          /* owned; errors and steps of one key */
	u64 epoch;                 /* is part of the keys of calls that are counted now */
	/* Descriptors, or -1. */
	int ctl, lost, now, threads, sums, wanted, cgroup, cpus, zeros, errnos, steps;
	struct bpf_at_tracepoint progs[CALL_SUMS_PROGS];
	u32 nr_progs;
};

typedef void (*call_sums_fn)(void *ctx, const struct call_sum *sum);

/**
 * call_sums_open - load the programs and run them; they count nothing before call_sums_enable() or
 * exec. Return: 0, or a negative errno and a sentence, and then there is nothing to close.
 */
int call_sums_open(struct call_sums *s, const struct call_sums_opts *opts, struct err *err);
/** call_sums_select - have some threads counted. Return: 0, or a negative errno and a sentence. */
int call_sums_select(struct call_sums *s, const struct int_list *tids, struct err *err);
/** call_sums_enable - begin or stop to count. */
void call_sums_enable(struct call_sums *s, bool on);
/** call_sums_ended - hand over what a thread that has ended has called, and make room. */
void call_sums_ended(struct call_sums *s, u32 tid, call_sums_fn fn, void *ctx);
/** call_sums_take - hand over what was counted since the last time, but for calls that go on. Only
 * with call_sums_opts.intervals. */
void call_sums_take(struct call_sums *s, call_sums_fn fn, void *ctx);
/** call_sums_error - return the error that counter @i of call_sum.errnos counts; 0: several. */
u32 call_sums_error(u32 i);
/** call_sums_rest - hand over all that is still there. The same group and number may come twice. */
void call_sums_rest(struct call_sums *s, call_sums_fn fn, void *ctx);
/** call_sums_lost - return how many calls were not counted because a map was full. */
u64 call_sums_lost(const struct call_sums *s);
/** call_sums_close - remove the programs. */
void call_sums_close(struct call_sums *s);

#endif
