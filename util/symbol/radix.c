// SPDX-License-Identifier: GPL-2.0-or-later
/* Items are ordered by one byte of their keys after the other, from the lowest on. A byte that all
 * keys share is passed over: most bytes of addresses are. */
#include "base/compat.h"

#include "symbol/radix.h"

#include "base/alloc.h"

#define BYTES sizeof(u64)
#define VALUES 256

typedef size_t counts[VALUES];

static size_t byte_of(u64 key, size_t byte)
{
	return key >> byte * 8 & (VALUES - 1);
}

/* Order items by one byte. @nr_of: how many items have each value, of which the sums are made */
static void pass(const struct radix_item *from, struct radix_item *to, size_t nr, size_t byte,
		 counts nr_of)
{
	size_t start = 0;

	for (size_t i = 0; i < VALUES; i++) {
		size_t here = nr_of[i];

		nr_of[i] = start;
		start += here;
	}
	for (size_t i = 0; i < nr; i++)
		to[nr_of[byte_of(from[i].key, byte)]++] = from[i];
}

void radix_sort(struct radix_item *v, size_t nr)
{
	struct radix_item *from = v, *to = xcalloc(nr + 1, sizeof(*to)), *other = to;
	counts *nr_of = xcalloc(BYTES, sizeof(*nr_of));

	for (size_t i = 0; i < nr; i++)
		for (size_t byte = 0; byte < BYTES; byte++)
			nr_of[byte][byte_of(v[i].key, byte)]++;
	for (size_t byte = 0; byte < BYTES && nr; byte++) {
		if (nr_of[byte][byte_of(v[0].key, byte)] == nr)
			continue;
		pass(from, to, nr, byte, nr_of[byte]);
		SWAP(from, to);
	}
	if (from != v)
		memcpy(v, from, nr * sizeof(*v));
	free(nr_of);
	free(other);
}
