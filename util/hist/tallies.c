// SPDX-License-Identifier: GPL-2.0-or-later
/* The table in which a worker counts tallies. */
#include "base/compat.h"

#include "hist/tables-internal.h"

static bool tally_same(const struct tally *a, const struct tally *b)
{
	return a->ip == b->ip && a->base == b->base && a->stack == b->stack &&
	       a->epoch == b->epoch && a->place == b->place && a->mode == b->mode;
}

size_t tally_add(struct hist_worker *w, const struct pending *p)
{
	size_t pos;

	index_reserve(&w->by_tally);
	index_for_each(&w->by_tally, p->hash, pos)
	{
		struct tally *r = &w->tallies[index_at(&w->by_tally, pos)];

		if (tally_same(r, &p->tally) && likely(r->nr < UINT32_MAX)) {
			tally_merge(r, &p->tally);
			return index_at(&w->by_tally, pos);
		}
	}
	VEC_GROW(w->tallies, w->nr_tallies + 1, w->cap_tallies);
	w->tallies[w->nr_tallies] = p->tally;
	index_put(&w->by_tally, pos, p->hash, w->nr_tallies);
	return w->nr_tallies++;
}

void tallies_fetch(const struct hist_worker *w)
{
	u32 idx;

	for (u32 i = 0; w->by_tally.slots && i < w->nr_queued; i++) {
		idx = w->by_tally.slots[w->queue[i].hash & w->by_tally.mask].idx;
		if (idx)
			__builtin_prefetch(&w->tallies[idx - 1], 1);
	}
}

void tallies_flush(struct hist_worker *w)
{
	tallies_fetch(w);
	for (u32 i = 0; i < w->nr_queued; i++)
		tally_add(w, &w->queue[i]);
	w->nr_queued = 0;
}
