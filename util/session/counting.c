// SPDX-License-Identifier: GPL-2.0-or-later
/* Count records by their headers and ids alone. */
#include "base/compat.h"
#include "session/session-internal.h"

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
		__builtin_prefetch(p + AHEAD);
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
