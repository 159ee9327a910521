/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Branch stacks as the beginning of call chains: the ends of the last branches stand in front of
 * the recorded addresses, behind a context marker of our own.
 */
#ifndef PERF_RESOLVE_BRANCH_CHAIN_H
#define PERF_RESOLVE_BRANCH_CHAIN_H

#include "wire/event.h"

/* This marker says that the addresses behind it are ends of branches, in whatever is mapped there.
 */
#define BRANCH_CONTEXT_ANY ((u64)-4000)
/* The same, but one word about the branch stands behind each address: */
#define BRANCH_CONTEXT_MARKS ((u64)-4001)

/* The word about where a branch led to has these bits: */
#define BRANCH_MARK (1ULL << 62)
#define BRANCH_MARK_TO (1ULL << 61)
#define BRANCH_MARK_PREDICTED 1
#define BRANCH_MARK_ABORT 2
#define BRANCH_MARK_BACK 4
#define BRANCH_MARK_4K 8  /* to another page */
#define BRANCH_MARK_2M 16 /* to another large page */
#define BRANCH_MARK_TYPE(word) ((word) >> 8 & 0xf)
/* The word about where a branch came from has these: */
#define BRANCH_MARK_CYCLES(word) ((word)&0xffff)
#define BRANCH_MARK_ROUNDS(word) ((word) >> 16 & 0xff) /* of a loop that were left out */
#define BRANCH_MARK_ROUND_CYCLES(word) ((word) >> 24 & 0xffffff)

struct branch_chain_conf {
	bool caller; /* the chain will be printed from its root */
	bool marks;  /* with a word about each branch */
	u32 max;     /* at most so many branches, and so many frames behind them */
};

/* A chain being put together; zeroed before its first use, freed with branch_chain_release(). */
struct branch_chain {
	u64 *ips; /* owned, reused by the next chain */
	u64 nr;
	u32 nr_ends; /* ends of branches in front */
	size_t cap;
};

/**
 * branch_chain_make - put the ends of the branches of a sample in front of its call chain, the last
 * branch first. The rounds of a loop count once. Calls that are among the branches are left out of
 * the chain behind them.
 * Return: false when the sample has no branches: the recorded chain is all there is.
 */
bool branch_chain_make(struct branch_chain *b, const struct branch_chain_conf *conf,
		       const struct sample *s);
void branch_chain_release(struct branch_chain *b);

#endif
