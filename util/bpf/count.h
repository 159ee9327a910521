/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting by BPF. Each event is open once on each CPU, for all that runs there. Two kinds of
 * programs read it, and add up what has come in between:
 *
 * - at each switch of tasks: it is of the task that leaves the CPU, when that is one that is looked
 *   at, or in a control group. Others who count the same read the same open event, so that they
 *   need not share a counter by turns: a map in the bpf file system says which these are.
 * - before and behind a BPF program that is looked at.
 */
#ifndef PERF_BPF_COUNT_H
#define PERF_BPF_COUNT_H

#include "base/int-list.h"
#include "kernel/count.h"

#define BPF_COUNTS_MAP "/sys/fs/bpf/perf_stat_attr_map"

struct bpf_counts_opts {
	const struct sysroot *sysroot; /* borrowed, as all that follows */
	const struct int_list *cpus;   /* those that are online */
	const struct int_list *tids;   /* empty: all that runs */
	const struct int_list *progs;  /* ids of BPF programs: what they do, whoever runs them */
	bool inherit;                  /* threads that tids make are looked at as well */
	const char *attr_map;          /* where others who count are found; NULL: not at all */
};

struct bpf_counts {
	u32 nr_events, nr_arrays, nr_cgroups, nr_values;
	u32 *array_of, *cgroup_of;                     /* owned; of each event; UINT32_MAX: none */
	bool *unsupported;                             /* owned; of each event: no PMU counts it */
	int *arrays;                                   /* owned; maps of open events, one each */
	struct int_list fds;                           /* whatever else is to be closed */
	int ctl, last, sum, tasks, cgroups, on_switch; /* of fds; -1: none */
	u32 nr_shared;                                 /* arrays that another one has opened */
	const struct int_list *cpus;                   /* as in the options */
	/* owned; of each event on each possible CPU, from bpf_counts_read() */
	struct kcount *values;
};

/**
 * bpf_counts_open - ready to count the events of @l, of which attr and cgroup are looked at.
 * Return: 0, or negative errno and a sentence.
 */
int bpf_counts_open(struct bpf_counts *b, const struct evlist *l, const struct bpf_counts_opts *o,
		    struct err *err);
/** bpf_counts_enable - from here on what comes is added up, or is not. */
void bpf_counts_enable(struct bpf_counts *b, bool on);
/** bpf_counts_read - tell @fn of the count of each event on each of the CPUs; tid is -1. */
void bpf_counts_read(struct bpf_counts *b, kcount_fn *fn, void *ctx);
/** bpf_counts_lost - threads that were not counted, being too many. */
u64 bpf_counts_lost(const struct bpf_counts *b);
/** bpf_counts_close - close all, free the contents; also when opening has failed. */
void bpf_counts_close(struct bpf_counts *b);

#endif
