/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small cache of the addresses that a worker has looked up, with the number of what each was
 * found to be. A set fills one line of the processor's cache. An address that is found moves up by
 * one in its set; a new one takes the last place, as most addresses are seen once only.
 */
#ifndef PERF_HIST_ADDRESS_CACHE_H
#define PERF_HIST_ADDRESS_CACHE_H

#include "base/alloc.h"

#define ADDRESS_CACHE_MOST (1u << 16)
#define ADDRESS_CACHE_LEAST (1u << 7)
#define ADDRESS_CACHE_SET 4
#define ADDRESS_CACHE_LINE 64
#define ADDRESS_MODE_BITS 4
#define ADDRESS_MODE_MAX ((1u << ADDRESS_MODE_BITS) - 1)

struct address_entry {
	u64 ip;
	u32 epoch;
	u32 id_mode; /* number + 1, then ADDRESS_MODE_BITS of the key's mode; 0: free */
};
_Static_assert(sizeof(struct address_entry) * ADDRESS_CACHE_SET == ADDRESS_CACHE_LINE,
	       "a set is a line");

struct address_cache {
	struct address_entry
		*slots;     /* in @memory, aligned to a cache line; NULL: there is no cache */
	void *memory;       /* owned */
	u64 *more;          /* owned; by slot, another result; NULL: it is not kept */
	unsigned int shift; /* shifting a hash by this gives the number of a set */
};

/* The key by which an address is looked up. */
struct address_key {
	u64 ip, hash;
	u32 epoch;
	u8 mode;
};

/**
 * address_cache_init - make a cache for about @nr addresses (0: many). Free with
 * address_cache_release().
 */
static inline void address_cache_init(struct address_cache *t, u64 nr, bool more)
{
	u32 size = ADDRESS_CACHE_MOST, sets;

	/* Touching a new page costs more than a search, so the cache is no larger than needed. */
	while (nr && size > ADDRESS_CACHE_LEAST && size > nr * 4)
		size /= 2;
	t->memory = xcalloc(size + ADDRESS_CACHE_SET, sizeof(*t->slots));
	heap_populate(t->memory, (size_t)size * sizeof(*t->slots)); /* read before it is written */
	t->slots = (struct address_entry *)ALIGN_UP((uintptr_t)t->memory,
						    (uintptr_t)ADDRESS_CACHE_LINE);
	t->more = more ? xcalloc(size, sizeof(*t->more)) : NULL;
	for (t->shift = 64, sets = size / ADDRESS_CACHE_SET; sets > 1; sets /= 2)
		t->shift--;
}

static inline void address_cache_release(struct address_cache *t)
{
	free(t->memory);
	free(t->more);
	*t = (struct address_cache){ 0 };
}

/**
 * address_cache_key - return the key of an address.
 * @apart: what else tells samples of the address apart, if results depend on it
 */
static inline struct address_key address_cache_key(u64 ip, u32 epoch, u8 mode, u32 apart)
{
	u64 hash = (ip ^ (u64)epoch << 40) * 0xd6e8feb86659fd93ULL ^ apart;

	return (struct address_key){ ip, hash * 0x9e3779b97f4a7c15ULL, epoch, mode };
}

static inline u32 address_cache_set(const struct address_cache *t, const struct address_key *k)
{
	return (u32)(k->hash >> t->shift) * ADDRESS_CACHE_SET;
}

/** address_cache_prefetch - fetch the set that a key belongs to. */
static inline void address_cache_prefetch(const struct address_cache *t,
					  const struct address_key *k)
{
	__builtin_prefetch(&t->slots[address_cache_set(t, k)], 1);
}

/**
 * address_cache_find - look an address up. *@more: the other result, if the cache has it.
 * Return: the number, UINT32_MAX when the address is not there.
 */
static inline u32 address_cache_find(const struct address_cache *t, const struct address_key *k,
				     u64 *more)
{
	u32 at = address_cache_set(t, k), end = at + ADDRESS_CACHE_SET, first = at, id;

	for (; at < end; at++) {
		struct address_entry *s = &t->slots[at];

		if (s->ip != k->ip || s->epoch != k->epoch ||
		    (s->id_mode & ADDRESS_MODE_MAX) != k->mode || !s->id_mode)
			continue;
		id = (s->id_mode >> ADDRESS_MODE_BITS) - 1;
		if (t->more)
			*more = t->more[at];
		if (at > first) {
			SWAP(s[0], s[-1]);
			if (t->more)
				SWAP(t->more[at], t->more[at - 1]);
		}
		return id;
	}
	return UINT32_MAX;
}

static inline void address_cache_put(struct address_cache *t, const struct address_key *k, u32 id,
				     u64 more)
{
	u32 at = address_cache_set(t, k) + ADDRESS_CACHE_SET - 1;

	if (id + 1 > UINT32_MAX >> ADDRESS_MODE_BITS || k->mode > ADDRESS_MODE_MAX)
		return;
	t->slots[at] =
		(struct address_entry){ k->ip, k->epoch, (id + 1) << ADDRESS_MODE_BITS | k->mode };
	if (t->more)
		t->more[at] = more;
}

#endif
