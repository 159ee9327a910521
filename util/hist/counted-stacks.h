/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a histogram counts for a tree of stacks instead of rows (hist_conf.stacks), and how room
 * `stacktree` reads it. Each worker has tables of its own; equal stacks of two workers become one
 * only in the tree.
 */
#ifndef PERF_HIST_COUNTED_STACKS_H
#define PERF_HIST_COUNTED_STACKS_H

#include "hist/hist.h"

/* What the sums and frames of a tree tell apart. What is not asked for is 0 in all of them. */
struct stacks_dims {
	bool comm;      /* threads[] by the name they had */
	bool process;   /* and by pid */
	bool thread;    /* and by tid */
	bool cpu;       /* sums of each CPU */
	bool samples;   /* each sample, in the order of time */
	bool lines;     /* frames are lines of functions: file and line are set */
	bool addresses; /* frames are addresses in functions */
	bool comm_root; /* the outermost frame of each stack is its comm (FRAME_COMM) */
	bool reverse;   /* stacks are turned round: the outermost node has the innermost frame */
	bool names; /* frames by nothing but their names (those without symbol: their objects) */
	bool bare;  /* samples with an empty call chain, where others have one, have no frame */
	bool cut_samples; /* cut is of samples, not of the period */
	bool sites;       /* where in functions samples were, of those with most */
	bool durations;   /* periods are ns that things went on for; see stacktree/durations.c */
	bool packed; /* nodes and sums are not arrays, but packed; only of what is made of a hist */
	u32 slices;  /* the span of time is cut into so many; 0, 1: one */
	/* Parts under this share of their event are not told apart: they are sums of the node above
	 * them; 0: all are. Only for what is made of a hist. */
	double cut;
};

/* A call chain. Its ids are those of the worker's addresses until hist_finish() makes them ids of
 * frames. */
struct stack {
	u32 *ids; /* owned by the worker's arena */
	u32 nr;
	u32 root;  /* number of the frame that the chain was cut at + 1; 0: it was not cut */
	u64 *info; /* of branch stacks, what is known of each id; NULL: nothing; owned likewise */
	u32 *key_addrs; /* for each id its address as key_addr_id(); NULL unless h->own_callers;
			   likewise */
	u32 leaf;   /* for trees of stacks, the id of the sample's own address: hist_leaf_frame() */
	bool chain; /* for trees of stacks: there is a call chain, which may be empty */
};

/* The samples that have one stack and one base, which a tree does not tell apart. */
struct stack_count {
	u32 base, stack;
	u32 nr; /* one more entry follows when it is at its maximum */
	u64_una period;
};
_Static_assert(sizeof(struct stack_count) == 20, "there are as many as stacks in slices of time");

/* The samples at one address in a function, whatever their stacks. */
struct site_count {
	u64 addr; /* in the object; known after hist_finish() */
	u64 period;
	u32 nr;
	u32 base;  /* has only what decides whether samples count */
	u32 leaf;  /* as that of a stack */
	u32 stack; /* UINT32_MAX: any */
};

/* One sample, where each of them is kept. */
struct hist_log {
	u64 time, period;
	u32 count, thread;
	u32 site; /* number of its struct site_count, if these are counted */
};

/* The process and thread that a thread id of the histogram stands for. */
struct hist_thread {
	u32 pid, tid;
	u64 time; /* of one of its samples; 0: none was seen */
};

/* What is kept of samples, derived from the dimensions that were asked for. */
struct stack_counting {
	bool comms;   /* names of threads */
	bool logs;    /* each sample, as struct hist_log */
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

/* Marks, in hist_base.from_mode, a base of code sites: it has no thread and no slice of time. In
 * other bases .from is the slice. */
#define STACKS_SITE_BASE 2

/** hist_stack_counting - what the counts of a histogram of stacks have. */
const struct stack_counting *hist_stack_counting(const struct hist *h);
/** hist_nr_workers - how many workers counted. */
int hist_nr_workers(const struct hist *h);
/** hist_counted_stacks - return the tables of a worker, after hist_finish(). */
struct counted_stacks hist_counted_stacks(struct hist *h, int worker);
/** hist_leaf_frame - return the frame of the sample's own address. */
u32 hist_leaf_frame(const struct hist *h, u32 leaf);
/** hist_stack_passes - do the samples of a count pass the filters? */
bool hist_stack_passes(const struct hist *h, const struct counted_stacks *of,
		       const struct stack_count *c);
/** hist_site_passes - the same for the samples at an address. */
bool hist_site_passes(const struct hist *h, const struct counted_stacks *of,
		      const struct site_count *c);
/** hist_thread_of - return the process and thread of an id; zeros when it is not known. */
struct hist_thread hist_thread_of(const struct hist *h, u32 thread);

/* A caller that needs a table no more may free it before hist_free(): */
void hist_release_sites(struct hist *h);
void hist_release_stacks(struct hist *h, int worker);
void hist_release_counts(struct hist *h);

#endif
