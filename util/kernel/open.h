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
	bool backward;   /* its ring is overwritten */
	bool on;         /* kfd_enable() has it count, of itself or by its group */
	u64 lost_before; /* samples lost before kevents_reopen() */
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
	MISSING_BRANCH_HW_INDEX = 1 << 12,
	MISSING_BRANCH_NO_FLAGS = 1 << 13, /* and no cycles */
	MISSING_BUILD_ID = 1 << 14,
	MISSING_LAST = 1 << 15
};

/* One call of perf_event_open, for -vv. */
struct open_try {
	const struct evsel *evsel;
	const struct perf_event_attr *attr; /* as given to the kernel */
	int tid, cpu, group;
	unsigned long flags;
	int fd; /* or negative errno */
};

struct open_opts {
	const struct sysroot *sysroot; /* borrowed */
	const struct int_list *cpus;   /* borrowed; empty: {-1} */
	const struct int_list *tids;   /* borrowed; empty: {-1} */
	bool ignore_gone_threads;      /* a thread that ended meanwhile is left out (-p) */
	bool counting;                 /* what no PMU counts is told apart, not refused (stat) */
	const u32 *order;              /* borrowed; group leaders, all of them: the kernel lets
					  events take turns in the order in which they are opened.
					  NULL: as they come; so it has to be the first time */
	size_t nr_order;
	void (*note)(void *ctx, const char *text); /* tells of each step down; may be NULL */
	void (*tried)(void *ctx, const struct open_try *t); /* told of each call; may be NULL */
	void *note_ctx;
};

#define LEFT_OUT_TOLD 5 /* of the events left out, how many are named */

struct kevents {
	struct kfd *fds; /* owned; in the order evsel, CPU, thread */
	size_t nr, cap;
	u32 missing;
	bool *unsupported;  /* owned; with open_opts.counting: of each event, no PMU counts it */
	size_t wanted;      /* how many were to be opened */
	bool user_only;     /* the kernel was left out: this user may not look at it */
	bool no_namespaces; /* so were records of namespaces */
	size_t nr_left_out; /* events of globs (terms.may_fail) that the kernel does not open: they
			       are */
	struct strbuf left_out; /* not in the list any more; owned: "a:b (reason), c:d (reason)" */
};

/**
 * kevents_open - open every event of @l on every CPU and thread.
 * On the way down attrs, names and layouts in @l are changed to what was really opened; ids are
 * added to the events. Return: 0, or negative errno and a text to be printed after "Error:"
 * (several lines, as it says what to change).
 */
int kevents_open(struct kevents *k, struct evlist *l, const struct open_opts *o, struct err *err);
/**
 * kevents_reopen - open the events of a CPU again that was offline and is back: the kernel has
 * dropped them. The descriptors keep their numbers and rings; ids are new, and added to those of
 * the events in @l (evlist_index() is left to the caller). They do not count before kfd_enable().
 * Return: how many, or negative errno and a sentence.
 */
int kevents_reopen(struct kevents *k, struct evlist *l, const struct open_opts *o, int cpu,
		   struct err *err);
/** kevents_enable - PERF_EVENT_IOC_ENABLE (@on) or _DISABLE on all. */
void kevents_enable(struct kevents *k, bool on);
/** kfd_enable - the same for one. */
void kfd_enable(struct kfd *k, bool on);
/** kevents_move_breakpoint - put a breakpoint, on all its places, to what attr.bp_* say now, behind
 * an exec; it is enabled then, or is not (@on). Return: 0 or -errno. */
int kevents_move_breakpoint(const struct kevents *k, const struct evsel *e, bool on);
/** kevents_filter - set each event's filter. Return: 0, or the first refusal and a sentence. */
int kevents_filter(struct kevents *k, const struct evlist *l, const struct sysroot *sr,
		   struct err *err);
/** filter_why - append what the kernel finds wrong with @filter on a @tracepoint ("system:name"),
 * as it shows it; nothing when it cannot be asked. */
void filter_why(const struct sysroot *sr, const char *tracepoint, const char *filter,
		struct strbuf *out);
/** kevents_lost - samples the kernel says it dropped for a descriptor; 0 when it cannot tell. */
u64 kevents_lost(const struct kfd *k, const struct perf_event_attr *attr);
/** kevents_release - close all. */
void kevents_release(struct kevents *k);

/** raise_fd_limit - RLIMIT_NOFILE to its hard limit. */
void raise_fd_limit(void);

#endif
