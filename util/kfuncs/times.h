/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The times that functions of the running kernel take, counted by BPF programs at their entry and
 * exit (fentry, fexit). Nothing is recorded: sums and counts by step are kept for each function.
 */
#ifndef PERF_KFUNCS_TIMES_H
#define PERF_KFUNCS_TIMES_H

#include "base/err.h"
#include "base/int-list.h"
#include "base/sysroot.h"

#define KFUNC_STEPS 24

struct kfunc_times_opts {
	const struct sysroot *sysroot; /* borrowed, as all are */
	const char *const *funcs;      /* names */
	size_t nr_funcs;
	const struct int_list *tids; /* these threads; empty: all */
	const struct int_list *cpus; /* only calls that begin on these; empty: on any */
	/* The first time in ns that does not belong to a step. Times after all are in the last. */
	const u64 *ends;
	u32 nr_steps; /* at most KFUNC_STEPS; of so many there is one end less */
};

/* All calls of one function. */
struct kfunc_sum {
	u64 nr, total, most, least; /* ns */
	u64 counts[KFUNC_STEPS];
};

struct kfunc_times {
	int ctl, open, sums, tasks, cpus; /* maps, or -1 */
	u32 nr_cpus;                      /* that are possible */
	int *fds;                         /* owned: programs, and what they run at */
	size_t nr_fds, cap_fds;
};

/**
 * kfunc_times_open - load and attach the programs. Nothing is counted until kfunc_times_enable().
 * Return: 0, or a negative errno and a sentence, and then there is nothing to close.
 */
int kfunc_times_open(struct kfunc_times *t, const struct kfunc_times_opts *o, struct err *err);
/** kfunc_times_enable - start or stop counting. */
void kfunc_times_enable(struct kfunc_times *t, bool on);
/** kfunc_times_read - add up what all CPUs have counted of function @i. */
void kfunc_times_read(const struct kfunc_times *t, u32 i, struct kfunc_sum *out);
/** kfunc_times_lost - return the number of calls that there was no room for. */
u64 kfunc_times_lost(const struct kfunc_times *t);
/** kfunc_times_close - detach the programs and free everything. */
void kfunc_times_close(struct kfunc_times *t);

#endif
