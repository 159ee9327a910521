// SPDX-License-Identifier: GPL-2.0-or-later
/* Compare the blocks of the function of a row with those of the baseline. */
#include "base/compat.h"

#include "base/alloc.h"
#include "diff/diff.h"

static const struct block *blocks_at(const struct diff *d, const struct diff_row *r, u32 side,
				     size_t *nr)
{
	const struct diff_part *part = NULL;
	const struct hist_place *place;

	*nr = 0;
	for (u32 i = r->parts; i; i = part->next) {
		part = &d->parts[i - 1];
		if (part->side == side)
			break;
		if (!part->next)
			return NULL;
	}
	if (!part || !d->sides[side].blocks)
		return NULL;
	place = hist_place(d->sides[side].hist, part->row->place);
	if (!place->symtab || place->sym == UINT32_MAX)
		return NULL;
	return blocks_of(d->sides[side].blocks, place->symtab, place->sym, nr);
}

static s64 average(const struct block *b)
{
	return b->nr ? (s64)(b->cycles / b->nr) : 0;
}

static int change_cmp(const void *pa, const void *pb)
{
	const struct diff_block *a = pa, *b = pb;
	s64 ca = llabs(a->change), cb = llabs(b->change);

	if (ca != cb)
		return ca > cb ? -1 : 1;
	return a->now < b->now ? -1 : a->now > b->now;
}

size_t diff_blocks(const struct diff *d, const struct diff_row *r, u32 side,
		   struct diff_block **out)
{
	size_t nr, nr_was, i, k = 0;
	const struct block *now = blocks_at(d, r, side, &nr), *was = blocks_at(d, r, 0, &nr_was);
	struct diff_block *v = xcalloc(nr + 1, sizeof(*v));

	for (i = 0; i < nr; i++) { /* both are in the same order */
		while (k < nr_was && (was[k].start < now[i].start ||
				      (was[k].start == now[i].start && was[k].end < now[i].end)))
			k++;
		v[i].now = &now[i];
		if (k == nr_was || was[k].start != now[i].start || was[k].end != now[i].end)
			continue;
		v[i].was = &was[k];
		v[i].change = average(&now[i]) - average(&was[k]);
	}
	if (nr)
		qsort(v, nr, sizeof(*v), change_cmp);
	*out = v;
	return nr;
}

u32 diff_block_times(const struct diff_block *b, u64 out[BLOCK_TIMES])
{
	u32 nr = b->was ? MIN(b->was->nr_times, b->now->nr_times) : 0;

	for (u32 i = 0; i < nr; i++)
		out[i] = b->now->times[i] > b->was->times[i] ? b->now->times[i] - b->was->times[i]
							     : b->was->times[i] - b->now->times[i];
	return nr;
}
