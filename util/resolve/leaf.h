/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The caller that chains of frame pointers lack. Where the processor has a link register (link_reg
 * of arch/arch.h) the return address of a function is in it until the function saves it, which a
 * leaf never does: a chain taken there goes from the function to the caller of its caller. With
 * that register in the sample, and the object's rules telling that it is the return address still,
 * the caller has its place.
 */
#ifndef PERF_RESOLVE_LEAF_H
#define PERF_RESOLVE_LEAF_H

#include "machine/machine.h"
#include "symbol/symbol.h"

struct leaf_callers;

/** A chain with the caller in it. */
struct leaf_chain {
	u64 *ips; /* owned; release with free() */
	size_t nr, cap;
};

/**
 * leaf_callers_new - @m (sealed, unless of a pipe) and @s are borrowed.
 * @arch: of the recording; NULL: this machine's
 * Return: NULL where chains lack nothing. Free with leaf_callers_free().
 */
struct leaf_callers *leaf_callers_new(const struct machine *m, struct symbols *s, const char *arch);
void leaf_callers_free(struct leaf_callers *l);

/**
 * leaf_chain_make - the chain of @s and the caller in it, in @out, which is reused. Thread-safe.
 * @epoch: of the process
 * Return: false when the recorded chain is all there is.
 */
bool leaf_chain_make(struct leaf_callers *l, u32 epoch, const struct sample *s,
		     struct leaf_chain *out);

#endif
