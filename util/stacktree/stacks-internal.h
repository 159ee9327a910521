/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the files of trees of stacks. */
#ifndef PERF_STACKTREE_STACKS_INTERNAL_H
#define PERF_STACKTREE_STACKS_INTERNAL_H

#include "base/alloc.h"
#include "base/hash.h"
#include "hist/index.h"
#include "stacktree/pack.h"

struct stacks_builder {
	/* A node of the builder, in the order of adding. Its end is the child found last. */
	struct stacks *s;
	struct index by_frame, by_thread, by_sum;
	struct map64 by_node; /* parent << 32 | frame */
	size_t cap_frames, cap_nodes, cap_threads, cap_events, cap_sums, cap_samples;
};

/* New numbers of what was put in order, by old number. */
struct stacks_sorted {
	struct intern texts;
	u32 *event, *thread, *frame, *node;
};

/**
 * stacks_settle - put events (which have their samples), threads, frames and texts in order, and
 * free the builder's tables. Call stacks_settled() when the rest is in order, too.
 */
void stacks_settle(struct stacks_builder *b, struct stacks_sorted *t);
struct stacks *stacks_settled(struct stacks_builder *b, struct stacks_sorted *t);
/** stacks_sort_samples - give samples the new numbers, and put them in order. */
void stacks_sort_samples(struct stacks *s, const struct stacks_sorted *t);
/**
 * stacks_find_sites - make the code sites of what the histogram counted, before any of that is
 * freed.
 * @frame: by frame of the histogram, the frame of the builder
 */
void stacks_find_sites(struct hist *h, struct stacks_builder *b, const u32 *frame,
		       const char *const *names);
/** stacks_sort_sites - put code sites in order, and make those that are alike one. */
void stacks_sort_sites(struct stacks *s);
/**
 * stacks_durations - turn periods into how long what is seen went on.
 * @names: of the events
 */
void stacks_durations(struct hist *h, const char *const *names);
int stacks_sum_cmp(const void *a, const void *b, void *ctx);

/* A stack that is not in the tree yet. */
struct stacks_item {
	const u32 *next; /* the frame of the histogram that comes next */
	u32 left;        /* frames that are left; the last one is the innermost */
	u32 of, nr_of;   /* its counts, which stand behind each other */
	u32 frame;       /* while groups are made: the frame that it goes on with */
};

/* The key of sums that a base of a worker is mapped to. */
struct stacks_key {
	u32 event, thread, cpu, slice;
};

/*
 * The counts of one worker that are in the tree. They are numbered over all workers: each goes on
 * where the one before it ended.
 */
struct stacks_counts {
	struct counted_stacks w;
	struct stacks_key *key; /* by base */
	u32 *order;             /* the counts of an item behind each other; of logs, samples */
	u32 first, nr;          /* number of the first of them */
};

struct stacks_split {
	u32 *frame; /* by frame of the histogram: frame of the builder; freed on the way */
	size_t nr_frames;
	const u32 *comm_frame;        /* by thread: the frame that stands above; NULL */
	struct stacks_counts *counts; /* keys are freed on the way */
	int nr_workers;               /* the workers that counted */
	u32 nr_of;                    /* counts of all workers */
	bool logs; /* each sample is a count of its own, in the slice of its time */
	u64 start, ns;
	u32 nr_slices;
	int workers; /* threads */
};

/** stacks_counts_of - return the worker whose count has this number. */
static inline const struct stacks_counts *stacks_counts_of(const struct stacks_split *how, u32 of)
{
	const struct stacks_counts *c = how->counts;

	while (of - c->first >= c->nr)
		c++;
	return c;
}

/** stacks_count_sum - return the sum that a count becomes, but for its node. */
static inline void stacks_count_sum(const struct stacks_split *how, const struct stacks_counts *c,
				    u32 of, struct stacks_sum *sum)
{
	u32 i = c->order[of - c->first];
	const struct hist_log *l = how->logs ? &c->w.log[i] : NULL;
	const struct stack_count *n = &c->w.counts[l ? l->count : i];
	const struct stacks_key *k = &c->key[n->base];

	*sum = (struct stacks_sum){
		.event = k->event,
		.thread = k->thread,
		.cpu = k->cpu,
		.slice = l ? (u32)MIN((l->time - how->start) / how->ns, how->nr_slices - 1)
			   : k->slice,
		.samples = l ? 1 : n->nr,
		.period = l ? l->period : n->period,
	};
}

/**
 * stacks_split - make the tree of @nr stacks, all at once and level by level, of groups of stacks
 * that go on with the same frame. Until then the nodes of samples are numbers of counts. With
 * dims.cut, groups under that share are not looked at further. @items are used up.
 * Return: the tree, packed where dims ask for that; the builder is gone.
 */
struct stacks *stacks_split(struct stacks_builder *b, struct stacks_item *items, size_t nr,
			    const struct stacks_split *how);

#endif
