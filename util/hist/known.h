/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A worker's small memory of addresses and of what they were found to be: a number of its own. A
 * set is what one line of the processor's cache holds; what is seen again goes up by one in its
 * set, and what is new takes the last place there, as most addresses are seen once.
 */
#ifndef PERF_HIST_KNOWN_H
#define PERF_HIST_KNOWN_H

#include "base/alloc.h"

#define KNOWN_MOST (1u << 16)
#define KNOWN_LEAST (1u << 7)
#define KNOWN_SET 4
#define KNOWN_LINE 64

struct known {
	u64 ip;
	u32 epoch;
	u32 id_mode; /* number + 1, then 3 bits of cpumode; 0: free */
};
_Static_assert(sizeof(struct known) * KNOWN_SET == KNOWN_LINE, "a set is a line");

struct known_table {
	struct known *slots; /* in memory, at the beginning of a line; NULL: there is no table */
	void *memory;        /* owned */
	u64 *more;           /* owned; by slot: something else that was found; NULL: not kept */
	unsigned int shift;  /* of a hash, to the number of a set */
};

/* What is asked for. */
struct known_key {
	u64 ip, hash;
	u32 epoch;
	u8 mode;
};

/** known_init - for about @nr addresses (0: many). Free with known_release(). */
static inline void known_init(struct known_table *t, u64 nr, bool more)
{
	u32 size = KNOWN_MOST, sets;

	/* Each page of it that is touched costs more than a search. */
	while (nr && size > KNOWN_LEAST && size > nr * 4)
		size /= 2;
	t->memory = xcalloc(size + KNOWN_SET, sizeof(*t->slots));
	heap_populate(t->memory, (size_t)size * sizeof(*t->slots)); /* read before it is written */
	t->slots = (struct known *)ALIGN_UP((uintptr_t)t->memory, (uintptr_t)KNOWN_LINE);
	t->more = more ? xcalloc(size, sizeof(*t->more)) : NULL;
	for (t->shift = 64, sets = size / KNOWN_SET; sets > 1; sets /= 2)
		t->shift--;
}

static inline void known_release(struct known_table *t)
{
	free(t->memory);
	free(t->more);
	*t = (struct known_table){ 0 };
}

/** known_key - @apart: what else samples of an address are told apart by, where numbers are */
static inline struct known_key known_key(u64 ip, u32 epoch, u8 mode, u32 apart)
{
	u64 hash = (ip ^ (u64)epoch << 40) * 0xd6e8feb86659fd93ULL ^ apart;

	return (struct known_key){ ip, hash * 0x9e3779b97f4a7c15ULL, epoch, mode };
}

static inline u32 known_set(const struct known_table *t, const struct known_key *k)
{
	return (u32)(k->hash >> t->shift) * KNOWN_SET;
}

/** known_ask - have memory bring the set. */
static inline void known_ask(const struct known_table *t, const struct known_key *k)
{
	__builtin_prefetch(&t->slots[known_set(t, k)], 1);
}

/** known_find - Return: the number, UINT32_MAX when it is not known. *@more: see there */
static inline u32 known_find(const struct known_table *t, const struct known_key *k, u64 *more)
{
	u32 at = known_set(t, k), end = at + KNOWN_SET, first = at, id;

	for (; at < end; at++) {
		struct known *s = &t->slots[at];

		if (s->ip != k->ip || s->epoch != k->epoch || (s->id_mode & 7) != k->mode ||
		    !s->id_mode)
			continue;
		id = (s->id_mode >> 3) - 1;
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

static inline void known_put(struct known_table *t, const struct known_key *k, u32 id, u64 more)
{
	u32 at = known_set(t, k) + KNOWN_SET - 1;

	if (id + 1 > UINT32_MAX >> 3 || k->mode > 7)
		return;
	t->slots[at] = (struct known){ k->ip, k->epoch, (id + 1) << 3 | k->mode };
	if (t->more)
		t->more[at] = more;
}

#endif
