// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The driver of pipes, with one consumer. Records are copied into a queue, which is flushed in time
 * order by FINISHED_ROUND, by the end, or by its size, to the same callbacks that files use.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/reads.h"
#include "session/deferred.h"

#include <errno.h>

#define QUEUE_MAX ((size_t)1 << 28) /* the most bytes of records that wait for a round to end */
#define HOLD_MAX ((size_t)1 << 12)  /* the most records without times that wait for a call chain */
#define OUT_FLUSH ((size_t)1 << 16)

struct stream {
	struct session *s;
	const struct session_state_ops *state;
	const struct session_sample_ops *samples; /* either this or the next */
	const struct session_ordered_ops *ordered;
	void *ctx, *worker;
	struct refs queue;
	struct slabs copies; /* the records in the queue */
	struct tally t;
	struct counting counting;
	struct id_cache cache;
	u64 last_key;
	u64 offset, nr_at_offset; /* of the last record that was read, and the number of records
				     before it with the same offset */
	bool news;                /* events have changed since the callback was called last */
	struct strbuf out;
	struct reads reads;           /* for samples that read their groups */
	struct deltas deltas;         /* the increases of one such sample */
	struct expander *expander;    /* owned; NULL before the first compressed record */
	u8 *window;                   /* owned; its window */
	struct deferred_set deferred; /* from records in the queue */
	struct slabs deferred_copies; /* copies of these records */
	struct whole_chain chain;
	bool may_hold,
		held; /* a sample whose call chain is missing holds up the following records */
};

static void queue_drop(struct stream *st, const u8 *rec)
{
	slabs_drop(&st->copies, rec, rec_size(rec));
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

/* Have the worker append what it has kept. */
static void finish_out(struct stream *st)
{
	if (st->ordered && st->ordered->finish && st->ordered->write)
		st->ordered->finish(st->ctx, 0, &st->out);
}

static int to_format(struct stream *st, const struct session_event *ev, struct err *err)
{
	int ret;

	if (!st->ordered->write)
		return st->ordered->format(st->ctx, 0, ev, NULL, err);
	ret = st->ordered->format(st->ctx, 0, ev, &st->out, err);
	return ret ? ret : flush_out(st, OUT_FLUSH, err);
}

static int to_sink(struct stream *st, const struct session_event *ev, struct err *err)
{
	if (st->ordered)
		return to_format(st, ev, err);
	return st->samples->sample ? st->samples->sample(st->worker, ev, err) : 0;
}

/* A sample that was counted as one when it was read belongs to several events. */
static void recount(struct stream *st, const struct evsel *e, u64 nr)
{
	struct session *s = st->s;

	if (s->of_event && e)
		s->of_event[e->idx].samples += nr;
	else
		tally_samples(&st->t, s, e, nr);
}

struct to_parts {
	struct stream *st;
	struct err *err;
};

static int put_part(void *arg, const struct session_event *ev)
{
	struct to_parts *to = arg;

	recount(to->st, ev->part == PART_RECORD ? NULL : ev->evsel, 1);
	return to_sink(to->st, ev, to->err);
}

/* Deliver a sample that read its group. */
static int deliver_parts(struct stream *st, struct session_event *ev, struct err *err)
{
	struct to_parts to = { st, err };

	recount(st, ev->evsel, (u64)-1);
	st->deltas.nr = 0;
	reads_take(&st->reads, &ev->evsel->layout, ev->sample, &st->deltas);
	return reads_deliver(st->s, ev, st->deltas.v, st->ordered && st->ordered->all, put_part,
			     &to, &st->s->diag);
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
		ev.sample = NULL;
	} else if (sample_decode(&e->layout, rec, rec_size(rec), &sample) < 0) {
		diag_record(&s->diag, DIAG_BAD_RECORD, PERF_RECORD_SAMPLE, offset);
		ev.sample = NULL;
	} else if (chain_is_merged(s, &sample)) {
		st->held = st->may_hold && !deferred_find(&st->deferred, &e->layout, key, &sample);
		if (st->held)
			return 0;
		deferred_merge(&st->deferred, &e->layout, key, &sample, &st->chain);
	}
	if (!ev.sample && !(st->ordered && st->ordered->all))
		return 0;
	if (ev.sample && reads_split(e))
		return deliver_parts(st, &ev, err);
	return to_sink(st, &ev, err);
}

static int tell_news(struct stream *st, struct err *err)
{
	if (!st->news)
		return 0;
	st->news = false;
	finish_out(st); /* this may be what it was made with */
	session_refresh_names(st->s);
	return st->state->events
		       ? st->state->events(st->ctx, &st->s->evlist, &st->s->file->env, err)
		       : 0;
}

static int deliver(struct stream *st, const struct ref *r, struct err *err)
{
	u64 offset = copy_offset(r->rec);
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

/* Deliver the records up to @limit. @hold: stop at a sample that waits for its call chain */
static int flush_queue(struct stream *st, u64 limit, bool hold, struct err *err)
{
	struct refs *q = &st->queue;
	bool used = false;
	int ret = 0;
	size_t i;

	refs_sort(q, NULL);
	deferred_sort(&st->deferred);
	st->may_hold = hold;
	st->held = false;
	for (i = 0; !ret && i < q->nr && q->v[i].key <= limit; i++) {
		ret = deliver(st, &q->v[i], err);
		if (st->held)
			break;
		used |= rec_type(q->v[i].rec) == PERF_RECORD_CALLCHAIN_DEFERRED_;
		queue_drop(st, q->v[i].rec);
	}
	if (used)
		deferred_forget(&st->deferred, q->v[i - 1].key, &st->deferred_copies);
	refs_drop(q, i);
	return ret;
}

/*
 * No round ends: the later half of the queue continues to wait, so that only records later than
 * that come out of order.
 */
static int flush_half(struct stream *st, struct err *err)
{
	const struct refs *q = &st->queue;

	refs_sort(&st->queue, NULL);
	return flush_queue(st, q->v[q->nr / 2].key, false, err);
}

/* ---- what a pipe says about itself ---- */

static void take_attr(struct stream *st, const u8 *rec, size_t size, u64 at)
{
	struct session *s = st->s;
	struct rec_attr a;

	if (rec_attr_decode(rec, size, &a) < 0) {
		diag_record(&s->diag, DIAG_BAD_RECORD, PERF_RECORD_HEADER_ATTR, at);
		return;
	}
	file_attr_more(perf_file_add_attr(s->file, &a.attr, a.ids, a.nr_ids), a.more, a.nr_more);
	session_add_attr(s, s->file->nr_attrs - 1);
	s->counts_only = s->counts_only && !reads_any(s);
	memset(&st->cache, 0, sizeof(st->cache));
	st->news = true;
}

static void take_header_record(struct stream *st, const u8 *rec, u32 type, size_t size,
			       const struct pipe_record *pr)
{
	struct perf_file *f = st->s->file;

	switch (type) {
	case PERF_RECORD_HEADER_ATTR:
		take_attr(st, rec, size, pr->offset);
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
	case PERF_RECORD_ID_INDEX:
		guest_ids_note(&st->s->guests, (const wire_header *)rec);
		break;
	default:
		break;
	}
}

/* ---- reading ---- */

/*
 * Return the place of the next record in the order of the stream; records from one compressed
 * record share its offset.
 */
static u64 next_place(struct stream *st, u64 offset)
{
	st->nr_at_offset = offset == st->offset ? st->nr_at_offset + 1 : 0;
	st->offset = offset;
	return nth_place(offset, st->nr_at_offset);
}

/* Add one record in native order, which is copied already, to the queue. */
static int enqueue(struct stream *st, u8 *rec, u64 offset, struct err *err)
{
	struct session *s = st->s;
	struct tally *t = &st->t;
	u32 type = rec_type(rec);
	u64 key;

	tally_count(t, rec, type, rec_size(rec), offset);
	if (s->by_event)
		tally_event(t, s, rec, type, rec_size(rec), false, &st->cache);
	if (type == PERF_RECORD_FINISHED_ROUND)
		tally_round(t);
	if ((!record_name(type) && !(st->ordered && st->ordered->all)) || s->counts_only) {
		queue_drop(st, rec);
		return 0;
	}
	key = record_key(s, &t->clock, rec, type, rec_size(rec), next_place(st, offset),
			 &st->cache);
	if (type == PERF_RECORD_SAMPLE)
		tally_sample(t, key);
	tally_key(t, key);
	refs_add(&st->queue, key, rec);
	if (type == PERF_RECORD_CALLCHAIN_DEFERRED_)
		deferred_add(&st->deferred, s,
			     slabs_copy(&st->deferred_copies, rec, rec_size(rec), offset), key,
			     &st->cache);
	if (st->copies.live > QUEUE_MAX)
		return flush_half(st, err);
	if (!s->has_time || s->file_order)
		return flush_queue(st, UINT64_MAX, st->queue.nr < HOLD_MAX, err);
	if (type == PERF_RECORD_FINISHED_ROUND)
		return flush_queue(st, t->clock.limit, true, err);
	return 0;
}

/* Tell whether only counts are needed, which requires no more than header and id. */
static bool count_only(struct stream *st, const struct pipe_record *pr)
{
	const struct session *s = st->s;

	if (!s->counts_only ||
	    (pr->type != PERF_RECORD_SAMPLE && pr->type != PERF_RECORD_FINISHED_ROUND))
		return false;
	st->t.counts[pr->type]++;
	if (pr->type == PERF_RECORD_SAMPLE) {
		st->t.nr_samples++;
		if (s->by_event)
			tally_event(&st->t, st->s, (const u8 *)pr->rec, pr->type, pr->size,
				    s->file->swap, &st->cache);
	}
	return true;
}

static int take_record(struct stream *st, const struct pipe_record *pr, struct err *err);

/* Process the records of one window; bytes that the next one has to complete are kept. */
static int take_window(struct stream *st, const struct pipe_record *outer, size_t len,
		       struct err *err)
{
	bool swap = st->s->file->swap;
	const u8 *p = st->window, *end = p + len, *prev = NULL;
	int ret = 0;

	while (!ret && p < end) {
		struct pipe_record in = { .offset = outer->offset };
		bool room;

		if (counting_applies(st->s))
			p = counting_run(&st->counting, p, end, &prev);
		room = end - p >= (ptrdiff_t)FRAME_HEADER;
		in.rec = (struct perf_event_header *)p;

		in.type = room ? frame_type(p, swap) : 0;
		in.size = room ? (u16)frame_size(p, swap) : 0;
		if (!room || (in.size > end - p && record_name(in.type)))
			break;
		if (in.size < FRAME_HEADER || in.size > end - p ||
		    !frame_believable(p, in.type, in.size, end, swap)) {
			const u8 *from = prev ? prev : p;

			diag_record(&st->t.diag, DIAG_BAD_SIZE, in.type, outer->offset);
			p = frame_resync(from, end, (u64)(from - st->window), swap, false);
			prev = NULL;
			if (!p)
				p = end;
			continue;
		}
		prev = p;
		p += in.size;
		if (in.type == PERF_RECORD_COMPRESSED || in.type == PERF_RECORD_COMPRESSED2)
			diag_record(&st->t.diag, DIAG_BAD_COMPRESSED, in.type, outer->offset);
		else
			ret = take_record(st, &in, err);
	}
	expand_keep(st->expander, p, (size_t)(end - p));
	return ret;
}

static int tell_arrived(struct stream *st, const struct pipe_record *pr, const u8 *rec,
			struct err *err)
{
	if (!st->ordered || !st->ordered->arrived)
		return 0;
	return st->ordered->arrived(st->ctx, pr, (const wire_header *)rec, err);
}

static int take_compressed(struct stream *st, const struct pipe_record *pr, struct err *err)
{
	struct pipe_record outer = *pr;
	ssize_t len = -EINVAL;
	int ret = tell_arrived(st, pr, (const u8 *)pr->rec, err);

	st->t.counts[outer.type]++;
	if (ret)
		return MIN(ret, 0);
	if (!st->expander) {
		st->expander = expander_new();
		st->window = xmalloc(EXPAND_WINDOW);
	}
	if (!expand_begin(st->expander, (const u8 *)pr->rec, pr->type, pr->size, st->s->file->swap))
		while (!ret && (len = expand_more(st->expander, st->window)) > 0)
			ret = take_window(st, &outer, (size_t)len, err);
	if (len < 0)
		diag_record(&st->t.diag, DIAG_BAD_COMPRESSED, outer.type, outer.offset);
	return ret;
}

static int take_record(struct stream *st, const struct pipe_record *pr, struct err *err)
{
	struct session *s = st->s;
	u32 type = pr->type;
	u8 *rec;
	int ret;

	if (count_only(st, pr))
		return 0;
	if (type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2)
		return take_compressed(st, pr, err);
	rec = slabs_copy(&st->copies, pr->rec, pr->size, pr->offset);
	if (s->file->swap)
		*(u16_una *)(rec + 6) = __builtin_bswap16(pr->size);
	if (s->file->swap && !swap_record(s, rec, type, pr->size, &st->cache)) {
		diag_record(&s->diag, DIAG_BAD_RECORD, type, pr->offset);
		slabs_drop(&st->copies, rec, pr->size);
		return 0;
	}
	*(u16_una *)(rec + 6) = pr->size;
	take_header_record(st, rec, type, pr->size, pr);
	ret = tell_arrived(st, pr, rec, err);
	if (ret) {
		tally_count(&st->t, rec, type, pr->size, pr->offset);
		st->t.nr_samples += type == PERF_RECORD_SAMPLE;
		slabs_drop(&st->copies, rec, pr->size);
		return MIN(ret, 0);
	}
	return enqueue(st, rec, pr->offset, err);
}

/* Count the records in the buffer as far as possible. */
static void count_buffered(struct stream *st)
{
	struct source *src = st->s->source;
	size_t len;
	const u8 *p = src->ops->peek(src, &len), *last = p;
	const u8 *to = counting_run(&st->counting, p, p + len, &last);

	src->ops->skip(src, (size_t)(to - p), (size_t)(last - p));
}

static int run_stream(struct stream *st, struct err *err)
{
	struct session *s = st->s;
	struct pipe_record pr;
	int ret = 0;

	bool again = s->index->scanned;

	if (again && !source_rewind(s->source))
		return 0;
	if (!again)
		s->index->diag_before = s->diag;
	s->diag = s->index->diag_before; /* the diagnostics of the run before will be found again */
	s->index->scanned = true;
	st->news = s->evlist.nr > 0;
	tally_init(&st->t);
	counting_init(&st->counting, s, &st->t);
	while (!ret) {
		if (s->source->ops->peek && counting_applies(s))
			count_buffered(st);
		ret = source_next(s->source, &pr, &s->diag, err);
		if (ret <= 0)
			break;
		ret = take_record(st, &pr, err);
	}
	counting_end(&st->counting);
	tally_publish(&st->t, s);
	if (!ret)
		ret = flush_queue(st, UINT64_MAX, false, err);
	if (!ret)
		ret = tell_news(st, err); /* a pipe without records has events as well */
	if (!ret && st->ordered && st->ordered->write) {
		finish_out(st);
		ret = flush_out(st, 0, err);
	}
	return ret;
}

static void stream_release(struct stream *st)
{
	slabs_release(&st->copies);
	tally_release(&st->t);
	refs_release(&st->queue);
	strbuf_release(&st->out);
	reads_release(&st->reads);
	free(st->deltas.v);
	expander_free(st->expander);
	free(st->window);
	deferred_release(&st->deferred);
	slabs_release(&st->deferred_copies);
	free(st->chain.words);
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
