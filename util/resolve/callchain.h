/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a sample. This is the only place that decides which addresses form the call chain
 * of a sample; reports, text and rows all use it. The sources, in the order in which they are
 * tried:
 *
 *   - a stack that is unwound from copied registers and memory (conf.unwind);
 *   - the calls in a branch stack of type CALL_STACK (LBR), after the kernel's part of the recorded
 *     chain;
 *   - the recorded chain with the missing caller of a leaf function (resolve/leaf.h);
 *   - the ends of the last branches before the recorded chain (resolve/branch-chain.h);
 *   - the recorded chain itself. Room session has already merged deferred user parts with it.
 */
#ifndef PERF_RESOLVE_CALLCHAIN_H
#define PERF_RESOLVE_CALLCHAIN_H

#include "resolve/branch-chain.h"
#include "resolve/leaf.h"

/* The addresses of a sample's frames with context markers between them, innermost first. */
struct callchain {
	const u64_una *ips; /* borrowed from the sample or the maker until its next sample */
	u64 nr;
	u32 nr_branch_ends; /* number of ends of branches at the start of @ips; limits apply to the
			       others */
	bool calls; /* user addresses are those of call instructions, not return addresses */
};

struct callchain_conf {
	/* Borrowed; NULL: chains are complete. */
	struct leaf_callers *leaves;
	/* Use branch stacks of type CALL_STACK as chains. */
	bool call_stacks;
	/* Put the ends of branches before chains. */
	bool branches;
	struct branch_chain_conf in_front; /* in this form */
	/*
	 * Unwinds the stack that is copied in @s. The result in @out is valid until the next call
	 * with the same @ctx. Return: false when there is nothing to unwind. NULL: stacks are not
	 * unwound.
	 */
	bool (*unwind)(void *ctx, u32 epoch, const struct sample *s, struct callchain *out);
	void *unwind_ctx;
};

/* Makes the chains of samples, for one thread of the program. It starts zeroed, except @conf. */
struct callchain_maker {
	const struct callchain_conf *conf; /* borrowed */
	/* private: buffers for chains that differ from the recorded one */
	struct lbr_chain lbr;
	struct leaf_chain leaf;
	struct branch_chain branches;
};

/* Tries the sources that need work. It is private to callchain_make(). */
bool callchain_from_others(struct callchain_maker *m, bool call_stack, u32 epoch,
			   const struct sample *s, struct callchain *out);

/**
 * callchain_make - determine the frames of a sample.
 * @call_stack: its event records call stacks as branches, see layout_lbr_chain()
 * @epoch: the epoch of the process at the time of the sample
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

/** callchain_maker_release - free the buffers. */
void callchain_maker_release(struct callchain_maker *m);

#endif
