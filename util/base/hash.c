// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/hash.h"

#include "base/alloc.h"

u64 hash_bytes(const void *data, size_t len)
{
	const u8 *p = data;
	u64 h = len * 0x9e3779b97f4a7c15ULL, w;

	for (; len >= 8; len -= 8, p += 8) {
		memcpy(&w, p, 8);
		h = (h ^ w) * 0xd6e8feb86659fd93ULL;
		h ^= h >> 32;
	}
	if (len) {
		w = 0;
		memcpy(&w, p, len);
		h = (h ^ w) * 0xd6e8feb86659fd93ULL;
		h ^= h >> 32;
	}
	return hash_u64(h);
}

static size_t probe(const struct map64 *m, u64 key)
{
	size_t i = hash_u64(key) & m->mask;

	while (m->vals[i] != MAP64_NONE && m->keys[i] != key)
		i = (i + 1) & m->mask;
	return i;
}

static void rehash(struct map64 *m, size_t slots)
{
	struct map64 old = *m;
	size_t i;

	m->mask = slots - 1;
	m->keys = xmalloc(slots * sizeof(*m->keys));
	m->vals = xmalloc(slots * sizeof(*m->vals));
	memset(m->vals, 0xff, slots * sizeof(*m->vals));
	for (i = 0; old.vals && i <= old.mask; i++) {
		size_t at;

		if (old.vals[i] == MAP64_NONE)
			continue;
		at = probe(m, old.keys[i]);
		m->keys[at] = old.keys[i];
		m->vals[at] = old.vals[i];
	}
	free(old.keys);
	free(old.vals);
}

u32 map64_get(const struct map64 *m, u64 key)
{
	return m->vals ? m->vals[probe(m, key)] : MAP64_NONE;
}

u32 *map64_slot(struct map64 *m, u64 key)
{
	size_t i;

	/* The slot is counted as used at once: callers fill it before the next call. */
	if (!m->vals || (m->nr + 1) * 4 > (m->mask + 1) * 3)
		rehash(m, m->vals ? (m->mask + 1) * 2 : 16);
	i = probe(m, key);
	if (m->vals[i] == MAP64_NONE) {
		m->keys[i] = key;
		m->nr++;
	}
	return &m->vals[i];
}

void map64_set(struct map64 *m, u64 key, u32 val)
{
	*map64_slot(m, key) = val;
}

void map64_release(struct map64 *m)
{
	free(m->keys);
	free(m->vals);
	*m = (struct map64){ 0 };
}
