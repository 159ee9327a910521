// SPDX-License-Identifier: GPL-2.0-or-later
/* What every driver does with a single record: its key, its counts, its event, its sink. */
#include "base/alloc.h"
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

/* Kernel records of events without sample_id_all. An EXIT knows its own time, and late is safe for
 * it. */
static u64 key_without_trailer(const struct round_clock *clock, const u8 *rec, u32 type,
			       size_t size)
{
	struct rec_task task;

	if (type == PERF_RECORD_EXIT && !rec_task_decode(rec, size, &task))
		return MAX(clock->limit, task.time);
	return clock->limit;
}

u64 record_key(struct session *s, const struct round_clock *clock, const u8 *rec, u32 type,
	       size_t size, u64 offset, struct id_cache *cache)
{
	const struct id_places *pl = &s->index->places;
	const struct wire_layout *l;
	const struct evsel *e;
	u64 time;

	if (type == PERF_RECORD_SAMPLE && !pl->mixed && pl->off_time > 0 &&
	    size >= (size_t)pl->off_time + 8)
		return *(const u64_una *)(rec + pl->off_time);
	if (!s->has_time)
		return offset;
	if (type >= PERF_RECORD_USER_TYPE_START)
		return 0;
	e = evsel_of(s, rec, type, size, false, cache);
	if (!e)
		e = s->index->first;
	l = &e->layout;
	if (type == PERF_RECORD_SAMPLE) {
		if (l->off_time < 0 || size < (size_t)l->off_time + 8)
			return clock->limit;
		return *(const u64_una *)(rec + l->off_time);
	}
	if (!l->rev_time)
		return key_without_trailer(clock, rec, type, size);
	if (size < sizeof(struct perf_event_header) + l->id_size)
		return 0;
	time = *(const u64_una *)(rec + size - l->rev_time);
	return time == ~0ULL ? 0 : time;
}

void count_record(struct session *s, const u8 *rec, u32 type, size_t size, u64 offset)
{
	struct rec_lost lost;

	s->counts[MIN(type, 255U)]++;
	if (type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES) {
		if (rec_lost_decode(rec, size, &lost))
			diag_add(&s->diag, DIAG_BAD_RECORD, 1, offset);
		else
			diag_add(&s->diag, type == PERF_RECORD_LOST ? DIAG_LOST : DIAG_LOST_SAMPLES,
				 lost.lost, offset);
	} else if (!record_name(type)) {
		diag_add(&s->diag, DIAG_UNKNOWN_TYPE, 1, offset);
	}
}

void count_by_event(struct session *s, const u8 *rec, u32 type, size_t size, struct id_cache *cache)
{
	struct session_index *ix = s->index;
	const struct evsel *e;

	if (type != PERF_RECORD_SAMPLE && type != PERF_RECORD_LOST_SAMPLES)
		return;
	e = evsel_of(s, rec, type, size, false, cache);
	if (!e)
		return;
	while (unlikely(ix->nr_of_event <= e->idx)) { /* a pipe tells of its events as it goes */
		VEC_GROW(s->of_event, ix->nr_of_event + 1, ix->cap_of_event);
		s->of_event[ix->nr_of_event++] = (struct event_counts){ 0 };
	}
	if (type == PERF_RECORD_SAMPLE)
		s->of_event[e->idx].samples++;
	else
		s->of_event[e->idx].lost_samples++;
}

/* Every event has a place, also those that no record belongs to. */
void counts_by_event_end(struct session *s)
{
	struct session_index *ix = s->index;

	while (s->by_event && ix->nr_of_event < s->evlist.nr) {
		VEC_GROW(s->of_event, ix->nr_of_event + 1, ix->cap_of_event);
		s->of_event[ix->nr_of_event++] = (struct event_counts){ 0 };
	}
}

void record_event(struct session *s, const u8 *rec, u64 offset, u64 key, struct id_cache *cache,
		  struct session_event *ev)
{
	u32 type = rec_type(rec), size = rec_size(rec);
	struct evsel *e = NULL;

	*ev = (struct session_event){
		.hdr = (const wire_header *)rec,
		.offset = offset,
		.time = key,
		.id = { .time = ~0ULL, .id = ~0ULL, .stream_id = ~0ULL, .cpu = ~0U },
	};
	if (type >= PERF_RECORD_USER_TYPE_START || !s->index->first)
		return;
	e = evsel_of(s, rec, type, size, false, cache);
	ev->evsel = e;
	/* Too short for a trailer: all ones it stays. */
	(void)sample_id_decode(&(e ? e : s->index->first)->layout, rec, size, &ev->id);
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
	diag_add(&s->diag, DIAG_BAD_RECORD, 1, ev->offset);
	return 0;
}
