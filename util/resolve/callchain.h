/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a sample. This is the one place that decides which addresses are the call chain of
 * a sample; reports, text and rows all ask it. The sources, in the order in which they are tried:
 *
 *   - a stack that is unwound from copied registers and memory (a seam: conf.unwind);
 *   - the calls that a branch stack of type CALL_STACK still holds (LBR), behind the kernel's part
 *     of the recorded chain;
 *   - the recorded chain with the caller of a leaf function put in (resolve/leaf.h);
 *   - the ends of the last branches in front of the recorded chain (resolve/branch-chain.h);
 *   - the recorded chain as it is. Deferred user parts are in it already: room session merges them.
 */
#ifndef PERF_RESOLVE_CALLCHAIN_H
#define PERF_RESOLVE_CALLCHAIN_H

#include "resolve/branch-chain.h"
#include "resolve/leaf.h"

/* The addresses of a sample's frames with context markers between them, innermost first. */
struct callchain {
	const u64_una *ips; /* borrowed from the sample or the maker until its next sample */
	u64 nr;
	u32 nr_branch_ends; /* of @ips, in front: ends of branches; limits are of the others */
	bool calls;         /* user addresses are those of calls, not those behind them */
};

struct callchain_conf {
	/* Borrowed; NULL: chains lack no callers. */
	struct leaf_callers *leaves;
	/* Branch stacks of type CALL_STACK are chains. */
	bool call_stacks;
	/* The ends of branches stand in front of chains. */
	bool branches;
	struct branch_chain_conf in_front; /* how they stand there */
	/*
	 * Unwind the stack that is copied in @s into @out, which it owns until the next call of the
	 * same @ctx. Return: false when there is nothing to unwind. NULL: no stack is unwound.
	 */
	bool (*unwind)(void *ctx, u32 epoch, const struct sample *s, struct callchain *out);
	void *unwind_ctx;
};

/* What makes the chains of one thread's samples. Starts zeroed but for @conf. */
struct callchain_maker {
	const struct callchain_conf *conf; /* borrowed */
	/* private: chains that are not as recorded */
	struct lbr_chain lbr;
	struct leaf_chain leaf;
	struct branch_chain branches;
};

/* Try the sources that need work. Private to callchain_make(). */
bool callchain_from_others(struct callchain_maker *m, bool call_stack, u32 epoch,
			   const struct sample *s, struct callchain *out);

/**
 * callchain_make - the frames of a sample.
 * @call_stack: its event records call stacks by branches, see layout_lbr_chain()
 * @epoch: of the process at the time of the sample
 */
static inline void callchain_make(struct callchain_maker *m, bool call_stack, u32 epoch,
				  const struct sample *s, struct callchain *out)
{
	const struct callchain_conf *c = m->conf;

	if (unlikely(call_stack | (c->leaves != NULL) | c->branches | (c->unwind != NULL)) &&
	    callchain_from_others(m, call_stack, epoch, s, out))
		return;
	*out = (struct callchain){ .ips = s->callchain, .nr = s->nr_callchain };
}

/** callchain_maker_release - free the contents. */
void callchain_maker_release(struct callchain_maker *m);

#endif
