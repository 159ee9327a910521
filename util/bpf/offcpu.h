/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time that threads spend off the CPUs. A BPF program at sched_switch notes when and where (its
 * user stack) a thread goes to sleep and when it runs again. Long sleeps are reported at once; the
 * others are summed up by thread, stack, state and cgroup until the end. No event, signal or
 * counter of the sleeping thread is involved.
 */
#ifndef PERF_BPF_OFFCPU_H
#define PERF_BPF_OFFCPU_H

#include "bpf/sys.h"
#include "bpf/tasks.h"
#include "kernel/ring.h"
#include "kernel/target.h"

#define OFFCPU_STACK_MAX 127

struct offcpu_opts {
	const struct sysroot *sysroot;  /* borrowed, like all pointers below */
	const struct int_list *tids;    /* only these threads; empty: all */
	const struct int_list *cpus;    /* only threads that go to sleep on these; NULL: all */
	const struct int_list *cgroups; /* descriptors: only tasks in one of these; NULL: all */
	const struct int_list *online;  /* all CPUs that are online */
	bool inherit;                   /* include threads that those of @tids create from now on */
	struct bpf_ns ns;               /* thread ids are those of this namespace */
	u32 not_pid;                    /* leave out this process; 0: none */
	u64 thresh_ns;                  /* sleeps of at least this length are reported at once */
	bool clockid_set; /* time stamps are from clock @clockid, otherwise from perf's own */
	s32 clockid;
};

struct offcpu_sample {
	u64 time;   /* when the sleep ended; for a sum, when it was read */
	u64 period; /* ns */
	u64 cgroup;
	u32 pid, tid, cpu; /* cpu: ~0 for a sum */
	u32 state;         /* 1: interruptible; 2: uninterruptible */
	u64 ips[OFFCPU_STACK_MAX];
	bool unfinished; /* it still slept when it was read: @time is that time */
	size_t nr_ips;   /* user stack, innermost first */
};

typedef void (*offcpu_fn)(void *ctx, const struct offcpu_sample *s);

struct offcpu {
	int ctl, sleeping, total, tasks, cpus, cgroups, stacks[2], events; /* maps, or -1 */
	struct bpf_at_tracepoint progs[2];
	struct evlist evlist;   /* our own bpf-output event */
	struct kevents kevents; /* one for each CPU; poll them for input */
	struct rings rings;
	s64 clock_shift; /* time of the events minus CLOCK_MONOTONIC in ns, once known */
	bool clock_known;
	u64 stopped; /* the CLOCK_MONOTONIC time at which it was disabled */
	u64 lost;    /* sleeps lost because rings were full */
};

/* Counts of what did not fit. */
struct offcpu_lost {
	u64 stacks; /* sleeps whose stack could not be stored */
	u64 sleeps; /* sleeps that could not be stored */
};

/**
 * offcpu_open - load and attach the programs. Nothing is counted until offcpu_enable(). Return: 0,
 * or a negative errno and a sentence, and then there is nothing to close.
 */
int offcpu_open(struct offcpu *o, const struct offcpu_opts *opts, struct err *err);
/** offcpu_enable - start or stop counting. */
void offcpu_enable(struct offcpu *o, bool on);
/** offcpu_read - call @fn for the sleeps that were reported since the last call. */
void offcpu_read(struct offcpu *o, offcpu_fn fn, void *ctx);
/** offcpu_finish - stop, and call @fn for the sums and for threads that still sleep. */
void offcpu_finish(struct offcpu *o, offcpu_fn fn, void *ctx, struct offcpu_lost *lost);
/** offcpu_close - detach the programs and free everything. */
void offcpu_close(struct offcpu *o);

#endif
