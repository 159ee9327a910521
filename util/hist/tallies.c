// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table in which a worker counts tallies. For rows without stacks the tallies are sorted into
 * parts afterwards, each of places of its own, so that as many threads can make rows without asking
 * each other. They are sorted where they stand, as threads that take turns in the same cache lines
 * wait for each other.
 */
#include "base/compat.h"

#include "hist/rows-internal.h"

/* ---- counting ---- */

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
			tally_fetch(w, idx - 1);
	}
}

void tallies_flush(struct hist_worker *w)
{
	tallies_fetch(w);
	for (u32 i = 0; i < w->nr_queued; i++)
		tally_add(w, &w->queue[i]);
	w->nr_queued = 0;
}

/* ---- parts ---- */

#define PART_LEAST 4096 /* tallies that are worth starting a thread */

u32 parts_wanted(const struct hist *h)
{
	size_t nr = 0;

	/* Several places have the same row, or tallies have to stay where they are. */
	if (!(h->conf.cols.need & NEED_SYM) || h->own_sets)
		return 1;
	for (int i = 0; i < h->nr_workers; i++)
		nr += h->workers[i]->nr_tallies;
	return (u32)MIN((size_t)MIN(h->conf.workers, h->nr_workers), 1 + nr / PART_LEAST);
}

struct parting {
	struct hist *h;
	tally_part_fn *part;
	u32 nr;
};

static void swap_tallies(struct hist_worker *w, size_t a, size_t b)
{
	SWAP(w->tallies[a], w->tallies[b]);
	if (w->tally_addrs)
		SWAP(w->tally_addrs[a], w->tally_addrs[b]);
}

static void part_worker(void *ctx, int worker, size_t item)
{
	const struct parting *p = ctx;
	struct hist_worker *w = p->h->workers[item];
	size_t *next = xcalloc(p->nr + 1, sizeof(*next)), sum = 0;

	(void)worker;
	w->part_at = xcalloc(p->nr + 1, sizeof(*w->part_at));
	if (p->nr == 1) {
		w->part_at[1] = w->nr_tallies;
		free(next);
		return;
	}
	for (size_t i = 0; i < w->nr_tallies; i++)
		w->part_at[p->part(p->h, &w->tallies[i], p->nr) + 1]++;
	for (u32 k = 0; k <= p->nr; k++)
		next[k] = w->part_at[k] = sum += w->part_at[k];
	for (u32 k = 0; k < p->nr; k++) {
		while (next[k] < w->part_at[k + 1]) {
			u32 to = p->part(p->h, &w->tallies[next[k]], p->nr);

			if (to != k)
				swap_tallies(w, next[k], next[to]);
			next[to]++;
		}
	}
	free(next);
}

size_t part_size(const struct hist *h, size_t part)
{
	size_t nr = 0;

	for (int i = 0; i < h->nr_workers; i++)
		nr += h->workers[i]->part_at[part + 1] - h->workers[i]->part_at[part];
	return nr;
}

void parts_make(struct hist *h, u32 nr, tally_part_fn *part)
{
	struct parting p = { h, part, nr };

	h->nr_parts = nr;
	h->part_keys = xcalloc(nr + 1, sizeof(*h->part_keys));
	crew_run(h->crew, (size_t)h->nr_workers, part_worker, &p);
}

static u32 part_of_place(const struct hist *h, const struct tally *r, u32 nr)
{
	return (u32)((u64)hist_place_key(h, r->place) * nr / hist_place_keys(h));
}

void parts_by_place(struct hist *h)
{
	u32 nr = parts_wanted(h);
	u64 keys = hist_place_keys(h);

	parts_make(h, nr, part_of_place);
	for (u32 i = 0; i <= nr; i++)
		h->part_keys[i] = (u32)((keys * i + nr - 1) / nr);
}
