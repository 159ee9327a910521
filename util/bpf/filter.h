/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sample filters (events/filter.h) in the kernel: a program per event, called for each sample
 * before it is written; what it does not keep is counted.
 */
#ifndef PERF_BPF_FILTER_H
#define PERF_BPF_FILTER_H

#include "base/sysroot.h"
#include "events/filter.h"
#include "kernel/open.h"

/* One per event that has a filter. */
struct bpf_filter {
	u32 evsel;
	int prog, counts; /* descriptors: the program, the map with its counter */
	int ids; /* of the pinned program: the map that says whose filter is where; else -1 */
	u64 key; /* of the pinned program: of the filter in counts; else 0 */
	u64 *of; /* owned; of the pinned program: what we have put into ids */
	size_t nr_of, cap_of;
};

struct bpf_filters {
	struct bpf_filter *v; /* owned */
	size_t nr, cap;
};

/**
 * bpf_filters_attach - make a program for each event of @l with a sample_filter, and attach it to
 * all of its descriptors. Without the right to load programs: those that were pinned for everybody.
 * Return: 0, or negative errno and a sentence.
 */
int bpf_filters_attach(struct bpf_filters *fs, const struct kevents *k, const struct evlist *l,
		       const struct sysroot *sr, struct err *err);
/** bpf_filters_attach_cpu - attach those programs to descriptors of one CPU that are new. Return:
 * 0, or negative errno and a sentence. */
int bpf_filters_attach_cpu(const struct bpf_filters *fs, const struct kevents *k, int cpu,
			   struct err *err);
/** bpf_filters_dropped - samples of event @evsel that were dropped so far. */
u64 bpf_filters_dropped(const struct bpf_filters *fs, u32 evsel);
/** bpf_filters_release - close all. */
void bpf_filters_release(struct bpf_filters *fs);

/** bpf_filter_cgroup - the id of a cgroup. @path: as mounted, or below the mount of cgroup2. */
int bpf_filter_cgroup(const struct sysroot *sr, const char *path, u64 *id, struct err *err);

/**
 * bpf_filter_pin - have all users use filters: a program that finds the filter of its event in a
 * map
 * is loaded, and put with its maps below /sys/fs/bpf, where everybody may open them.
 * Return: 0, or negative errno and a sentence.
 */
int bpf_filter_pin(const struct sysroot *sr, struct err *err);
/** bpf_filter_unpin - no longer. */
int bpf_filter_unpin(const struct sysroot *sr, struct err *err);
/** bpf_filter_pinned - can this user use them? @nr: filters in use. Return: 0, or negative errno
 * and a sentence. */
int bpf_filter_pinned(const struct sysroot *sr, size_t *nr, struct err *err);

#endif
