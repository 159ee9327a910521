/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These are hash functions, and an open-addressed map from u64 keys to u32 values. */
#ifndef PERF_BASE_HASH_H
#define PERF_BASE_HASH_H

#include "base/compat.h"

/** hash_u64 - mix one word so that every output bit depends on every input bit. */
static inline u64 hash_u64(u64 x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	return x;
}

/** hash_mix - combine the hash @h of what came before with the next word @v. */
static inline u64 hash_mix(u64 h, u64 v)
{
	return (h ^ hash_u64(v)) * 0x9e3779b97f4a7c15ULL;
}

/** hash_bytes - return the hash of @len bytes, which may stand at any alignment. */
u64 hash_bytes(const void *data, size_t len);

#define MAP64_NONE UINT32_MAX

struct map64 {
	u64 *keys;
	u32 *vals; /* MAP64_NONE marks a free slot */
	size_t nr;
	size_t mask; /* slots - 1; 0 before the first insertion */
};

/** map64_get - return the value of @key, or MAP64_NONE when it is not in the map. */
u32 map64_get(const struct map64 *m, u64 key);
/**
 * map64_slot - return the place of the value of @key, which is inserted with MAP64_NONE when it is
 * new. The pointer is valid until the next call of map64_slot().
 */
u32 *map64_slot(struct map64 *m, u64 key);
/** map64_set - set the value of @key to @val, which must not be MAP64_NONE. */
void map64_set(struct map64 *m, u64 key, u32 val);
/** map64_release - free the table; the map is empty afterwards. */
void map64_release(struct map64 *m);

#endif
