// SPDX-License-Identifier: GPL-2.0-or-later
/* Keep chains by (cookie, thread, place in time order), and merge them with samples. */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/deferred.h"

/* Tell whether both the samples and the other records of the event have a tid. */
static bool knows_tid(const struct wire_layout *l)
{
	return l->sample_id_all && l->off_tid >= 0;
}

void deferred_add(struct deferred_set *set, struct session *s, const u8 *rec, u64 key,
		  struct id_cache *cache)
{
	struct session_event ev;
	struct rec_deferred d;
	const struct evsel *e;

	if (rec_deferred_decode(rec, rec_size(rec), &d) < 0)
		return;
	record_event(s, rec, 0, key, cache, &ev);
	e = ev.evsel ? ev.evsel : s->index->first;
	VEC_GROW(set->v, set->nr + 1, set->cap);
	set->v[set->nr++] = (struct deferred_chain){
		.cookie = d.cookie,
		.key = key,
		.tid = e && knows_tid(&e->layout) ? ev.id.tid : 0,
		.rec = rec,
	};
	set->unsorted = true;
}

static int compare(const void *pa, const void *pb)
{
	const struct deferred_chain *a = pa, *b = pb;

	if (a->cookie != b->cookie)
		return a->cookie < b->cookie ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return 0;
}

void deferred_sort(struct deferred_set *set)
{
	if (set->unsorted)
		qsort(set->v, set->nr, sizeof(*set->v), compare);
	set->unsorted = false;
}

void deferred_forget(struct deferred_set *set, u64 key, struct slabs *copies)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->nr; i++) {
		const struct deferred_chain *c = &set->v[i];

		if (c->key > key)
			set->v[kept++] = *c;
		else
			slabs_drop(copies, c->rec, rec_size(c->rec));
	}
	set->nr = kept;
}

void deferred_release(struct deferred_set *set)
{
	free(set->v);
	*set = (struct deferred_set){ 0 };
}

const struct deferred_chain *deferred_find(const struct deferred_set *set,
					   const struct wire_layout *l, u64 key,
					   const struct sample *sm)
{
	struct deferred_chain want = {
		.cookie = sm->callchain[sm->nr_callchain - 1],
		.key = key,
		.tid = knows_tid(l) ? sm->tid : 0,
	};
	size_t lo = 0, hi = set->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare(&set->v[mid], &want) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == set->nr || set->v[lo].cookie != want.cookie || set->v[lo].tid != want.tid)
		return NULL;
	return &set->v[lo];
}

void deferred_merge(const struct deferred_set *set, const struct wire_layout *l, u64 key,
		    struct sample *sm, struct whole_chain *buf)
{
	const struct deferred_chain *c = deferred_find(set, l, key, sm);
	size_t kernel = sm->nr_callchain - 2, nr = kernel;
	struct rec_deferred d;

	if (c && !rec_deferred_decode(c->rec, rec_size(c->rec), &d) && d.nr) {
		VEC_GROW(buf->words, kernel + 1 + d.nr, buf->cap);
		memcpy(buf->words, (const void *)sm->callchain, kernel * 8);
		/*
		 * The frames of the record begin with their marker; without one they would be taken
		 * for kernel frames.
		 */
		if (d.ips[0] < (u64)PERF_CONTEXT_MAX)
			buf->words[nr++] = (u64)PERF_CONTEXT_USER;
		memcpy(buf->words + nr, (const void *)d.ips, d.nr * 8);
		nr += d.nr;
		sm->callchain = (const u64_una *)buf->words;
	}
	sm->nr_callchain = nr;
}
