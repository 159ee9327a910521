// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Delivers samples in time order to a consumer that takes each at once, as engines do that follow
 * the order of events.
 *
 *	walk chunks -> stretches of samples in order -> runs -> the first of all runs is decoded
 *
 * No text is made, so samples need neither blocks nor other threads, and nothing is noted for each
 * of them: the rings of CPUs were written to the file one after the other, so a round adds a few
 * stretches, and the runs are as many as there are CPUs, or a few times that. A sample that nobody
 * wants stays in its stretch and is skipped when the sample before it was delivered. Where the file
 * is read once, pass 1 has marked the samples that are wanted (struct marks): they are delivered
 * from mark to mark.
 *
 * Where records of the state and of losses are wanted between the samples (between), those that
 * pass 1 has found are handed out before the first sample that is later.
 *
 * Records are addressed by their places in the mapping. Where pass 1 has noted most of the samples,
 * the mapping is not touched: each run that has its turn has a piece of the file (pieces.h), and so
 * has the walk for what lies between the noted stretches.
 *
 * This serves files of samples that have times and are in the mapping in native order. The records
 * and their order are those of ordered.c, which serves all others.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/deferred.h"
#include "session/pieces.h"
#include "session/reads.h"

#include <sys/mman.h>

#define FLUSH_RECORDS ((size_t)1 << 16) /* a sorted file is delivered in pieces of so many */
#define RELEASE_BYTES ((size_t)1 << 20) /* pages of the mapping are released in such units */
#define FETCH_AHEAD 4 /* marks from the record that is delivered to the one that is prefetched */

struct follow {
	struct session *s;
	const struct session_ordered_ops *ops;
	void *ctx;
	struct follow_reader reader; /* whoever reads while samples are delivered */
	size_t chunk;                /* the next one to be walked */
	size_t full; /* the records with which a flush pays: twice those that it kept last time */
	bool *wants; /* owned; by number of the event; NULL: all are wanted */
	struct runs runs;
	size_t stretch; /* the next one that pass 1 has noted */
	struct pieces pieces;
	struct piece *walk; /* the bytes that the walk looks at; NULL: all are in the mapping */
	struct round_clock clock;
	struct id_cache cache;
	const struct refs *between; /* the records between the samples */
	size_t side;                /* the next of them */
	struct side_reader sides;   /* their bytes */
	u64 last_key;               /* of what was delivered */
	size_t released;            /* bytes of the mapping before this are released */
	struct decoder decoder;
	struct session_event ev; /* members that change with each sample are set, others stay 0 */
	struct whole_chain chain;
};

bool follow_applies(const struct session *s, const struct session_ordered_ops *ops)
{
	return !ops->write && (!ops->all || ops->between) && runs_apply(s) && !reads_any(s) &&
	       !s->file->nr_parts;
}

/* ---- delivery ---- */

static bool is_unwanted(struct follow *f, const struct evsel *e)
{
	return f->wants && e && !f->wants[e->idx];
}

static struct evsel *event_at(struct follow *f, const u8 *rec)
{
	return evsel_of(f->s, rec, PERF_RECORD_SAMPLE, rec_size(rec), false, &f->cache);
}

static inline __attribute__((always_inline)) void note_order(struct follow *f, u64 key,
							     const u8 *rec)
{
	if (likely(key >= f->last_key))
		f->last_key = key;
	else if (key)
		diag_add(&f->s->diag, DIAG_OUT_OF_ORDER, 1, record_offset(f->s, rec));
}

/* The record of a run that is looked at. */
struct at {
	const u8 *rec;   /* in the mapping */
	const u8 *bytes; /* there, or in a piece */
	struct evsel *e;
	u32 nr; /* records of the run before it */
};

/* Deliver a sample. @rec: in the mapping; @bytes: there, or in a piece */
static inline __attribute__((always_inline)) int
deliver(struct follow *f, u64 key, const u8 *rec, const u8 *bytes, struct evsel *e, struct err *err)
{
	struct session *s = f->s;
	struct sample *sample =
		likely(e) ? decode_next(&f->decoder, &e->layout, bytes, rec_size(bytes)) : NULL;

	note_order(f, key, rec);
	f->ev.hdr = (const wire_header *)bytes;
	f->ev.offset = (u64)(rec - s->file->map);
	f->ev.time = key;
	f->ev.evsel = e;
	f->ev.sample = sample;
	if (unlikely(!sample)) {
		count_unread(&s->diag, &f->ev);
		return 0;
	}
	if (chain_is_merged(s, sample))
		deferred_merge(&s->index->deferred, &e->layout, key, sample, &f->chain);
	return f->ops->format(f->ctx, 0, &f->ev, NULL, err);
}

static bool is_between(u32 type)
{
	return is_state_record(type) || type == PERF_RECORD_LOST ||
	       type == PERF_RECORD_LOST_SAMPLES;
}

/* Deliver the records between the samples up to @limit. */
static int deliver_side(struct follow *f, u64 limit, struct err *err)
{
	const struct refs *side = f->between;
	struct session_event ev;
	int ret = 0;

	while (!ret && f->side < side->nr && side->v[f->side].key <= limit) {
		const struct ref *r = &side->v[f->side++];
		const u8 *bytes = side_record(&f->sides, r->rec);

		if (!is_between(rec_type(bytes)))
			continue;
		record_event(f->s, bytes, record_offset(f->s, r->rec), r->key, &f->cache, &ev);
		ret = f->ops->format(f->ctx, 0, &ev, NULL, err);
	}
	return ret;
}

/* Tell whether a record between the samples comes before a sample. */
static inline bool side_is_due(const struct follow *f, u64 key)
{
	const struct refs *side = f->between;

	return f->ops->between && f->side < side->nr && side->v[f->side].key <= key;
}

/* Release the pages that the next samples of all runs are behind of. They are read again if the
 * consumer looks at them. @walked: the walk has come to this record */
static void release_behind(struct follow *f, const u8 *walked)
{
	const u8 *map = f->s->file->map, *low = walked;
	size_t to;

	for (size_t i = 0; i < f->runs.nr_runs; i++)
		low = MIN(low, f->runs.v[i].rec);
	to = (size_t)(low - map) & ~(RELEASE_BYTES - 1);
	if (to <= f->released)
		return;
	(void)madvise((u8 *)map + f->released, to - f->released, MADV_DONTNEED);
	f->released = to;
}

static inline void look_at(struct follow *f, const struct run *run, struct at *at)
{
	at->bytes = f->walk ? piece_record(&f->pieces, run->piece, at->rec) : at->rec;
	at->e = event_at(f, at->bytes);
}

/* Go on to the next record of the run that somebody wants, or to the end of the run. */
static void next_wanted(struct follow *f, const struct run *run, struct at *at)
{
	do {
		at->rec += rec_size(at->bytes);
		if (++at->nr == run->nr)
			return;
		look_at(f, run, at);
	} while (is_unwanted(f, at->e));
	if (!f->walk)
		runs_fetch(at->rec);
}

/* Another thread has brought the records into memory: have this one's cache bring one that is soon
 * needed. It is as long as two lines, mostly. */
static inline void fetch_marked(const struct marks *marks, const struct mark *m)
{
	const u8 *bytes = marks->bytes + m->at;

	__builtin_prefetch(bytes);
	__builtin_prefetch(bytes + 64);
}

/* Do what deliver_run() does for a run whose samples have marks. */
static int deliver_marks(struct follow *f, struct run *first, u64 limit, struct err *err)
{
	const u64 others = runs_others(&f->runs);
	/* The samples from this time on are not the next ones. */
	const u64 until = limit < others ? limit + 1 : others;
	const struct marks *marks = first->marks;
	const struct mark *from = &marks->v[first->mark], *end = from + first->nr, *m = from;
	struct evsel **events = f->s->evlist.evsels;
	int ret = 0;

	do {
		if (likely(end - m > FETCH_AHEAD))
			fetch_marked(marks, m + FETCH_AHEAD);
		if (unlikely(side_is_due(f, m->key)))
			ret = deliver_side(f, m->key, err);
		if (likely(!ret))
			ret = deliver(f, m->key, marks->at + m->at, marks->bytes + m->at,
				      m->event == UNKNOWN_EVENT ? NULL : events[m->event], err);
	} while (++m < end && !ret && m->key < until);
	first->mark += (u32)(m - from);
	if (m < end)
		runs_step(&f->runs, (u32)(m - from), marks->at + m->at, m->key);
	else
		runs_step(&f->runs, (u32)(m - from), NULL, 0);
	return ret;
}

/* Deliver the records of the first run up to @limit that come before those of all other runs. The
 * heap of the runs is put in order once for all of them. */
static int deliver_run(struct follow *f, struct run *first, u64 limit, struct err *err)
{
	const u64 others = runs_others(&f->runs);
	u64 key = first->key;
	struct at at = { .rec = first->rec };
	bool unwanted; /* which only the first record of a run can be */
	int ret = 0;

	if (f->walk && !first->piece)
		first->piece = pieces_take(&f->pieces);
	look_at(f, first, &at);
	unwanted = is_unwanted(f, at.e);
	do {
		if (unlikely(side_is_due(f, key)))
			ret = deliver_side(f, key, err);
		if (!ret && !unwanted)
			ret = deliver(f, key, at.rec, at.bytes, at.e, err);
		unwanted = false;
		next_wanted(f, first, &at);
		if (at.nr == first->nr)
			break;
		key = runs_key(&f->runs, at.bytes);
	} while (!ret && key < others && key <= limit);
	if (first->piece && at.nr == first->nr)
		pieces_give(&f->pieces, first->piece);
	runs_step(&f->runs, at.nr, at.rec, key);
	return ret;
}

/* Deliver all up to @limit. */
static int flush(struct follow *f, u64 limit, const u8 *walked, struct err *err)
{
	int ret = f->reader.settle ? f->reader.settle(f->reader.ctx, limit, err) : 0;
	struct run *first;

	while (!ret && (first = runs_first(&f->runs, limit)))
		ret = first->marks ? deliver_marks(f, first, limit, err)
				   : deliver_run(f, first, limit, err);
	if (!f->walk)
		release_behind(f, walked);
	return ret;
}

/* ---- the walk ---- */

/* Return the bytes of the record at @p, to which the walk has come; NULL: it is not whole. */
static const u8 *walked_record(struct follow *f, const u8 *p, const u8 *end)
{
	const u8 *bytes = f->walk ? piece_record(&f->pieces, f->walk, p) : p;

	return likely(rec_size(bytes) >= sizeof(wire_header) && rec_size(bytes) <= end - p) ? bytes
											    : NULL;
}

/* Add the samples from @p on, as far as they contain their times and are in order. Return: the
 * record behind them. */
static const u8 *add_stretch(struct follow *f, const u8 *p, const u8 *end)
{
	struct stretch s = { .rec = p };
	const u8 *bytes;

	while (p < end && (bytes = walked_record(f, p, end)) && runs_plain(&f->runs, bytes)) {
		u64 key = runs_key(&f->runs, bytes);

		if (key < s.last)
			break;
		s.first = s.nr++ ? s.first : key;
		s.last = key;
		p += rec_size(bytes);
	}
	s.end = p;
	if (s.nr)
		runs_add_stretch(&f->runs, &s);
	f->clock.max = MAX(f->clock.max, s.last);
	return p;
}

/* Take a record that is not part of a stretch: the end of a round, or a sample without a time. */
static int take_other(struct follow *f, const struct chunk *c, const u8 *p, const u8 *bytes,
		      struct err *err)
{
	u32 type = rec_type(bytes);
	u64 key;

	if (type == PERF_RECORD_FINISHED_ROUND) {
		round_finished(&f->clock);
		return f->s->index->one_window ? 0 : flush(f, f->clock.limit, p, err);
	}
	if (type != PERF_RECORD_SAMPLE)
		return 0;
	key = record_key(f->s, &f->clock, bytes, type, rec_size(bytes),
			 chunk_place(c, (size_t)(p - c->p)), &f->cache);
	runs_add(&f->runs, key, p, bytes);
	f->clock.max = MAX(f->clock.max, key);
	return 0;
}

/* Take the records of a chunk from *@p to @end, which pass 1 has not noted. *@p: where the next
 * ones begin, or the end of the chunk behind a record that is not whole. */
static int take_unnoted(struct follow *f, const struct chunk *c, const u8 **p, const u8 *end,
			struct err *err)
{
	if (f->walk)
		f->walk->until = end;
	while (*p < end) {
		const u8 *next = add_stretch(f, *p, end);

		if (next == *p) {
			const u8 *bytes = walked_record(f, *p, end);
			u32 size = bytes ? rec_size(bytes) : (u32)(c->p + c->len - *p);
			int ret = bytes ? take_other(f, c, *p, bytes, err) : 0;

			if (ret)
				return ret;
			next += size;
		}
		*p = next;
	}
	return 0;
}

/* Return the first stretch in a chunk that pass 1 has noted behind what is walked, or the end of
 * the chunk. */
static const u8 *next_noted(const struct follow *f, const u8 *end)
{
	const struct tally *t = &f->s->index->t;

	return f->stretch < t->nr_stretches ? MIN(t->stretches[f->stretch].rec, end) : end;
}

static int walk_chunk(struct follow *f, const struct chunk *c, struct err *err)
{
	const u8 *p = c->p, *end = p + c->len;
	int ret = 0;

	if (f->s->index->read && !f->walk)
		pass1_populate(p, end);
	while (!ret && p < end) {
		const struct stretch *noted = tally_stretch_at(&f->s->index->t, &f->stretch, p);

		if (noted) {
			if (noted->marks)
				runs_add_marks(&f->runs, noted);
			else
				runs_add_stretch(&f->runs, noted);
			f->clock.max = MAX(f->clock.max, noted->last);
			p = noted->end;
		} else {
			ret = take_unnoted(f, c, &p, next_noted(f, end), err);
		}
	}
	progress_add(f->s->progress, c->len);
	return ret;
}

/* Return the time up to which samples can be delivered after the @i-th chunk; 0: rounds tell. */
static u64 limit_behind(const struct follow *f, size_t i)
{
	const struct session_index *ix = f->s->index;

	if (ix->partial)
		return 0;
	if (i + 1 == ix->t.nr_chunks || ix->t.sorted)
		return UINT64_MAX;
	if (ix->one_window || !ix->t.counts[PERF_RECORD_FINISHED_ROUND])
		return ix->t.chunks[i + 1].low;
	return 0;
}

int follow_more(struct follow *f, struct err *err)
{
	const struct tally *t = &f->s->index->t;
	int ret = 0;

	while (!ret && f->chunk < t->nr_chunks && !(f->reader.void_ && *f->reader.void_)) {
		size_t i = f->chunk++;
		/* The array may grow meanwhile. */
		const struct chunk c = t->chunks[i];
		u64 limit;

		ret = walk_chunk(f, &c, err);
		limit = ret ? 0 : limit_behind(f, i);
		if (!limit || (f->runs.nr < f->full && i + 1 < t->nr_chunks))
			continue;
		ret = flush(f, limit, c.p + c.len, err);
		f->full = MAX(FLUSH_RECORDS, 2 * f->runs.nr);
	}
	return ret;
}

int follow_end(struct follow *f, struct err *err)
{
	int ret = follow_more(f, err);

	if (!ret && f->runs.nr)
		ret = flush(f, UINT64_MAX, f->s->file->map + f->s->file->size, err);
	return !ret && f->ops->between ? deliver_side(f, UINT64_MAX, err) : ret;
}

const bool *follow_wants(const struct follow *f)
{
	return f->wants;
}

const u8 *follow_needs(const struct follow *f)
{
	const u8 *low = NULL;

	for (size_t i = 0; i < f->runs.nr_runs; i++)
		low = low ? MIN(low, f->runs.v[i].rec) : f->runs.v[i].rec;
	if (f->runs.open.nr)
		low = low ? MIN(low, f->runs.open.rec) : f->runs.open.rec;
	return low;
}

size_t follow_passed(struct follow *f)
{
	size_t nr = f->side;

	f->side = 0;
	return nr;
}

void follow_held(struct follow *f, const struct held *held, size_t nr)
{
	f->pieces.held = held;
	f->pieces.nr_held = nr;
	f->walk->len = 0; /* its buffer may be used again */
}

static void ask_wants(struct follow *f)
{
	const struct evlist *l = &f->s->evlist;

	if (!f->ops->wants)
		return;
	f->wants = xcalloc(l->nr + 1, sizeof(*f->wants));
	for (size_t i = 0; i < l->nr; i++)
		f->wants[i] = f->ops->wants(f->ctx, l->evsels[i]);
}

struct follow *follow_new(struct session *s, const struct session_ordered_ops *ops, void *ctx,
			  const struct follow_reader *reader)
{
	struct follow *f = xzalloc(sizeof(*f));

	f->s = s;
	f->ops = ops;
	f->ctx = ctx;
	f->full = FLUSH_RECORDS;
	f->pieces.file = s->file;
	f->runs.off_time = s->index->places.off_time;
	f->between = reader ? reader->between : &s->index->t.side;
	if (reader)
		f->reader = *reader;
	f->walk = reader || pieces_apply(s) ? pieces_take(&f->pieces) : NULL;
	side_reader_init(&f->sides, s);
	ask_wants(f);
	return f;
}

void follow_free(struct follow *f)
{
	pieces_end_runs(&f->pieces, &f->runs);
	if (f->walk)
		pieces_give(&f->pieces, f->walk);
	pieces_release(&f->pieces);
	side_reader_release(&f->sides);
	runs_release(&f->runs);
	free(f->wants);
	free(f->chain.words);
	free(f);
}

int follow_pass(struct session *s, const struct session_ordered_ops *ops, void *ctx,
		struct err *err)
{
	struct follow *f = follow_new(s, ops, ctx, NULL);
	int ret;

	progress_start(s->progress, "Processing events...", s->file->data.size);
	ret = follow_end(f, err);
	follow_free(f);
	return ret;
}
