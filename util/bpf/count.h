/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting by BPF. Each event is opened once on each CPU, for everything that runs there. Two kinds
 * of programs read it and add up the increases:
 *
 *   - at each context switch, the increase belongs to the task that leaves the CPU, if that task is
 *     counted or is in a counted control group. Other perf processes that count the same event
 * share the open event, so that the kernel need not multiplex. They find it by a map in the BPF
 * file system.
 *   - before and after a BPF program that is counted.
 */
#ifndef PERF_BPF_COUNT_H
#define PERF_BPF_COUNT_H

#include "base/int-list.h"
#include "kernel/count.h"

#define BPF_COUNTS_MAP "/sys/fs/bpf/perf_stat_attr_map"

struct bpf_counts_opts {
	const struct sysroot *sysroot; /* borrowed, like all members below */
	const struct int_list *cpus;   /* the CPUs that are online */
	const struct int_list *tids;   /* empty: everything that runs */
	const struct int_list *progs;  /* ids of BPF programs to count, whoever runs them */
	bool inherit;                  /* count the threads that @tids create as well */
	const char *attr_map;          /* path of the map for sharing; NULL: do not share */
};

struct bpf_counts {
	u32 nr_events, nr_arrays, nr_cgroups, nr_values;
	u32 *array_of, *cgroup_of; /* owned; for each event; UINT32_MAX: none */
	bool *unsupported;         /* owned; for each event, whether no PMU counts it */
	int *arrays;               /* owned; a map of open events for each */
	struct int_list fds;       /* other descriptors that have to be closed */
	int ctl, last, sum, tasks, cgroups, on_switch; /* among fds; -1: none */
	u32 nr_shared;                                 /* arrays that another process has opened */
	const struct int_list *cpus;                   /* as in the options */
	/* owned; for each event and possible CPU, from bpf_counts_read() */
	struct kcount *values;
};

/**
 * bpf_counts_open - prepare to count the events of @l; of each event attr and cgroup are used.
 * Return: 0, or a negative errno and a sentence.
 */
int bpf_counts_open(struct bpf_counts *b, const struct evlist *l, const struct bpf_counts_opts *o,
		    struct err *err);
/** bpf_counts_enable - start or stop adding up. */
void bpf_counts_enable(struct bpf_counts *b, bool on);
/** bpf_counts_read - call @fn with the count of each event on each CPU; tid is -1. */
void bpf_counts_read(struct bpf_counts *b, kcount_fn *fn, void *ctx);
/**
 * bpf_counts_lost - return the number of threads that were not counted because there were too many.
 */
u64 bpf_counts_lost(const struct bpf_counts *b);
/** bpf_counts_close - close and free everything, also after a failed bpf_counts_open(). */
void bpf_counts_close(struct bpf_counts *b);

#endif
