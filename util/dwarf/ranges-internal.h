/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ranges of addresses that have owners and may lie in each other, as one sorted array. */
#ifndef PERF_DWARF_RANGES_INTERNAL_H
#define PERF_DWARF_RANGES_INTERNAL_H

#include "base/compat.h"

#define RANGE_NONE UINT32_MAX

struct addr_range {
	u64 start, end; /* end: exclusive */
	u32 of;         /* its owner */
};

struct range_list {
	struct addr_range *v; /* owned; free() it */
	size_t nr, cap;
};

/*
 * Each piece extends to the start of the next. Where ranges lie in each other, the piece is that of
 * the one that starts last; of several that start at one address, of the one with the highest
 * owner.
 *
 *	0      |-----------------------|
 *	1          |-----------|           -->   0  1  2  1  0
 *	2              |---|                     ^  ^  ^  ^  ^
 */
struct range_map {
	struct range_piece {
		u64 start;
		u32 of; /* RANGE_NONE: nobody's */
	} * v;          /* owned, sorted by start */
	size_t nr;
};

/** range_add - append a range; one without addresses is left out. */
void range_add(struct range_list *l, u64 start, u64 end, u32 of);
/** range_map_make - make the map of a list, which is sorted on the way. */
void range_map_make(struct range_map *m, struct range_list *l);
/** range_map_at - return the owner of an address, or RANGE_NONE. */
u32 range_map_at(const struct range_map *m, u64 addr);

#endif
