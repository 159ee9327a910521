/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How call chains end. The user part of a chain that was followed by frame pointers is whole when
 * it reaches the code that starts a process or a thread. Where a function does not keep a frame
 * pointer, the chain ends in nowhere, or continues with words that are no addresses of code.
 */
#ifndef PERF_PROFILE_CHAIN_ENDS_H
#define PERF_PROFILE_CHAIN_ENDS_H

#include "hist/counted-stacks.h"

enum chain_end {
	CHAIN_END_NONE,    /* there is no user part, or it was cut off: nothing is known */
	CHAIN_END_START,   /* it reaches the start of a thread or process */
	CHAIN_END_NOWHERE, /* its last frame is a function that somebody must have called */
	CHAIN_END_UNKNOWN, /* its last frames are where no code is */
	NR_CHAIN_ENDS
};

/* The samples of one event whose user part begins in one object, by how that part ends. */
struct chain_ends_count {
	u32 evsel, object; /* id of the object + 1 */
	u64 nr[NR_CHAIN_ENDS];
};

struct chain_ends {
	u32 limit; /* chains of so many frames may have been cut off */
	struct chain_ends_count *counts;
	size_t nr, cap;
	u32 last;  /* where a sample was counted last */
	u8 *known; /* by frame: 0, or whether it starts a thread, 1 or 2 */
};

/**
 * chain_ends_classify, chain_ends_count - the functions of a struct hist_stack_visitor; @ctx is a
 * struct chain_ends, for one histogram.
 */
u64 chain_ends_classify(void *ctx, const struct hist *h, const struct stack *s);
void chain_ends_count(void *ctx, u32 evsel, u64 class, u64 nr);
/** chain_ends_broken - return how many samples of a count have a broken chain; *@all: how many
 * have a chain of which that is known. */
u64 chain_ends_broken(const struct chain_ends_count *c, u64 *all);
/** chain_ends_release - free the counts. */
void chain_ends_release(struct chain_ends *e);

#endif
