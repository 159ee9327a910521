// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/alloc.h"
#include "base/compat.h"
#include "session/reads.h"

bool reads_any(const struct session *s)
{
	for (size_t i = 0; i < s->evlist.nr; i++) {
		if (reads_split(s->evlist.evsels[i]))
			return true;
	}
	return false;
}

static bool take_read(const struct wire_layout *l, const struct sample *s, struct wire_read *w)
{
	return s->read && !wire_read_init(w, l->read_format, s->read, s->read_size);
}

size_t reads_nr(const struct wire_layout *l, const struct sample *s)
{
	struct wire_read w;

	return take_read(l, s, &w) ? (size_t)w.nr : 0;
}

/* Return the increase of the count of an id. */
static u64 step(struct reads *r, u64 id, u64 value)
{
	u32 *place = map64_slot(&r->place, id);
	u64 before;

	if (*place == MAP64_NONE) {
		VEC_GROW(r->last, r->nr + 1, r->cap);
		*place = (u32)r->nr;
		r->last[r->nr++] = 0;
	}
	before = r->last[*place];
	r->last[*place] = value;
	return value - before;
}

void reads_take(struct reads *r, const struct wire_layout *l, const struct sample *s,
		struct deltas *out)
{
	struct wire_read w;

	if (!take_read(l, s, &w))
		return;
	VEC_GROW(out->v, out->nr + w.nr, out->cap);
	for (u64 i = 0; i < w.nr; i++) {
		u64 id, lost, value = wire_read_value(&w, i, &id, &lost);

		out->v[out->nr++] = step(r, id, value);
	}
}

void reads_release(struct reads *r)
{
	map64_release(&r->place);
	free(r->last);
}

int reads_deliver(struct session *s, struct session_event *ev, const u64 *deltas, bool all,
		  int (*put)(void *arg, const struct session_event *ev), void *arg,
		  struct diag *diag)
{
	const struct sample *whole = ev->sample;
	struct evsel *own = ev->evsel;
	struct sample part = *whole;
	struct wire_read w;
	int ret = 0;

	ev->part = PART_RECORD;
	if (all)
		ret = put(arg, ev);
	ev->part = PART_VALUE;
	ev->sample = &part;
	if (!take_read(&own->layout, whole, &w))
		w.nr = 0;
	for (u64 i = 0; !ret && i < w.nr; i++) {
		u64 lost;
		u32 idx;

		(void)wire_read_value(&w, i, &part.id, &lost);
		part.period = deltas[i];
		idx = map64_get(&s->evlist.by_id, part.id);
		if (idx == MAP64_NONE || idx >= s->evlist.nr)
			diag_add(diag, DIAG_UNKNOWN_EVENT, 1, ev->offset);
		if (idx == MAP64_NONE || idx >= s->evlist.nr || !part.period)
			continue;
		ev->evsel = s->evlist.evsels[idx];
		ret = put(arg, ev);
	}
	ev->sample = whole;
	ev->evsel = own;
	ev->part = PART_WHOLE;
	return ret;
}
