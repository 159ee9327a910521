/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find elements of arrays that are sorted by a u64 or a u32. */
#ifndef PERF_BASE_BISECT_H
#define PERF_BASE_BISECT_H

#include "base/compat.h"

#include <stddef.h>

/** struct bisect_key - say where the key of an element is: its offset, and 8 or 4 bytes. */
struct bisect_key {
	size_t offset, width;
};

/**
 * bisect - find where keys end that are below a number, or not above it.
 * @v: array of @nr elements of @size bytes, in ascending order of their keys
 * @equal: whether keys that are equal to @key are passed over as well
 *
 * Return: the index of the first element that is not passed over; @nr if there is none.
 */
static inline size_t bisect(const void *v, size_t nr, size_t size, struct bisect_key where, u64 key,
			    bool equal)
{
	size_t lo = 0;

	while (lo < nr) {
		size_t mid = lo + (nr - lo) / 2;
		const void *at = (const char *)v + mid * size + where.offset;
		u64 k = where.width == sizeof(u64) ? *(const u64 *)at : *(const u32 *)at;

		if (k < key || (equal && k == key))
			lo = mid + 1;
		else
			nr = mid;
	}
	return lo;
}

#define BISECT_KEY_(v, field)                                                                      \
	(struct bisect_key)                                                                        \
	{                                                                                          \
		offsetof(__typeof__(*(v)), field), sizeof((v)->field)                              \
	}

/** FIRST_FROM - return the index of the first of @nr elements whose @field is not below @key. */
#define FIRST_FROM(v, nr, field, key) bisect(v, nr, sizeof(*(v)), BISECT_KEY_(v, field), key, false)
/** FIRST_BEHIND - return the index of the first of @nr elements whose @field is above @key. */
#define FIRST_BEHIND(v, nr, field, key)                                                            \
	bisect(v, nr, sizeof(*(v)), BISECT_KEY_(v, field), key, true)

#endif
