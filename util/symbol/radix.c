// SPDX-License-Identifier: GPL-2.0-or-later
/* Items are ordered by one byte of their keys after the other, from the lowest on. A byte that all
 * keys share is passed over: most bytes of addresses are. */
#include "base/compat.h"

#include "symbol/radix.h"

#include "base/alloc.h"

#define BYTES sizeof(u64)
#define VALUES 256

static size_t byte_of(u64 key, size_t byte)
{
	return key >> byte * 8 & (VALUES - 1);
}

/* Order items by one byte. */
static void pass(const struct radix_item *from, struct radix_item *to, size_t nr, size_t byte)
{
	size_t starts[VALUES] = { 0 }, start = 0;

	for (size_t i = 0; i < nr; i++)
		starts[byte_of(from[i].key, byte)]++;
	for (size_t i = 0; i < VALUES; i++) {
		size_t here = starts[i];

		starts[i] = start;
		start += here;
	}
	for (size_t i = 0; i < nr; i++)
		to[starts[byte_of(from[i].key, byte)]++] = from[i];
}

void radix_sort(struct radix_item *v, size_t nr)
{
	struct radix_item *from = v, *to = xcalloc(nr + 1, sizeof(*to)), *other = to;
	u64 differs = 0;

	for (size_t i = 1; i < nr; i++)
		differs |= v[i].key ^ v[0].key;
	for (size_t byte = 0; byte < BYTES; byte++) {
		if (!byte_of(differs, byte))
			continue;
		pass(from, to, nr, byte);
		SWAP(from, to);
	}
	if (from != v)
		memcpy(v, from, nr * sizeof(*v));
	free(other);
}
