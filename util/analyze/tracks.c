// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "analyze/tracks.h"

#include "base/alloc.h"

static void track_init(const struct tracks *l, struct track *track, u32 id)
{
	*track = (struct track){ .id = id };
	grid_init(&track->slices, l->nr_slices, 1, l->start, l->step);
}

void tracks_init(struct tracks *l, u64 first, u64 last)
{
	*l = (struct tracks){ .step = grid_step(last - first, TRACKS_SLICES - 1) };
	l->start = first - first % l->step;
	l->nr_slices = (u32)((last - l->start) / l->step) + 1;
	track_init(l, &l->all, 0);
}

void tracks_release(struct tracks *l)
{
	for (size_t i = 0; i < l->nr; i++)
		grid_release(&l->v[i].slices);
	grid_release(&l->all.slices);
	free(l->v);
	map64_release(&l->by_id);
	*l = (struct tracks){ .nr = 0 };
}

static struct track *track_of(struct tracks *l, u32 id)
{
	u32 *at = map64_slot(&l->by_id, id);

	if (*at != MAP64_NONE)
		return &l->v[*at];
	*at = (u32)l->nr;
	VEC_GROW(l->v, l->nr + 1, l->cap);
	track_init(l, &l->v[l->nr], id);
	return &l->v[l->nr++];
}

static void add_to(struct track *track, u64 time)
{
	track->nr++;
	grid_add(&track->slices, time, 0);
}

void tracks_add(struct tracks *l, u32 id, u32 name, u64 time)
{
	u64 slice = time > l->start ? (time - l->start) / l->step : 0;
	u64 inside = l->start + MIN(slice, l->nr_slices - (u64)1) * l->step;
	struct track *track = track_of(l, id);

	track->name = name;
	add_to(track, inside);
	add_to(&l->all, inside);
}

static int by_id(const void *a, const void *b)
{
	const struct track *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int busiest_first(const void *a, const void *b)
{
	const struct track *x = a, *y = b;

	return x->nr != y->nr ? (x->nr < y->nr ? 1 : -1) : by_id(a, b);
}

void tracks_sort(struct tracks *l, bool busiest)
{
	map64_release(&l->by_id);
	if (l->nr)
		qsort(l->v, l->nr, sizeof(*l->v), busiest ? busiest_first : by_id);
}

u64 tracks_count(const struct track *track, u32 from, u32 to)
{
	u64 sum = 0;

	for (u32 i = from; i < MIN(to, track->slices.used); i++)
		sum += track->slices.cells[i];
	return sum;
}
