/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf_event_open for a whole event list: one descriptor per event, CPU and thread, with the
 * steps down that older kernels, missing PMUs and missing rights call for.
 */
#ifndef PERF_KERNEL_OPEN_H
#define PERF_KERNEL_OPEN_H

#include "base/err.h"
#include "base/sysroot.h"
#include "events/evlist.h"
#include "kernel/target.h"

/* A descriptor and where it counts. */
struct kfd {
	int fd;
	u32 evsel; /* idx in the evlist */
	int cpu;   /* -1: any */
	int tid;   /* -1: all threads */
	u64 id;
};

/* What had to be given up, for -v: bits of open_ctx.missing. */
enum open_missing {
	MISSING_READ_LOST = 1 << 0,
	MISSING_WEIGHT_STRUCT = 1 << 1,
	MISSING_CGROUP = 1 << 2,
	MISSING_BPF_EVENT = 1 << 3,
	MISSING_KSYMBOL = 1 << 4,
	MISSING_CLOCKID = 1 << 5,
	MISSING_NAMESPACES = 1 << 6,
	MISSING_PAGE_SIZE = 1 << 7,
	MISSING_MMAP2 = 1 << 8,
	MISSING_COMM_EXEC = 1 << 9,
	MISSING_EXCLUDE_GUEST = 1 << 10,
	MISSING_CLOEXEC = 1 << 11,
	MISSING_LAST = 1 << 12
};

struct open_opts {
	const struct sysroot *sysroot; /* borrowed */
	const struct int_list *cpus;   /* borrowed; empty: {-1} */
	const struct int_list *tids;   /* borrowed; empty: {-1} */
	bool ignore_gone_threads;      /* a thread that ended meanwhile is left out (-p) */
	void (*note)(void *ctx, const char *text); /* tells of each step down; may be NULL */
	void *note_ctx;
};

struct kevents {
	struct kfd *fds; /* owned; in the order evsel, CPU, thread */
	size_t nr, cap;
	u32 missing;
};

/**
 * kevents_open - open every event of @l on every CPU and thread.
 * On the way down attrs, names and layouts in @l are changed to what was really opened; ids are
 * added to the events. Return: 0, or negative errno and a text to be printed after "Error:"
 * (several lines, as it says what to change).
 */
int kevents_open(struct kevents *k, struct evlist *l, const struct open_opts *o, struct err *err);
/** kevents_enable - PERF_EVENT_IOC_ENABLE (@on) or _DISABLE on all. */
void kevents_enable(struct kevents *k, bool on);
/** kevents_filter - set each event's filter. Return: 0, or the first refusal and a sentence. */
int kevents_filter(struct kevents *k, const struct evlist *l, struct err *err);
/** kevents_lost - samples the kernel says it dropped for a descriptor; 0 when it cannot tell. */
u64 kevents_lost(const struct kfd *k, const struct perf_event_attr *attr);
/** kevents_release - close all. */
void kevents_release(struct kevents *k);

/** raise_fd_limit - RLIMIT_NOFILE to its hard limit. */
void raise_fd_limit(void);

#endif
