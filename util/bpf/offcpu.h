/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time that threads spend off the CPUs: a BPF program at sched_switch notes when a thread goes to
 * sleep and where (its user stack), and when it runs again. Long sleeps are told at once, the
 * others are summed up by thread, stack, state and cgroup until the end. No event, no signal and no
 * counter of the sleeping thread is involved.
 */
#ifndef PERF_BPF_OFFCPU_H
#define PERF_BPF_OFFCPU_H

#include "kernel/ring.h"
#include "kernel/target.h"

#define OFFCPU_STACK_MAX 127

struct offcpu_opts {
	const struct sysroot *sysroot;  /* borrowed, as all below */
	const struct int_list *tids;    /* only these threads; empty: all */
	const struct int_list *cpus;    /* only what goes to sleep on these; NULL: all */
	const struct int_list *cgroups; /* descriptors: only what is in one of these; NULL: all */
	const struct int_list *online;  /* all CPUs that are online */
	bool inherit;                   /* and what the threads of @tids start from now on */
	u64 ns_dev, ns_ino; /* numbers of threads are those of this pid namespace; 0: all */
	u32 not_pid;        /* leave out this process; 0: none */
	u64 thresh_ns;      /* sleeps as long as this are told at once */
	bool clockid_set;   /* times are by clock @clockid, else by perf's own */
	s32 clockid;
};

struct offcpu_sample {
	u64 time;   /* when the sleep ended; of a sum: when it was taken */
	u64 period; /* ns */
	u64 cgroup;
	u32 pid, tid, cpu; /* cpu: ~0 for a sum */
	u32 state;         /* 1 interruptible, 2 not */
	u64 ips[OFFCPU_STACK_MAX];
	size_t nr_ips; /* user stack, innermost first */
};

typedef void (*offcpu_fn)(void *ctx, const struct offcpu_sample *s);

struct offcpu {
	int ctl, sleeping, total, tasks, cpus, cgroups, stacks[2], events; /* maps, -1 */
	int progs[2], links[2];                                            /* -1 */
	struct evlist evlist;   /* of our own: bpf-output */
	struct kevents kevents; /* one per CPU; poll them for reading */
	struct rings rings;
	s64 clock_shift; /* time of the events - CLOCK_MONOTONIC, in ns; once known */
	bool clock_known;
	u64 stopped; /* CLOCK_MONOTONIC when it was disabled */
	u64 lost;    /* sleeps told to rings that were full */
};

/* What did not fit. */
struct offcpu_lost {
	u64 stacks; /* sleeps whose stack found no room */
	u64 sleeps; /* sleeps that found no room */
};

/** offcpu_open - load and attach; nothing is counted until offcpu_enable(). Return: 0, or negative
 * errno and a sentence; then there is nothing to close. */
int offcpu_open(struct offcpu *o, const struct offcpu_opts *opts, struct err *err);
/** offcpu_enable - count from now on, or no longer. */
void offcpu_enable(struct offcpu *o, bool on);
/** offcpu_read - the sleeps that were told since. */
void offcpu_read(struct offcpu *o, offcpu_fn fn, void *ctx);
/** offcpu_finish - stop; then the sums, and what still sleeps. */
void offcpu_finish(struct offcpu *o, offcpu_fn fn, void *ctx, struct offcpu_lost *lost);
/** offcpu_close - detach and free. */
void offcpu_close(struct offcpu *o);

#endif
