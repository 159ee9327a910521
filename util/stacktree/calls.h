/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The callers and callees of one function, from all stacks that it is in. A sample counts at most
 * once in each sum, however often its stack has the function: that of a recursive function is never
 * more than its event.
 */
#ifndef PERF_STACKTREE_CALLS_H
#define PERF_STACKTREE_CALLS_H

#include "stacktree/stacks.h"

/* A function on the other end of calls. */
struct calls_end {
	u32 func;   /* as in struct stacks_frame */
	u64 weight; /* of the samples whose stacks have such a call */
};

struct calls {
	u32 func;
	u64 total; /* of the samples whose stacks have the function */
	u64 self;  /* of those that it is the innermost function of */
	/* Owned; the heaviest first. A function that calls itself is on both sides. With recursion
	 * a stack may have several calls, so that their weights add up to more than the total. */
	struct calls_end *callers, *callees;
	u32 nr_callers, nr_callees;
};

/**
 * calls_count - find out who calls a function, and whom it calls.
 * @c: receives the result, whatever was in it; calls_release() frees it
 * @s: a tree that has arrays (it is not packed)
 * @event: one event of the tree, or UINT32_MAX for all
 */
void calls_count(struct calls *c, const struct stacks *s, u32 event, enum stacks_weight w,
		 u32 func);
void calls_release(struct calls *c);

/**
 * calls_find - find a function by its name and the short name of its object.
 * @inlined: it was inlined into others
 * Return: its number; UINT32_MAX: no stack of the tree has it.
 */
u32 calls_find(const struct stacks *s, const char *name, const char *dso, bool inlined);

#endif
