/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of the kernel's functions as text: BTF has their names and types. */
#ifndef PERF_KFUNCS_ARGS_H
#define PERF_KFUNCS_ARGS_H

#include "base/hash.h"
#include "bpf/btf.h"

/* Functions by their names. It starts zeroed. */
struct kfuncs {
	const struct btf *btf; /* borrowed */
	struct map64 by_name;  /* hash of a name to its function */
};

/** kfuncs_index - take note of all functions of @b. kfuncs_release() forgets them. */
void kfuncs_index(struct kfuncs *f, const struct btf *b);
void kfuncs_release(struct kfuncs *f);
/** kfuncs_find - return the number of the function with that name; 0: there is none. */
u32 kfuncs_find(const struct kfuncs *f, const char *name);

/**
 * kfunc_args_put - append "name=value, name=value" for the arguments of a function.
 * @func: its number
 * @regs: the registers that arguments are passed in, in their order; a struct takes several.
 *	"..." stands for arguments that are in none of the @nr
 * Return: false: @func is no function, and nothing was appended.
 */
bool kfunc_args_put(const struct btf *b, u32 func, const unsigned long *regs, size_t nr,
		    struct strbuf *out);

#endif
