/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The caller that is missing in chains of frame pointers. On processors with a link register
 * (link_reg of arch/arch.h) the return address of a function is in that register until the function
 * saves it, which a leaf function never does: a chain that is recorded there goes from the function
 * to the caller of its caller. If the sample contains the register, and the rules of the object say
 * that it still holds the return address, the caller is inserted.
 */
#ifndef PERF_RESOLVE_LEAF_H
#define PERF_RESOLVE_LEAF_H

#include "machine/machine.h"
#include "symbol/symbol.h"

struct leaf_callers;

/** A chain with the caller. */
struct leaf_chain {
	u64 *ips; /* owned; release with free() */
	size_t nr, cap;
};

/**
 * leaf_callers_new - prepare. @m (sealed, unless from a pipe) and @s are borrowed.
 * leaf_callers_free() frees the result.
 * @arch: architecture of the recording; NULL: this machine's
 * Return: NULL when chains of that architecture are complete.
 */
struct leaf_callers *leaf_callers_new(const struct machine *m, struct symbols *s, const char *arch);
/** leaf_callers_free - free it; @l may be NULL. */
void leaf_callers_free(struct leaf_callers *l);

/**
 * leaf_chain_make - insert the caller into the chain of @s. The result is in @out, which is reused.
 * Thread-safe.
 * @epoch: of the process
 * Return: false when the recorded chain is complete.
 */
bool leaf_chain_make(struct leaf_callers *l, u32 epoch, const struct sample *s,
		     struct leaf_chain *out);

#endif
