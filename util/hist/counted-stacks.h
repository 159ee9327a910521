/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a histogram counts for a tree of stacks instead of rows (hist_conf.stacks), and how room
 * `stacktree` reads it. Each worker has tables of its own; equal stacks of two workers become one
 * only in the tree.
 */
#ifndef PERF_HIST_COUNTED_STACKS_H
#define PERF_HIST_COUNTED_STACKS_H

#include "hist/hist.h"

/*
 * What the sums and frames of a tree tell apart. Values that are not asked for are 0 in all of
 * them.
 */
struct stacks_dims {
	bool comm;      /* threads are told apart by the name that they had */
	bool process;   /* by process, too */
	bool thread;    /* by thread, too */
	bool cpu;       /* there are sums of each CPU */
	bool samples;   /* each sample is kept, in the order of time */
	bool lines;     /* frames are lines of functions, with file and line */
	bool addresses; /* frames are addresses in functions */
	bool comm_root; /* each stack begins with the name of its thread (FRAME_COMM) */
	bool reverse;   /* stacks are turned round: the outermost node has the innermost frame */
	bool names; /* frames are told apart by their names alone (without symbol: their objects) */
	bool bare;  /* samples with an empty call chain have no frame, where others have one */
	bool cut_samples; /* @cut is a share of the samples, not of the period */
	bool sites;       /* code sites: where samples were in the functions that have most */
	bool durations;   /* periods are how long something went on; see stacktree/durations.c */
	bool packed;      /* nodes and sums are packed, not arrays; only in trees that are made of a
			     histogram */
	u32 slices;       /* how many slices the span of time is cut into; 0, 1: it is not cut */
	/*
	 * Parts under this share of their event are not told apart: they become sums of the node
	 * above them; 0: none is. Only in trees that are made of a histogram.
	 */
	double cut;
};

/* A call chain. Its ids are those of the worker's addresses until hist_finish() makes them ids of
 * frames. */
struct stack {
	u32 *ids; /* owned by the worker's arena */
	u32 nr;
	u32 root;       /* the frame that the chain was cut at + 1; 0: it was not cut */
	u64 *info;      /* by id, what branch stacks say of it; NULL: nothing; owned likewise */
	u32 *key_addrs; /* by id, its key address; NULL unless callers differ; owned likewise */
	u32 leaf;       /* for trees: the id of the sample's own address, see hist_leaf_frame() */
	bool chain;     /* for trees: there is a call chain, which may be empty */
};

/* The samples that have the same stack and the same base. */
struct stack_count {
	u32 base, stack;
	u32 nr; /* one more count follows when it is at its maximum */
	u64_una period;
};
_Static_assert(sizeof(struct stack_count) == 20, "there are as many as stacks in slices of time");

/* The samples at one address in a function, whatever their stacks. */
struct site_count {
	u64 addr; /* in the object; known after hist_finish() */
	u64 period;
	u32 nr;
	u32 base;  /* it has only what decides whether samples count */
	u32 leaf;  /* as in a stack */
	u32 stack; /* UINT32_MAX: samples of any stack */
};

/* One sample, in histograms that keep each of them. */
struct hist_log {
	u64 time, period;
	u32 count, thread;
	u32 site; /* number of its struct site_count, if these are counted */
};

/* The process and thread that a thread id of the histogram stands for. */
struct hist_thread {
	u32 pid, tid;
	u64 time;  /* of the first of its samples in the file; 0: the thread was not seen */
	u64 order; /* of that sample */
};

/* The choice of what is kept of samples; it is derived from the dimensions that were asked for. */
struct stack_counting {
	bool comms;   /* the names of threads */
	bool logs;    /* each sample, as a struct hist_log */
	u64 slice_ns; /* the length of a slice of time; 0: counts are not cut into slices */
};

/* The tables of one worker; borrowed from the histogram. */
struct counted_stacks {
	const struct hist_base *bases;
	const struct stack *stacks;
	struct stack_count *counts;
	struct site_count *sites;
	struct hist_log *log; /* in the order of counting */
	const struct hist_thread *threads;
	size_t nr_bases, nr_stacks, nr_counts, nr_sites, nr_log;
};

/*
 * In hist_base.from_mode this marks a base of code sites, which has neither a thread nor a slice
 * of time. In other bases .from is the slice.
 */
#define STACKS_SITE_BASE 2

/** hist_stack_counting - return what is kept of samples. */
const struct stack_counting *hist_stack_counting(const struct hist *h);
/** hist_nr_workers - return how many workers counted. */
int hist_nr_workers(const struct hist *h);
/** hist_counted_stacks - return the tables of a worker, after hist_finish(). */
struct counted_stacks hist_counted_stacks(struct hist *h, int worker);
/** hist_leaf_frame - return the frame of the sample's own address. */
u32 hist_leaf_frame(const struct hist *h, u32 leaf);
/** hist_stack_passes - tell whether the samples of a count pass the filters. */
bool hist_stack_passes(const struct hist *h, const struct counted_stacks *of,
		       const struct stack_count *c);
/** hist_site_passes - tell whether the samples at an address pass the filters. */
bool hist_site_passes(const struct hist *h, const struct counted_stacks *of,
		      const struct site_count *c);
/** hist_thread_of - return the process and thread of an id; zeros when it is not known. */
struct hist_thread hist_thread_of(const struct hist *h, u32 thread);

/* A caller that no longer needs a table may free it before hist_free(): */
void hist_release_sites(struct hist *h);
void hist_release_stacks(struct hist *h, int worker);
void hist_release_counts(struct hist *h);

#endif
