// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The driver of pipes: one consumer. Records are copied into a queue, which FINISHED_ROUND, the
 * end, or its own size flush in time order into the same sinks that files feed.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/expand.h"
#include "session/session-internal.h"

#include <errno.h>

#define SLAB_SIZE ((size_t)1 << 18)
#define QUEUE_MAX ((size_t)1 << 28) /* bytes of records that may wait for a round to end */
#define OUT_FLUSH ((size_t)1 << 16)

/* Copies of records; freed when the last of them was delivered. */
struct slab {
	size_t used, live;
	u8 bytes[];
};

/* What stands before each copy. */
struct slab_head {
	struct slab *slab;
	u64 offset;
};

struct stream {
	struct session *s;
	const struct session_state_ops *state;
	const struct session_sample_ops *samples; /* or */
	const struct session_ordered_ops *ordered;
	void *ctx, *worker;
	struct refs queue;
	struct slab *slab; /* copies go here; NULL before the first */
	size_t queued;     /* bytes in the queue */
	struct round_clock clock;
	struct id_cache cache;
	u64 last_key;
	bool news; /* events changed since the sink last heard */
	struct strbuf out;
	struct expander *expander;
};

/* ---- the queue ---- */

static u8 *queue_copy(struct stream *st, const void *rec, size_t size, u64 offset)
{
	size_t need = ALIGN_UP(sizeof(struct slab_head) + size, (size_t)8);
	struct slab_head *h;

	if (!st->slab || st->slab->used + need > SLAB_SIZE) {
		if (st->slab && !st->slab->live)
			free(st->slab);
		st->slab = xmalloc(sizeof(struct slab) + SLAB_SIZE);
		*st->slab = (struct slab){ 0 };
	}
	h = (struct slab_head *)(st->slab->bytes + st->slab->used);
	*h = (struct slab_head){ st->slab, offset };
	memcpy(h + 1, rec, size);
	st->slab->used += need;
	st->slab->live++;
	st->queued += need;
	return (u8 *)(h + 1);
}

static void queue_drop(struct stream *st, const u8 *rec)
{
	struct slab *slab = ((const struct slab_head *)rec - 1)->slab;

	st->queued -= ALIGN_UP(sizeof(struct slab_head) + rec_size(rec), (size_t)8);
	if (!--slab->live && slab != st->slab)
		free(slab);
}

/* ---- delivery ---- */

static int flush_out(struct stream *st, size_t above, struct err *err)
{
	int ret;

	if (st->out.len <= above)
		return 0;
	ret = st->ordered->write(st->ctx, st->out.buf, st->out.len, err);
	strbuf_reset(&st->out);
	return ret;
}

static int to_format(struct stream *st, const struct session_event *ev, struct err *err)
{
	int ret;

	if (!st->ordered->write)
		return st->ordered->format(st->ctx, 0, ev, NULL, err);
	ret = st->ordered->format(st->ctx, 0, ev, &st->out, err);
	return ret ? ret : flush_out(st, OUT_FLUSH, err);
}

static int deliver_sample(struct stream *st, const u8 *rec, u64 offset, u64 key, struct err *err)
{
	struct session *s = st->s;
	struct evsel *e = evsel_of(s, rec, PERF_RECORD_SAMPLE, rec_size(rec), false, &st->cache);
	struct sample sample;
	struct session_event ev = {
		.hdr = (const wire_header *)rec,
		.offset = offset,
		.time = key,
		.evsel = e,
		.sample = &sample,
	};

	if (!e) {
		diag_add(&s->diag, DIAG_UNKNOWN_EVENT, 1, offset);
		return 0;
	}
	if (sample_decode(&e->layout, rec, rec_size(rec), &sample) < 0) {
		diag_add(&s->diag, DIAG_BAD_RECORD, 1, offset);
		return 0;
	}
	if (st->ordered)
		return to_format(st, &ev, err);
	return st->samples->sample ? st->samples->sample(st->worker, &ev, err) : 0;
}

static int tell_news(struct stream *st, struct err *err)
{
	if (!st->news)
		return 0;
	st->news = false;
	session_refresh_names(st->s);
	return st->state->events
		       ? st->state->events(st->ctx, &st->s->evlist, &st->s->file->env, err)
		       : 0;
}

static int deliver(struct stream *st, const struct ref *r, struct err *err)
{
	u64 offset = ((const struct slab_head *)r->rec - 1)->offset;
	struct session_event ev;
	int ret = tell_news(st, err);

	if (ret)
		return ret;
	if (r->key && r->key < st->last_key)
		diag_add(&st->s->diag, DIAG_OUT_OF_ORDER, 1, offset);
	else if (r->key)
		st->last_key = r->key;
	if (rec_type(r->rec) == PERF_RECORD_SAMPLE)
		return deliver_sample(st, r->rec, offset, r->key, err);
	record_event(st->s, r->rec, offset, r->key, &st->cache, &ev);
	ret = deliver_state(st->s, st->state, st->ctx, &ev, err);
	if (!ret && st->ordered && st->ordered->all)
		ret = to_format(st, &ev, err);
	return ret;
}

static int flush_queue(struct stream *st, u64 limit, struct err *err)
{
	struct refs *q = &st->queue;
	int ret = 0;
	size_t i;

	refs_sort(q);
	for (i = 0; !ret && i < q->nr && q->v[i].key <= limit; i++) {
		ret = deliver(st, &q->v[i], err);
		queue_drop(st, q->v[i].rec);
	}
	refs_drop(q, i);
	return ret;
}

/* ---- what a pipe says about itself ---- */

static void take_attr(struct stream *st, const u8 *rec, size_t size)
{
	struct session *s = st->s;
	struct perf_event_attr attr;
	size_t attr_size;

	if (size < 8 + PERF_ATTR_SIZE_VER0)
		goto bad;
	attr_size = *(const u32_una *)(rec + 12);
	if (!attr_size)
		attr_size = PERF_ATTR_SIZE_VER0;
	if (attr_size < PERF_ATTR_SIZE_VER0 || attr_size > size - 8)
		goto bad;
	attr_decode(&attr, rec + 8, attr_size, false);
	perf_file_add_attr(s->file, &attr, (const u64_una *)(rec + 8 + attr_size),
			   (size - 8 - attr_size) / 8);
	session_add_attr(s, s->file->nr_attrs - 1);
	st->cache = (struct id_cache){ 0 };
	st->news = true;
	return;
bad:
	diag_add(&s->diag, DIAG_BAD_RECORD, 1, 0);
}

static void take_header_record(struct stream *st, const u8 *rec, u32 type, size_t size,
			       const struct pipe_record *pr)
{
	struct perf_file *f = st->s->file;

	switch (type) {
	case PERF_RECORD_HEADER_ATTR:
		take_attr(st, rec, size);
		break;
	case PERF_RECORD_HEADER_FEATURE:
		if (size < 16 ||
		    perf_file_add_feature(f, (u32)MIN(*(const u64_una *)(rec + 8), (u64)UINT32_MAX),
					  rec + 16, size - 16) < 0)
			diag_add(&st->s->diag, DIAG_BAD_FEATURE, 1, pr->offset);
		st->news = true;
		break;
	case PERF_RECORD_HEADER_BUILD_ID:
		if (perf_file_add_build_id(f, rec, size) < 0)
			diag_add(&st->s->diag, DIAG_BAD_FEATURE, 1, pr->offset);
		break;
	case PERF_RECORD_HEADER_TRACING_DATA:
		if (pr->payload)
			perf_file_set_tracing(f, pr->payload, pr->payload_size);
		st->news = true;
		break;
	case PERF_RECORD_EVENT_UPDATE:
		session_event_update(st->s, rec, size);
		st->news = true;
		break;
	default:
		break;
	}
}

/* ---- reading ---- */

static void note_sample(struct stream *st, u64 key)
{
	struct session *s = st->s;

	if (!s->has_time)
		key = 0;
	if (!s->nr_samples++)
		s->first_time = s->last_time = key;
	s->first_time = MIN(s->first_time, key);
	s->last_time = MAX(s->last_time, key);
}

/* One record in native order, copied already. */
static int enqueue(struct stream *st, u8 *rec, u64 offset, struct err *err)
{
	struct session *s = st->s;
	u32 type = rec_type(rec);
	u64 key;

	count_record(s, rec, type, rec_size(rec), offset);
	if (s->by_event)
		count_by_event(s, rec, type, rec_size(rec), &st->cache);
	if (type == PERF_RECORD_FINISHED_ROUND)
		round_finished(&st->clock);
	if (!record_name(type)) {
		queue_drop(st, rec);
		return 0;
	}
	key = record_key(s, &st->clock, rec, type, rec_size(rec), offset, &st->cache);
	if (type == PERF_RECORD_SAMPLE)
		note_sample(st, key);
	if (key > st->clock.max)
		st->clock.max = key;
	refs_add(&st->queue, key, rec);
	if (type == PERF_RECORD_FINISHED_ROUND)
		return flush_queue(st, st->clock.limit, err);
	if (st->queued > QUEUE_MAX || !s->has_time)
		return flush_queue(st, UINT64_MAX, err);
	return 0;
}

static int take_record(struct stream *st, const struct pipe_record *pr, struct err *err);

/* The records inside a compressed one, one after the other. */
static int take_compressed(struct stream *st, const struct pipe_record *outer, const u8 *rec,
			   struct err *err)
{
	bool swap = st->s->file->swap;
	u8 *buf = NULL;
	size_t len = 0, at = 0;
	int ret = 0;

	if (expand_record(&st->expander, rec, outer->type, outer->size, &buf, &len) < 0) {
		diag_add(&st->s->diag, DIAG_BAD_COMPRESSED, 1, outer->offset);
		return 0;
	}
	while (!ret && len - at >= sizeof(struct perf_event_header)) {
		struct pipe_record in = { .rec = (struct perf_event_header *)(buf + at),
					  .offset = outer->offset };

		in.type = swap ? __builtin_bswap32(rec_type(buf + at)) : rec_type(buf + at);
		in.size = swap ? __builtin_bswap16(rec_size(buf + at)) : rec_size(buf + at);
		if (in.size < sizeof(struct perf_event_header)) {
			diag_add(&st->s->diag, DIAG_BAD_SIZE, 1, outer->offset);
			at = len;
			break;
		}
		if (in.size > len - at)
			break;
		at += in.size;
		if (in.type == PERF_RECORD_COMPRESSED || in.type == PERF_RECORD_COMPRESSED2)
			diag_add(&st->s->diag, DIAG_BAD_COMPRESSED, 1, outer->offset);
		else
			ret = take_record(st, &in, err);
	}
	if (buf)
		expand_keep(st->expander, buf + at, len - at);
	free(buf);
	return ret;
}

static int take_record(struct stream *st, const struct pipe_record *pr, struct err *err)
{
	struct session *s = st->s;
	u8 *rec = queue_copy(st, pr->rec, pr->size, pr->offset);
	u32 type = pr->type;

	if (s->file->swap) {
		struct evsel *e =
			s->index->first ? evsel_of(s, rec, type, pr->size, true, &st->cache) : NULL;

		if (!e && type < PERF_RECORD_USER_TYPE_START)
			e = s->index->first;
		*(u16_una *)(rec + 6) = __builtin_bswap16(pr->size);
		if (record_swap(e ? &e->layout : NULL, rec, pr->size) < 0) {
			diag_add(&s->diag, DIAG_BAD_RECORD, 1, pr->offset);
			queue_drop(st, rec);
			return 0;
		}
	}
	*(u16_una *)(rec + 6) = pr->size;
	take_header_record(st, rec, type, pr->size, pr);
	if (type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2) {
		struct pipe_record outer = *pr;
		int ret = take_compressed(st, &outer, rec, err);

		count_record(s, rec, type, pr->size, pr->offset);
		queue_drop(st, rec);
		return ret;
	}
	return enqueue(st, rec, pr->offset, err);
}

static int run_stream(struct stream *st, struct err *err)
{
	struct session *s = st->s;
	struct pipe_record pr;
	int ret = 0;

	if (s->index->scanned) /* a pipe can be read once */
		return 0;
	s->index->scanned = true;
	s->nr_samples = 0;
	while (!ret) {
		ret = pipe_next(s->file, &pr, &s->diag, err);
		if (ret <= 0)
			break;
		ret = take_record(st, &pr, err);
	}
	counts_by_event_end(s);
	if (!ret)
		ret = flush_queue(st, UINT64_MAX, err);
	if (!ret)
		ret = tell_news(st, err); /* a pipe without records still has events */
	if (!ret && st->ordered && st->ordered->write)
		ret = flush_out(st, 0, err);
	return ret;
}

static void stream_release(struct stream *st)
{
	for (size_t i = 0; i < st->queue.nr; i++)
		queue_drop(st, st->queue.v[i].rec);
	free(st->slab);
	refs_release(&st->queue);
	strbuf_release(&st->out);
	expander_free(st->expander);
}

int stream_samples(struct session *s, const struct session_sample_ops *ops, void *ctx,
		   struct err *err)
{
	struct stream st = { .s = s, .state = &ops->state, .samples = ops, .ctx = ctx };
	int ret;

	st.worker = ops->worker_new ? ops->worker_new(ctx, 0) : ctx;
	ret = run_stream(&st, err);
	stream_release(&st);
	return ret;
}

int stream_ordered(struct session *s, const struct session_ordered_ops *ops, void *ctx,
		   struct err *err)
{
	struct stream st = { .s = s, .state = &ops->state, .ordered = ops, .ctx = ctx };
	int ret = run_stream(&st, err);

	stream_release(&st);
	return ret;
}
