/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branch stacks as the beginning of call chains: the ends of the last branches precede the recorded
 * addresses, after a context marker of our own.
 */
#ifndef PERF_RESOLVE_BRANCH_CHAIN_H
#define PERF_RESOLVE_BRANCH_CHAIN_H

#include "wire/event.h"

/* This marker says that the following addresses are ends of branches, in any address space.
 */
#define BRANCH_CONTEXT_ANY ((u64)-4000)
/* Like BRANCH_CONTEXT_ANY, but each address is followed by a word about the branch. */
#define BRANCH_CONTEXT_MARKS ((u64)-4001)

/* The bits of the word after the target of a branch: */
#define BRANCH_MARK (1ULL << 62)
#define BRANCH_MARK_TO (1ULL << 61)
#define BRANCH_MARK_PREDICTED 1
#define BRANCH_MARK_ABORT 2
#define BRANCH_MARK_BACK 4
#define BRANCH_MARK_4K 8  /* the branch leads to another page */
#define BRANCH_MARK_2M 16 /* the branch leads to another large page */
#define BRANCH_MARK_TYPE(word) ((word) >> 8 & 0xf)
/* The bits of the word after the source of a branch: */
#define BRANCH_MARK_CYCLES(word) ((word)&0xffff)
#define BRANCH_MARK_ROUNDS(word) ((word) >> 16 & 0xff) /* rounds of a loop that were left out */
#define BRANCH_MARK_ROUND_CYCLES(word) ((word) >> 24 & 0xffffff)

struct branch_chain_conf {
	bool caller; /* the chain is printed from its root */
	bool marks;  /* add a word about each branch */
	u32 max;     /* the most branches, and the most frames after them */
};

/* The result. It is zeroed before its first use; branch_chain_release() frees it. */
struct branch_chain {
	u64 *ips; /* owned; reused for the next chain */
	u64 nr;
	u32 nr_ends; /* number of ends of branches at the beginning */
	size_t cap;
};

/**
 * branch_chain_make - put the ends of the branches of a sample before its call chain, the last
 * branch first. The rounds of a loop count once. Calls that are among the branches are removed from
 * the chain after them.
 * Return: false when the sample has no branches and the recorded chain is complete.
 */
bool branch_chain_make(struct branch_chain *b, const struct branch_chain_conf *conf,
		       const struct sample *s);
/** branch_chain_release - free the chain. */
void branch_chain_release(struct branch_chain *b);

#endif
