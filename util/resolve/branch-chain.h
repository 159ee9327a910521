/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branch stacks as the beginning of call chains. */
#ifndef PERF_RESOLVE_BRANCH_CHAIN_H
#define PERF_RESOLVE_BRANCH_CHAIN_H

#include "hist/hist.h"

/* A chain being put together; zeroed before its first use, freed with branch_chain_release(). */
struct branch_chain {
	u64 *ips;
	size_t cap;
};

/**
 * branch_chain_glue - put the ends of the branches of a sample in front of its call chain, the last
 * branch first; @hs then has both.
 * @caller: it will be printed from its root; @marks: with what is known of the branches
 * @max: so many branches, and so many frames behind them
 * What went round in a loop counts once. Calls that are in both are left out of the chain.
 */
void branch_chain_glue(struct branch_chain *b, const struct sample *s, bool caller, bool marks,
		       u32 max, struct hist_sample *hs);
void branch_chain_release(struct branch_chain *b);

#endif
