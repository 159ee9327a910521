// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/intern.h"

#include "base/alloc.h"
#include "base/hash.h"

#define FREE_SLOT UINT32_MAX

static size_t probe(const struct intern *in, const char *s, size_t len, u64 hash)
{
	size_t i = hash & in->mask;

	for (;; i = (i + 1) & in->mask) {
		u32 id = in->slots[i];

		if (id == FREE_SLOT)
			return i;
		if (in->hashes[id] == hash && in->lens[id] == len && !memcmp(in->strs[id], s, len))
			return i;
	}
}

static void grow_slots(struct intern *in)
{
	size_t slots = in->slots ? (in->mask + 1) * 2 : 64;
	size_t id;

	free(in->slots);
	in->slots = xmalloc(slots * sizeof(*in->slots));
	memset(in->slots, 0xff, slots * sizeof(*in->slots));
	in->mask = slots - 1;
	for (id = 0; id < in->nr; id++) {
		size_t i = in->hashes[id] & in->mask;

		while (in->slots[i] != FREE_SLOT)
			i = (i + 1) & in->mask;
		in->slots[i] = (u32)id;
	}
}

static u32 insert(struct intern *in, const char *s, size_t len)
{
	u64 hash = hash_bytes(s, len);
	size_t at, cap = in->cap;

	if (!in->slots || (in->nr + 1) * 4 > (in->mask + 1) * 3)
		grow_slots(in);
	at = probe(in, s, len, hash);
	if (in->slots[at] != FREE_SLOT)
		return in->slots[at];
	if (in->nr == in->cap) {
		VEC_GROW(in->strs, in->nr + 1, cap);
		in->lens = xrealloc(in->lens, cap, sizeof(*in->lens));
		in->hashes = xrealloc(in->hashes, cap, sizeof(*in->hashes));
		in->cap = cap;
	}
	in->strs[in->nr] = arena_strndup(&in->arena, s, len);
	in->lens[in->nr] = (u32)len;
	in->hashes[in->nr] = hash;
	in->slots[at] = (u32)in->nr;
	return (u32)in->nr++;
}

u32 intern_id(struct intern *in, const char *s, size_t len)
{
	if (!in->nr)
		insert(in, "", 0);
	return insert(in, s, len);
}

u32 intern_str_id(struct intern *in, const char *s)
{
	return intern_id(in, s, strlen(s));
}

u32 intern_find(const struct intern *in, const char *s, size_t len)
{
	return in->slots ? in->slots[probe(in, s, len, hash_bytes(s, len))] : FREE_SLOT;
}

const char *intern_str(const struct intern *in, u32 id)
{
	return id < in->nr ? in->strs[id] : "";
}

void intern_release(struct intern *in)
{
	arena_release(&in->arena);
	free(in->strs);
	free(in->lens);
	free(in->hashes);
	free(in->slots);
	*in = (struct intern){ 0 };
}
