/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open a whole event list with perf_event_open(): one descriptor for each event, CPU and thread.
 * When a kernel is too old, or a PMU or a right is missing, the demands are reduced step by step.
 */
#ifndef PERF_KERNEL_OPEN_H
#define PERF_KERNEL_OPEN_H

#include "base/err.h"
#include "base/sysroot.h"
#include "events/evlist.h"
#include "kernel/open-features.h"
#include "kernel/target.h"

struct progress;

/* A descriptor and the place where it counts. */
struct kfd {
	int fd;
	u32 evsel; /* idx in the evlist */
	int cpu;   /* -1: any */
	int tid;   /* -1: all threads */
	u64 id;
	bool backward;   /* the kernel overwrites its ring */
	bool leads;      /* the first of a bundle (open_opts.bundle) */
	bool follows;    /* it counts when the first of its bundle does */
	bool later;      /* its event stays off until kevents_enable_later() */
	bool on;         /* it counts, because kfd_enable() enabled it or its group */
	u64 lost_before; /* samples lost before kevents_reopen() */
};

/* One call of perf_event_open(), for -vv. */
struct open_try {
	const struct evsel *evsel;
	const struct perf_event_attr *attr; /* as passed to the kernel */
	int tid, cpu, group;
	unsigned long flags;
	int fd; /* or a negative errno */
};

struct open_opts {
	const struct sysroot *sysroot;    /* borrowed */
	const struct int_list *cpus;      /* borrowed; empty: {-1} */
	const struct int_list *side_cpus; /* borrowed; those of the side-band's own event
					     (terms.tracking); NULL or empty: cpus */
	const struct int_list *tids;      /* borrowed; empty: {-1} */
	bool ignore_gone_threads;         /* a thread that has ended meanwhile is left out (-p) */
	bool counting;    /* events that no PMU counts are marked, not refused (stat) */
	const u32 *order; /* borrowed; all group leaders, in the order of opening, in which the
			     kernel multiplexes events. NULL: in the order of the
			     list, as it has to be the first time */
	size_t nr_order;
	bool bundle; /* tracepoints of one CPU are enabled and disabled all at once, by
			kevents_enable() alone: the kernel sorts all events of a CPU anew for each
			that is enabled, which takes seconds for thousands */
	struct progress *progress; /* borrowed; counts descriptors; may be NULL */
	void (*note)(void *ctx,
		     const char *text); /* called when a demand is reduced; may be NULL */
	void (*tried)(void *ctx,
		      const struct open_try *t); /* called after each call; may be NULL */
	void *note_ctx;
};

#define LEFT_OUT_TOLD 5 /* so many of the events that were left out are named */

struct kevents {
	struct kfd *fds; /* owned; in the order evsel, CPU, thread */
	size_t nr, cap;
	size_t *heads; /* owned; indices of those that lead, or did */
	size_t nr_heads, cap_heads;
	u32 missing;        /* features that had to be given up, bits of enum open_missing */
	bool *unsupported;  /* owned; with open_opts.counting: for each event, whether no PMU counts
			       it */
	size_t wanted;      /* the number of descriptors that were to be opened */
	bool user_only;     /* the kernel is excluded, because this user may not measure it */
	bool no_namespaces; /* and so are records of namespaces */
	size_t nr_left_out; /* number of events of globs (terms.may_fail) that the kernel does not
			       open and */
	struct strbuf
		left_out; /* that were removed from the list; owned: "a:b (reason), c:d (reason)" */
};

/**
 * kevents_open - open every event of @l on every CPU and thread. Attrs, names and layouts in @l are
 * changed to what was really opened, and ids are added to the events.
 * Return: 0, or a negative errno and a text to be printed after "Error:". It can have several
 * lines, which say what to change.
 */
int kevents_open(struct kevents *k, struct evlist *l, const struct open_opts *o, struct err *err);
/**
 * kevents_reopen - open the events of a CPU again that was offline and is back, because the kernel
 * has dropped them. The descriptors keep their numbers and rings. The ids are new and are added to
 * those of the events in @l; the caller has to call evlist_index(). The events count when
 * kfd_enable() enables them.
 * Return: the number of events, or a negative errno and a sentence.
 */
int kevents_reopen(struct kevents *k, struct evlist *l, const struct open_opts *o, int cpu,
		   struct err *err);
/** kevents_enable - enable (@on) or disable all events. */
void kevents_enable(struct kevents *k, bool on);
/** kfd_enable - enable (@on) or disable one event, which must not be of a bundle. */
void kfd_enable(struct kfd *k, bool on);
/** kevents_enable_later - enable the events that stay off until then (terms.later). */
void kevents_enable_later(struct kevents *k);
/**
 * kevents_move_breakpoint - move a breakpoint to the address in attr.bp_* at all its places, after
 * an exec. It is enabled afterwards if @on. Return: 0 or a negative errno.
 */
int kevents_move_breakpoint(const struct kevents *k, const struct evsel *e, bool on);
/** kevents_filter - set the filter of each event. Return: 0, or the first error and a sentence. */
int kevents_filter(struct kevents *k, const struct evlist *l, const struct sysroot *sr,
		   struct err *err);
/**
 * filter_why - append the kernel's own explanation of what is wrong with @filter on a @tracepoint
 * ("system:name"); nothing when the kernel cannot be asked.
 */
void filter_why(const struct sysroot *sr, const char *tracepoint, const char *filter,
		struct strbuf *out);
/**
 * kevents_lost - return the number of samples that the kernel dropped for a descriptor; 0 when it
 * does not tell.
 */
u64 kevents_lost(const struct kfd *k, const struct perf_event_attr *attr);
/** kevents_release - close all descriptors and free the lists. */
void kevents_release(struct kevents *k);
/**
 * kevents_release_behind - do the same, without waiting until the kernel has let go of the events,
 * which takes it some 20 ms for each tracepoint, one after the other. A child process,
 * "perf-close", holds copies of the descriptors until then, and nothing else of ours. Events are to
 * be disabled and their rings unmapped before. Where no process can be made, this waits.
 */
void kevents_release_behind(struct kevents *k);

/** raise_fd_limit - raise RLIMIT_NOFILE to its hard limit. */
void raise_fd_limit(void);

#endif
