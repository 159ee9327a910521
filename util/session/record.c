// SPDX-License-Identifier: GPL-2.0-or-later
/* Handle a single record, as all drivers do: its key, its counts, its event, its callback. */
#include "base/compat.h"
#include "session/session-internal.h"

#include <errno.h>

bool is_state_record(u32 type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_NAMESPACES:
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_TEXT_POKE:
		return true;
	default:
		return false;
	}
}

/*
 * Return the key of a kernel record of events without sample_id_all. An EXIT has a time of its own,
 * and a late one does no harm.
 */
static u64 key_without_trailer(const struct round_clock *clock, const u8 *rec, u32 type,
			       size_t size)
{
	struct rec_task task;

	if (type == PERF_RECORD_EXIT && !rec_task_decode(rec, size, &task))
		return MAX(clock->limit, task.time);
	return clock->limit;
}

u64 record_key(struct session *s, const struct round_clock *clock, const u8 *rec, u32 type,
	       size_t size, u64 place, struct id_cache *cache)
{
	const struct id_places *pl = &s->index->places;
	const struct wire_layout *l;
	const struct evsel *e;
	u64 time;

	if (s->file_order)
		return place;
	if (type == PERF_RECORD_SAMPLE && !pl->mixed && pl->off_time > 0 &&
	    size >= (size_t)pl->off_time + 8)
		return *(const u64_una *)(rec + pl->off_time);
	if (!s->has_time)
		return place;
	if (type >= PERF_RECORD_USER_TYPE_START)
		return 0;
	if (type != PERF_RECORD_SAMPLE && !pl->mixed && pl->trailer && pl->rev_time) {
		/* the event does not matter */
		l = &s->index->first->layout;
	} else {
		e = evsel_of(s, rec, type, size, false, cache);
		l = e ? &e->layout : &s->index->first->layout;
	}
	if (type == PERF_RECORD_SAMPLE) {
		if (l->off_time < 0 || size < (size_t)l->off_time + 8)
			return clock->limit;
		return *(const u64_una *)(rec + l->off_time);
	}
	if (!l->rev_time)
		return key_without_trailer(clock, rec, type, size);
	if (size < sizeof(struct perf_event_header) + l->id_size)
		return 0;
	time = *(const u64_una *)(rec + record_end(l, type, rec, size) - l->rev_time);
	return time == ~0ULL ? 0 : time;
}

bool in_mapping(const struct session *s, const u8 *rec)
{
	const struct perf_file *f = s->file;

	if (rec >= f->map && rec < f->map + f->size)
		return true;
	for (size_t i = 0; i < f->nr_parts; i++)
		if (rec >= f->parts[i].map && rec < f->parts[i].map + f->parts[i].size)
			return true;
	return false;
}

u64 record_offset(const struct session *s, const u8 *rec)
{
	const struct perf_file *f = s->file;

	if (rec >= f->map && rec < f->map + f->size)
		return (u64)(rec - f->map);
	for (size_t i = 0; i < f->nr_parts; i++) {
		const struct file_part *part = &f->parts[i];

		if (rec >= part->map && rec < part->map + part->size)
			return part->base + (u64)(rec - part->map);
	}
	return copy_offset(rec);
}

bool swap_record(struct session *s, u8 *rec, u32 type, u32 size, struct id_cache *cache)
{
	struct evsel *first = s->index->first;
	struct evsel *e = first ? evsel_of(s, rec, type, size, true, cache) : NULL;

	if (!e && type < PERF_RECORD_USER_TYPE_START)
		e = first;
	if (!record_swap(e ? &e->layout : NULL, rec, size))
		return true;
	*(u32_una *)rec = 0;
	return false;
}

void record_event_plain(const u8 *rec, u64 offset, u64 key, struct session_event *ev)
{
	*ev = (struct session_event){
		.hdr = (const wire_header *)rec,
		.offset = offset,
		.time = key,
		.id = { .time = ~0ULL, .id = ~0ULL, .stream_id = ~0ULL, .cpu = ~0U },
	};
}

void record_event(struct session *s, const u8 *rec, u64 offset, u64 key, struct id_cache *cache,
		  struct session_event *ev)
{
	u32 type = rec_type(rec), size = rec_size(rec);
	struct evsel *e = NULL;

	record_event_plain(rec, offset, key, ev);
	if (type >= PERF_RECORD_USER_TYPE_START || !s->index->first)
		return;
	e = evsel_of(s, rec, type, size, false, cache);
	ev->evsel = e;
	/* A record that is too short for a trailer keeps all bits set. */
	(void)sample_id_decode(&(e ? e : s->index->first)->layout, rec, size, &ev->id);
	if (unlikely(s->guests.nr))
		ev->guest = guest_ids_find(&s->guests, ev->id.id);
}

void count_unread(struct diag *d, const struct session_event *ev)
{
	if (ev->evsel)
		diag_record(d, DIAG_BAD_RECORD, PERF_RECORD_SAMPLE, ev->offset);
	else
		diag_add(d, DIAG_UNKNOWN_EVENT, 1, ev->offset);
}

int deliver_state(struct session *s, const struct session_state_ops *ops, void *ctx,
		  const struct session_event *ev, struct err *err)
{
	int ret = 0;

	if (is_state_record(ev->hdr->type)) {
		if (ops->state)
			ret = ops->state(ctx, ev, err);
	} else if (ops->other) {
		ret = ops->other(ctx, ev, err);
	}
	if (ret != -EINVAL)
		return ret;
	diag_record(&s->diag, DIAG_BAD_RECORD, ev->hdr->type, ev->offset);
	return 0;
}
