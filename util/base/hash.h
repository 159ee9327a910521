/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hash functions and the one open-addressing map of the tree: u64 key -> u32 value. */
#ifndef PERF_BASE_HASH_H
#define PERF_BASE_HASH_H

#include "base/compat.h"

/** hash_u64 - mix one word; all output bits depend on all input bits. */
static inline u64 hash_u64(u64 x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93ULL;
	x ^= x >> 32;
	return x;
}

static inline u64 hash_mix(u64 h, u64 v)
{
	return (h ^ hash_u64(v)) * 0x9e3779b97f4a7c15ULL;
}

/** hash_bytes - @len bytes at any alignment. */
u64 hash_bytes(const void *data, size_t len);

#define MAP64_NONE UINT32_MAX

struct map64 {
	u64 *keys;
	u32 *vals; /* MAP64_NONE marks a free slot */
	size_t nr;
	size_t mask; /* slots - 1; 0 before the first insertion */
};

/** map64_get - value of @key or MAP64_NONE. */
u32 map64_get(const struct map64 *m, u64 key);
/** map64_slot - the value slot of @key, made (holding MAP64_NONE) when absent; valid until the next
 * map64_slot. */
u32 *map64_slot(struct map64 *m, u64 key);
/** map64_set - key becomes @val (not MAP64_NONE). */
void map64_set(struct map64 *m, u64 key, u32 val);
/** map64_release - free the contents. */
void map64_release(struct map64 *m);

#endif
