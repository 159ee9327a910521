// SPDX-License-Identifier: GPL-2.0-or-later
/* Count the records of a sequence in pass 1, and join the results of two; or count records by their
 * headers and ids alone. */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/session-internal.h"

void tally_init(struct tally *t)
{
	*t = (struct tally){ .in_order = true, .sorted = true };
}

void tally_reset(struct tally *t)
{
	struct tally was = *t;

	tally_init(t);
	t->of_event = was.of_event;
	t->cap_of_event = was.cap_of_event;
	t->side = was.side;
	t->side.nr = 0;
	t->chunks = was.chunks;
	t->cap_chunks = was.cap_chunks;
	t->stretches = was.stretches;
	t->cap_stretches = was.cap_stretches;
}

void tally_release(struct tally *t)
{
	free(t->of_event);
	free(t->chunks);
	free(t->stretches);
	refs_release(&t->side);
	*t = (struct tally){ 0 };
}

void tally_count(struct tally *t, const u8 *rec, u32 type, size_t size, u64 offset)
{
	const wire_header *h = (const void *)rec;
	enum diag_kind kind = DIAG_LOST;
	struct rec_lost lost;

	t->counts[MIN(type, 255U)]++;
	if (type == PERF_RECORD_LOST_SAMPLES)
		kind = h->misc & RECORD_MISC_LOST_BPF ? DIAG_FILTERED : DIAG_LOST_SAMPLES;
	if (type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES) {
		if (rec_lost_decode(rec, size, &lost))
			diag_record(&t->diag, DIAG_BAD_RECORD, type, offset);
		else
			diag_add(&t->diag, kind, lost.lost, offset);
	} else if (!record_name(type)) {
		diag_record(&t->diag, DIAG_UNKNOWN_TYPE, type, offset);
	}
}

static void reserve_events(struct tally *t, size_t nr)
{
	size_t was = t->nr_of_event;

	if (nr <= was)
		return;
	VEC_GROW(t->of_event, nr, t->cap_of_event);
	memset(t->of_event + was, 0, (nr - was) * sizeof(*t->of_event));
	t->nr_of_event = nr;
}

void tally_samples(struct tally *t, const struct session *s, const struct evsel *e, u64 nr)
{
	if (!s->by_event || !e || !nr)
		return;
	reserve_events(t, s->evlist.nr);
	t->of_event[e->idx].samples += nr;
}

void tally_event(struct tally *t, struct session *s, const u8 *rec, u32 type, size_t size,
		 bool swap, struct id_cache *cache)
{
	const struct evsel *e;

	if (type != PERF_RECORD_SAMPLE && type != PERF_RECORD_LOST_SAMPLES)
		return;
	e = evsel_of(s, rec, type, size, swap, cache);
	if (!e)
		return;
	if (unlikely(t->nr_of_event <=
		     e->idx)) /* the events of a pipe become known during the run */
		reserve_events(t, s->evlist.nr);
	if (type == PERF_RECORD_SAMPLE)
		t->of_event[e->idx].samples++;
	else
		t->of_event[e->idx].lost_samples++;
}

/* Join rounds of @next whose result depends on what came before them. */
static void join_clock(struct tally *t, const struct tally *next)
{
	struct round_clock c = t->clock;

	if (next->rounds)
		t->clock.prev_max = MAX(c.max, next->clock.prev_max);
	if (next->rounds == 1)
		t->clock.limit = c.prev_max;
	else if (next->rounds)
		t->clock.limit = MAX(c.max, next->clock.limit);
	t->clock.max = MAX(c.max, next->clock.max);
	t->rounds = MIN(t->rounds + next->rounds, 2U);
}

static void join_times(struct tally *t, const struct tally *next)
{
	if (next->nr_samples) {
		t->in_order = t->in_order && next->in_order &&
			      (!t->nr_samples || t->tail_sample <= next->head_sample);
		if (!t->nr_samples) {
			t->first_time = next->first_time;
			t->head_sample = next->head_sample;
		}
		t->first_time = MIN(t->first_time, next->first_time);
		t->last_time = MAX(t->last_time, next->last_time);
		t->tail_sample = next->tail_sample;
		t->nr_samples += next->nr_samples;
	}
	t->sorted = t->sorted && next->sorted;
	if (next->head_key) {
		t->sorted = t->sorted && t->tail_key <= next->head_key;
		if (!t->head_key)
			t->head_key = next->head_key;
		t->tail_key = next->tail_key;
	}
}

void tally_join(struct tally *t, const struct tally *next)
{
	for (size_t i = 0; i < ARRAY_SIZE(t->counts); i++)
		t->counts[i] += next->counts[i];
	reserve_events(t, next->nr_of_event);
	for (size_t i = 0; i < next->nr_of_event; i++) {
		t->of_event[i].samples += next->of_event[i].samples;
		t->of_event[i].lost_samples += next->of_event[i].lost_samples;
	}
	diag_merge(&t->diag, &next->diag);
	join_clock(t, next);
	join_times(t, next);
	if (next->side.nr) {
		refs_expect(&t->side, next->side.nr);
		memcpy(t->side.v + t->side.nr, next->side.v, next->side.nr * sizeof(*t->side.v));
		t->side.nr += next->side.nr;
	}
	if (next->nr_chunks) {
		VEC_GROW(t->chunks, t->nr_chunks + next->nr_chunks, t->cap_chunks);
		memcpy(t->chunks + t->nr_chunks, next->chunks,
		       next->nr_chunks * sizeof(*t->chunks));
		t->nr_chunks += next->nr_chunks;
	}
	if (next->nr_stretches) {
		VEC_GROW(t->stretches, t->nr_stretches + next->nr_stretches, t->cap_stretches);
		memcpy(t->stretches + t->nr_stretches, next->stretches,
		       next->nr_stretches * sizeof(*t->stretches));
		t->nr_stretches += next->nr_stretches;
	}
}

void tally_publish(struct tally *t, struct session *s)
{
	memcpy(s->counts, t->counts, sizeof(s->counts));
	s->nr_samples = t->nr_samples;
	s->first_time = s->has_time ? t->first_time : 0;
	s->last_time = s->has_time ? t->last_time : 0;
	s->in_order = t->nr_samples && t->in_order;
	diag_merge(&s->diag, &t->diag);
	t->diag = (struct diag){ 0 };
	if (!s->by_event)
		return;
	/* Every event has an entry, also events without records. */
	reserve_events(t, MAX(s->evlist.nr, (size_t)1));
	free(s->of_event);
	s->of_event = t->of_event;
	t->of_event = NULL;
	t->nr_of_event = t->cap_of_event = 0;
}

void tally_run(struct tally *t, const struct sample_run *r)
{
	if (!t->nr_samples) {
		t->head_sample = t->first_time = r->first;
		t->last_time = r->last;
	} else if (r->first < t->tail_sample) {
		t->in_order = false;
	}
	t->in_order &= r->in_order;
	t->first_time = MIN(t->first_time, r->low);
	t->last_time = MAX(t->last_time, r->high);
	t->tail_sample = r->last;
	t->nr_samples += r->nr;
	t->counts[PERF_RECORD_SAMPLE] += r->nr;
	if (!t->head_key)
		t->head_key = r->first;
	t->clock.max = MAX(t->clock.max, r->high);
	t->low = MIN(t->low, r->low);
	t->sorted &= r->in_order && r->first >= t->tail_key;
	t->tail_key = r->last;
}

/* ---- counting alone ---- */

bool counting_applies(const struct session *s)
{
	return s->counts_only && !s->file->swap && !s->index->places.mixed;
}

/* Records of these types only have to be counted. */
static bool is_plain(u32 type)
{
	switch (type) {
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_AUXTRACE:
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
	case PERF_RECORD_EVENT_UPDATE:
	case PERF_RECORD_HEADER_ATTR:
	case PERF_RECORD_HEADER_TRACING_DATA:
	case PERF_RECORD_HEADER_BUILD_ID:
	case PERF_RECORD_HEADER_FEATURE:
		return false;
	default:
		return record_name(type);
	}
}

void counting_init(struct counting *c, struct session *s, struct tally *t)
{
	memset(c, 0, sizeof(*c));
	c->s = s;
	c->t = t;
	for (u32 type = 1; type < COUNTED_TYPES; type++)
		c->plain[type] = is_plain(type);
}

static void flush_slot(struct counting *c, size_t i)
{
	if (c->slots[i].nr)
		tally_samples(c->t, c->s, event_of_id(c->s, c->slots[i].id), c->slots[i].nr);
	c->slots[i].nr = 0;
}

static inline void count_id(struct counting *c, u64 id)
{
	size_t i = id % ID_SLOTS;

	if (unlikely(c->slots[i].id != id)) {
		flush_slot(c, i);
		c->slots[i].id = id;
	}
	c->slots[i].nr++;
}

static inline const u8 *run(struct counting *c, const u8 *p, const u8 *stop, const u8 **last,
			    bool ids)
{
	size_t off = ids ? (size_t)c->s->index->places.off_id : 0, least = off + 8;
	const u8 *prev = *last;
	u64 nr = 0;

	while (stop - p >= (ptrdiff_t)FRAME_HEADER) {
		u64 head = *(const u64_una *)p;
		size_t size = head >> 48;
		u32 type = (u32)head;

		if (unlikely((size & 7) || size < FRAME_HEADER || size > (size_t)(stop - p)))
			break;
		__builtin_prefetch(p + PREFETCH_BYTES);
		if (type == PERF_RECORD_SAMPLE) {
			if (unlikely(size < least))
				break;
			if (ids)
				count_id(c, *(const u64_una *)(p + off));
			nr++;
		} else if (type < COUNTED_TYPES && c->plain[type]) {
			c->types[type]++;
		} else {
			break;
		}
		prev = p;
		p += size;
	}
	*last = prev;
	c->t->counts[PERF_RECORD_SAMPLE] += nr;
	c->t->nr_samples += nr;
	if (!ids)
		tally_samples(c->t, c->s, c->s->index->first, nr);
	return p;
}

const u8 *counting_run(struct counting *c, const u8 *p, const u8 *stop, const u8 **last)
{
	const struct id_places *pl = &c->s->index->places;

	if (c->s->by_event && !pl->lone && c->s->index->first && pl->off_id > 0)
		return run(c, p, stop, last, true);
	return run(c, p, stop, last, false);
}

void counting_end(struct counting *c)
{
	for (size_t i = 0; i < ID_SLOTS; i++)
		flush_slot(c, i);
	for (u32 type = 0; type < COUNTED_TYPES; type++)
		c->t->counts[type] += c->types[type];
	memset(c->types, 0, sizeof(c->types));
}
