// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/bisect.h"

#include "dwarf/ranges-internal.h"

#include "base/alloc.h"

void range_add(struct range_list *l, u64 start, u64 end, u32 of)
{
	if (end <= start)
		return;
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr++] = (struct addr_range){ start, end, of };
}

static int by_start(const void *a, const void *b)
{
	const struct addr_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->of < y->of ? -1 : x->of > y->of;
}

/* Begin a piece. Of pieces that begin at one address the last one counts. */
static void put_piece(struct range_map *m, u64 start, u32 of)
{
	if (m->nr && m->v[m->nr - 1].start == start)
		m->nr--;
	if (m->nr && m->v[m->nr - 1].of == of)
		return;
	m->v[m->nr++] = (struct range_piece){ start, of };
}

/*
 * End the innermost ranges that end at or before @upto. @open: numbers of the ranges that have
 * started, @nr of them, outer ones first
 */
static size_t end_ranges(struct range_map *m, const struct range_list *l, const u32 *open,
			 size_t nr, u64 upto)
{
	while (nr && l->v[open[nr - 1]].end <= upto) {
		u64 end = l->v[open[--nr]].end;

		while (nr && l->v[open[nr - 1]].end <= end)
			nr--;
		put_piece(m, end, nr ? l->v[open[nr - 1]].of : RANGE_NONE);
	}
	return nr;
}

void range_map_make(struct range_map *m, struct range_list *l)
{
	u32 *open = xcalloc(l->nr + 1, sizeof(*open));
	size_t nr = 0;

	if (l->nr)
		qsort(l->v, l->nr, sizeof(*l->v), by_start);
	*m = (struct range_map){ .v = xcalloc(2 * l->nr + 1, sizeof(*m->v)) };
	for (size_t i = 0; i < l->nr; i++) {
		nr = end_ranges(m, l, open, nr, l->v[i].start);
		open[nr++] = (u32)i;
		put_piece(m, l->v[i].start, l->v[i].of);
	}
	end_ranges(m, l, open, nr, UINT64_MAX);
	m->v = xrealloc(m->v, m->nr + 1, sizeof(*m->v));
	free(open);
}

u32 range_map_at(const struct range_map *m, u64 addr)
{
	size_t lo = FIRST_BEHIND(m->v, m->nr, start, addr);

	return lo ? m->v[lo - 1].of : RANGE_NONE;
}
