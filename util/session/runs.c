// SPDX-License-Identifier: GPL-2.0-or-later
/* Merge ascending runs in the file, by a heap with the next record of each. */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/session-internal.h"

bool runs_apply(const struct session *s)
{
	const struct id_places *pl = &s->index->places;

	return s->has_time && !s->file_order && !s->file->swap && !s->index->expanded &&
	       !pl->mixed && pl->off_time > 0;
}

/* Tell whether the record contains its key. */
static bool is_plain(const struct runs *r, const u8 *rec)
{
	return rec_type(rec) == PERF_RECORD_SAMPLE && rec_size(rec) >= (size_t)r->off_time + 8;
}

static bool before(const struct run *a, const struct run *b)
{
	return a->key < b->key || (a->key == b->key && a->nth < b->nth);
}

static void push_open(struct runs *r)
{
	size_t i;

	if (!r->open.nr)
		return;
	VEC_GROW(r->v, r->nr_runs + 1, r->cap);
	for (i = r->nr_runs++; i && before(&r->open, &r->v[(i - 1) / 2]); i = (i - 1) / 2)
		r->v[i] = r->v[(i - 1) / 2];
	r->v[i] = r->open;
	r->open.nr = 0;
}

void runs_add(struct runs *r, u64 key, const u8 *rec)
{
	bool plain = is_plain(r, rec);

	r->nr++;
	if (likely(plain && r->open.nr && rec == r->open_end && key >= r->open_last)) {
		r->open.nr++;
	} else {
		push_open(r);
		r->open = (struct run){ .key = key, .rec = rec, .nr = 1, .nth = r->nth++ };
	}
	r->open_last = key;
	r->open_end = plain ? rec + rec_size(rec) : NULL;
}

/* Move the first run to its place after its key has changed. */
static void sift_first(struct runs *r)
{
	struct run moved = r->v[0];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < r->nr_runs) {
		child += child + 1 < r->nr_runs && before(&r->v[child + 1], &r->v[child]);
		if (!before(&r->v[child], &moved))
			break;
		r->v[i] = r->v[child];
		i = child;
	}
	r->v[i] = moved;
}

bool runs_next(struct runs *r, u64 limit, struct ref *out)
{
	struct run *first;

	push_open(r);
	first = r->v;
	if (!r->nr_runs || first->key > limit)
		return false;
	*out = (struct ref){ first->key, first->rec };
	r->nr--;
	if (--first->nr) {
		first->rec += rec_size(first->rec);
		first->key = *(const u64_una *)(first->rec + r->off_time);
	} else {
		*first = r->v[--r->nr_runs];
	}
	sift_first(r);
	return true;
}

void runs_release(struct runs *r)
{
	free(r->v);
	*r = (struct runs){ 0 };
}
