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

void runs_add_stretch(struct runs *r, const struct stretch *s)
{
	r->nr += s->nr;
	if (likely(r->open.nr && s->rec == r->open_end && s->first >= r->open_last)) {
		r->open.nr += s->nr;
	} else {
		push_open(r);
		r->open = (struct run){
			.key = s->first, .rec = s->rec, .nr = s->nr, .nth = r->nth++
		};
	}
	r->open_last = s->last;
	r->open_end = s->end;
}

void runs_add_marks(struct runs *r, const struct stretch *s)
{
	const struct mark *m = &s->marks->v[s->mark];

	push_open(r);
	if (!s->nr_marks)
		return;
	r->open = (struct run){ .key = m->key,
				.rec = s->marks->at + m->at,
				.marks = s->marks,
				.mark = s->mark,
				.nr = s->nr_marks,
				.nth = r->nth++ };
	r->open_end = NULL; /* nothing is added to it */
	r->nr += s->nr_marks;
}

void runs_add(struct runs *r, u64 key, const u8 *rec, const u8 *bytes)
{
	bool plain = runs_plain(r, bytes);

	if (unlikely(!plain))
		r->open_end = NULL; /* it is a run of its own, */
	runs_add_stretch(r, &(struct stretch){ rec, rec + rec_size(bytes), key, key, 1 });
	if (unlikely(!plain))
		r->open_end = NULL; /* to which nothing is added */
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
	if (i)
		r->v[i] = moved;
}

struct run *runs_first(struct runs *r, u64 limit)
{
	push_open(r);
	return r->nr_runs && r->v[0].key <= limit ? r->v : NULL;
}

u64 runs_others(const struct runs *r)
{
	u64 key = r->nr_runs > 1 ? r->v[1].key : UINT64_MAX;

	return r->nr_runs > 2 ? MIN(key, r->v[2].key) : key;
}

void runs_step(struct runs *r, u32 nr, const u8 *next, u64 key)
{
	struct run *first = r->v;

	r->nr -= nr;
	first->nr -= nr;
	if (first->nr) {
		first->rec = next;
		first->key = key;
	} else {
		*first = r->v[--r->nr_runs];
	}
	sift_first(r);
}

void runs_release(struct runs *r)
{
	free(r->v);
	*r = (struct runs){ 0 };
}
