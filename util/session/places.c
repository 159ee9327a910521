// SPDX-License-Identifier: GPL-2.0-or-later
/* Find event ids in records, and the event that a record belongs to. */
#include "base/compat.h"
#include "session/session-internal.h"

#include "base/alloc.h"

static bool same_place(const struct wire_layout *a, const struct wire_layout *b)
{
	return a->off_id == b->off_id && a->rev_id == b->rev_id && a->id_size == b->id_size;
}

static void note_form(struct session *s, size_t i)
{
	struct session_index *ix = s->index;

	for (size_t k = 0; k < ix->nr_forms; k++)
		if (same_place(&s->evlist.evsels[ix->forms[k]]->layout,
			       &s->evlist.evsels[i]->layout))
			return;
	VEC_GROW(ix->forms, ix->nr_forms + 1, ix->cap_forms);
	ix->forms[ix->nr_forms++] = (u32)i;
}

void places_add(struct session *s, size_t i)
{
	struct id_places *p = &s->index->places;
	const struct wire_layout *l = &s->evlist.evsels[i]->layout;

	if (i && (l->off_id != p->off_id || l->rev_id != p->rev_id || l->off_time != p->off_time ||
		  l->rev_time != p->rev_time))
		p->mixed = true;
	if (i && p->trailer != l->id_size)
		p->trailer = 0;
	if (!i) {
		p->trailer = l->id_size;
		s->index->first = s->evlist.evsels[0];
		p->off_id = l->off_id;
		p->rev_id = l->rev_id;
		p->off_time = l->off_time;
		p->rev_time = l->rev_time;
	}
	note_form(s, i);
	p->lone = !i;
	p->all_trailers = p->all_trailers && l->sample_id_all;
}

void places_init(struct session *s)
{
	s->index->places = (struct id_places){ .off_id = -1, .off_time = -1, .all_trailers = true };
	s->index->first = NULL;
	s->index->nr_forms = 0;
	for (size_t i = 0; i < s->evlist.nr; i++)
		places_add(s, i);
}

static bool id_at(const struct wire_layout *l, const u8 *rec, u32 type, size_t size, bool swap,
		  u64 *id)
{
	size_t at;

	if (type == PERF_RECORD_SAMPLE) {
		if (l->off_id < 0)
			return false;
		at = (size_t)l->off_id;
	} else {
		if (!l->rev_id || size < sizeof(struct perf_event_header) + l->id_size)
			return false;
		at = record_end(l, type, rec, size) - l->rev_id;
	}
	if (at + 8 > size)
		return false;
	*id = *(const u64_una *)(rec + at);
	if (swap)
		*id = __builtin_bswap64(*id);
	return true;
}

/*
 * For events with ids at different places: return the event at whose place there is one of its ids.
 */
static struct evsel *find_mixed(struct session *s, const u8 *rec, u32 type, size_t size, bool swap)
{
	const struct session_index *ix = s->index;
	u32 found = MAP64_NONE;

	for (size_t k = 0; k < ix->nr_forms; k++) {
		const struct wire_layout *l = &s->evlist.evsels[ix->forms[k]]->layout;
		u32 i;
		u64 id;

		if (!id_at(l, rec, type, size, swap, &id))
			continue;
		i = map64_get(&s->evlist.by_id, id);
		if (i < s->evlist.nr && same_place(l, &s->evlist.evsels[i]->layout))
			found = MIN(found, i);
	}
	return found < s->evlist.nr ? s->evlist.evsels[found] : ix->first;
}

struct evsel *event_of_id(const struct session *s, u64 id)
{
	const struct session_index *ix = s->index;
	u32 idx;

	/*
	 * Records without an id (old files, synthesized records) belong to the first event, whose
	 * layout all share.
	 */
	if (!id)
		return ix->first;
	idx = map64_get(&s->evlist.by_id, id);
	if (idx == MAP64_NONE || idx >= s->evlist.nr)
		return ix->places.all_trailers ? NULL : ix->first;
	return s->evlist.evsels[idx];
}

struct evsel *find_by_places(struct session *s, const u8 *rec, u32 type, size_t size, bool swap,
			     struct id_cache *cache)
{
	struct session_index *ix = s->index;
	struct id_slot *slot;
	struct evsel *e;
	u64 id;

	if (!ix->first || type >= PERF_RECORD_USER_TYPE_START)
		return NULL;
	if (ix->places.mixed)
		return find_mixed(s, rec, type, size, swap);
	if (!id_at(&ix->first->layout, rec, type, size, swap, &id))
		return ix->first;
	slot = id_slot(cache, id);
	if (likely(slot->evsel && slot->id == id))
		return slot->evsel;
	e = event_of_id(s, id);
	if (e)
		*slot = (struct id_slot){ id, e };
	return e;
}
