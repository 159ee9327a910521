/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An index is an open-addressed hash table whose entries live in an array of the caller's. A slot
 * holds a hash and the number of an entry, so the index can grow without looking at the entries.
 */
#ifndef PERF_HIST_INDEX_H
#define PERF_HIST_INDEX_H

#include "base/compat.h"

struct index_slot {
	u32 hash, idx; /* @idx is the number of the entry + 1; 0 marks a free slot */
};
struct index {
	struct index_slot *slots; /* owned; NULL while the index is empty */
	size_t nr, mask;
};

/** index_grow - double the number of slots; index_reserve() calls it when that is needed. */
void index_grow(struct index *ix);
/** index_expect - give an empty index room for about @nr entries. */
void index_expect(struct index *ix, size_t nr);
/** index_release - free the slots; the index is empty afterwards. */
void index_release(struct index *ix);

/** index_reserve - make room for one more entry; call it before the probe for an insertion. */
static inline void index_reserve(struct index *ix)
{
	if (unlikely(!ix->slots || ix->nr * 4 >= (ix->mask + 1) * 3))
		index_grow(ix);
}

/*
 * Walk over the entries whose hash is @h. The walk ends at a free slot, which index_put() may then
 * take.
 */
#define index_for_each(ix, h, pos)                                                                 \
	for (pos = (h) & (ix)->mask; (ix)->slots[pos].idx; pos = (pos + 1) & (ix)->mask)           \
		if ((ix)->slots[pos].hash == (u32)(h))
/** index_at - return the number of the entry in a slot that index_for_each() stands at. */
static inline u32 index_at(const struct index *ix, size_t pos)
{
	return ix->slots[pos].idx - 1;
}
/** index_put - take the free slot that index_for_each() ended at for entry @idx. */
static inline void index_put(struct index *ix, size_t pos, u64 hash, u32 idx)
{
	ix->slots[pos] = (struct index_slot){ (u32)hash, idx + 1 };
	ix->nr++;
}

#endif
