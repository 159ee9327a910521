/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sample filters (events/filter.h) in the kernel: a program for each event, which runs for each
 * sample before it is written. Samples that it drops are counted.
 */
#ifndef PERF_BPF_FILTER_H
#define PERF_BPF_FILTER_H

#include "base/sysroot.h"
#include "events/filter.h"
#include "kernel/open.h"

/* The filter of one event. */
struct bpf_filter {
	u32 evsel;
	int prog, counts; /* descriptors: the program, the map with its counter */
	int ids; /* with a pinned program, the map from ids of events to filters; else -1 */
	u64 key; /* with a pinned program, the key of the filter in counts; else 0 */
	u64 *of; /* owned; with a pinned program, the ids that we have added to ids */
	size_t nr_of, cap_of;
};

struct bpf_filters {
	struct bpf_filter *v; /* owned */
	size_t nr, cap;
};

/**
 * bpf_filters_attach - make a program for each event of @l that has a sample_filter and attach it
 * to all of its descriptors. Without the right to load programs, use those that were pinned for all
 * users.
 * Return: 0, or a negative errno and a sentence.
 */
int bpf_filters_attach(struct bpf_filters *fs, const struct kevents *k, const struct evlist *l,
		       const struct sysroot *sr, struct err *err);
/**
 * bpf_filters_attach_cpu - attach these programs to new descriptors of one CPU. Return: 0, or a
 * negative errno and a sentence.
 */
int bpf_filters_attach_cpu(const struct bpf_filters *fs, const struct kevents *k, int cpu,
			   struct err *err);
/** bpf_filters_dropped - return the number of samples of event @evsel that were dropped so far. */
u64 bpf_filters_dropped(const struct bpf_filters *fs, u32 evsel);
/** bpf_filters_release - close everything. */
void bpf_filters_release(struct bpf_filters *fs);

/**
 * bpf_filter_cgroup - look up the id of a cgroup. @path: the full path, or one below the mount
 * point of cgroup2. Return: 0, or a negative errno and a sentence.
 */
int bpf_filter_cgroup(const struct sysroot *sr, const char *path, u64 *id, struct err *err);

/**
 * bpf_filter_pin - let all users use filters: load a program that finds the filter of its event in
 * a map, and pin it with its maps below /sys/fs/bpf, where everybody may open them.
 * Return: 0, or a negative errno and a sentence.
 */
int bpf_filter_pin(const struct sysroot *sr, struct err *err);
/**
 * bpf_filter_unpin - remove the pinned program and its maps. Return: 0, or a negative errno and a
 * sentence.
 */
int bpf_filter_unpin(const struct sysroot *sr, struct err *err);
/**
 * bpf_filter_pinned - check whether this user can use pinned filters. @nr: receives the number of
 * filters in use. Return: 0, or a negative errno and a sentence.
 */
int bpf_filter_pinned(const struct sysroot *sr, size_t *nr, struct err *err);

#endif
