/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of trees of stacks share. */
#ifndef PERF_HIST_STACKS_INTERNAL_H
#define PERF_HIST_STACKS_INTERNAL_H

#include "hist/hist-internal.h"

struct stacks_builder {
	/* In the order of adding; what it will be. The end of a node is the child found last. */
	struct stacks *s;
	struct index by_frame, by_thread, by_sum;
	struct map64 by_node; /* parent << 32 | frame */
	size_t cap_frames, cap_nodes, cap_threads, cap_events, cap_sums, cap_samples;
};

/* What is in order: old numbers to new ones. */
struct stacks_sorted {
	struct intern texts;
	u32 *event, *thread, *frame, *node;
};

/** stacks_settle - events, threads, frames and texts in order; the builder's tables go. Call
 * stacks_settled() when the rest is too. */
void stacks_settle(struct stacks_builder *b, struct stacks_sorted *t);
struct stacks *stacks_settled(struct stacks_builder *b, struct stacks_sorted *t);
/** stacks_sort_samples - give them the new numbers, and their order. */
void stacks_sort_samples(struct stacks *s, const struct stacks_sorted *t);
/**
 * stacks_find_spots - of what the hist counted; before any of that is given up.
 * @frame: of the hist -> of the builder
 */
void stacks_find_spots(struct hist *h, struct stacks_builder *b, const u32 *frame,
		       const char *const *names);
/** stacks_sort_spots - in order, those that are alike as one. */
void stacks_sort_spots(struct stacks *s);
/** stacks_durations - periods become how long what is seen went on. @names: of the events */
void stacks_durations(struct hist *h, const char *const *names);
int stacks_sum_cmp(const void *a, const void *b, void *ctx);

/* A stack that is not in the tree yet. */
struct stacks_item {
	const u32 *next; /* frame of the hist that comes next */
	u32 left;        /* frames that come; the last one is the innermost */
	u32 of, nr_of;   /* its sums, which stand behind each other */
	u32 frame;       /* while parts are made: what it goes on with */
};

struct stacks_split {
	u32 *frame; /* of the hist -> of the builder; used up */
	size_t nr_frames;
	const u32 *comm_frame; /* by thread: what stands above; NULL */
};

/**
 * stacks_split - the tree of @nr stacks, each with its sums in @b, all at once: parts of stacks
 * that go on with the same frame are made level by level. The nodes of samples are numbers of sums
 * until then. With dims.cut, parts under that share are not looked at further. @items are used up.
 * Return: the tree; the builder is gone.
 */
struct stacks *stacks_split(struct stacks_builder *b, struct stacks_item *items, size_t nr,
			    const struct stacks_split *how);

#endif
