/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of a sample. This is the only place that decides which addresses form the call chain
 * of a sample; reports, text and rows all use it. The sources, in the order in which they are
 * tried:
 *
 *   - a stack that is unwound from copied registers and memory (unwind/unwind.h);
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
#include "unwind/unwind.h"

/* The addresses of a sample's frames with context markers between them, innermost first. */
struct callchain {
	const u64_una *ips; /* borrowed from the sample or the maker until its next sample */
	u64 nr;
	u32 nr_branch_ends; /* number of ends of branches at the start of @ips; limits apply to the
			       others */
	bool calls; /* user addresses are those of call instructions, not return addresses */
};

struct callchain_conf {
	/* Set by callchain_conf_open(): what inserts missing callers, NULL when chains are
	 * complete; what unwinds copied stacks, NULL when there are none. */
	struct leaf_callers *leaves;
	struct unwinder *unwinder;
	/* Use branch stacks of type CALL_STACK as chains. */
	bool call_stacks;
	/* Put the ends of branches before chains. */
	bool branches;
	struct branch_chain_conf in_front; /* in this form */
};

/* A recording, as far as its chains need it. */
struct callchain_source {
	const struct machine *machine;  /* sealed, unless from a pipe; borrowed, as the next */
	struct symbols *symbols;        /* NULL: chains stay as they were recorded */
	const char *arch;               /* as uname names it; NULL: this machine's */
	bool copies;                    /* samples hold registers and copies of stacks */
	bool swap;                      /* the recording is of the other byte order */
	enum unwind_style unwind_style; /* who unwinds the copies */
};

/** callchain_conf_open - make what chains of a recording need beside what was recorded.
 * callchain_conf_close() frees it. */
void callchain_conf_open(struct callchain_conf *c, const struct callchain_source *from);
void callchain_conf_close(struct callchain_conf *c);

/* Makes the chains of samples, for one thread of the program. It starts zeroed, except @conf. */
struct callchain_maker {
	const struct callchain_conf *conf; /* borrowed */
	/* private: buffers for chains that differ from the recorded one */
	struct lbr_chain lbr;
	struct leaf_chain leaf;
	struct branch_chain branches;
	struct unwind_thread unwound;
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

	if (unlikely(call_stack | (c->leaves != NULL) | c->branches | (c->unwinder != NULL)) &&
	    callchain_from_others(m, call_stack, epoch, s, out))
		return;
	*out = (struct callchain){ .ips = s->callchain, .nr = s->nr_callchain };
}

/** callchain_maker_release - free the buffers; it can go on making chains afterwards. */
void callchain_maker_release(struct callchain_maker *m);

#endif
