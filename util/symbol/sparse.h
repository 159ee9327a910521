/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pointers by the number of a symbol, of which few are ever there: in blocks that are made when one
 * of theirs is asked for. Any thread may ask.
 */
#ifndef PERF_SYMBOL_SPARSE_H
#define PERF_SYMBOL_SPARSE_H

#include <stdatomic.h>

#include "base/alloc.h"

#define SPARSE_BLOCK 16

struct sparse_block {
	_Atomic(void *) at[SPARSE_BLOCK];
};

struct sparse {
	_Atomic(struct sparse_block *) *blocks; /* owned; NULL: nothing is kept */
	u32 nr_blocks;
};

/** sparse_init - make room for @nr symbols. Free with sparse_release(). */
static inline void sparse_init(struct sparse *s, u32 nr)
{
	s->nr_blocks = nr / SPARSE_BLOCK + 1;
	s->blocks = xcalloc(s->nr_blocks, sizeof(*s->blocks));
}

/** sparse_at - return where the pointer is kept; it is NULL at first. */
static inline _Atomic(void *) *sparse_at(const struct sparse *s, u32 i)
{
	_Atomic(struct sparse_block *) *at = &s->blocks[i / SPARSE_BLOCK];
	struct sparse_block *b = atomic_load_explicit(at, memory_order_acquire), *mine;

	if (unlikely(!b)) {
		mine = xzalloc(sizeof(*mine));
		if (atomic_compare_exchange_strong(at, &b, mine))
			b = mine;
		else
			free(mine);
	}
	return &b->at[i % SPARSE_BLOCK];
}

/** sparse_release - free the pointers' room. @owned: what the pointers lead to is freed with
 * them. */
static inline void sparse_release(struct sparse *s, bool owned)
{
	for (u32 i = 0; s->blocks && i < s->nr_blocks; i++) {
		struct sparse_block *b = atomic_load(&s->blocks[i]);

		for (u32 k = 0; b && owned && k < SPARSE_BLOCK; k++)
			free(atomic_load(&b->at[k]));
		free(b);
	}
	free(s->blocks);
	*s = (struct sparse){ 0 };
}

#endif
