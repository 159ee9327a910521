// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Delivers everything in time order, formatted in parallel.
 *
 *	walk chunks -> window (records that may be overtaken) -> sorted -> blocks
 *		-> workers format -> written in order
 *
 * The window holds the records since the round before last: runs of records that are in order in
 * the file, or (time, pointer) pairs for records that have no time of their own or are copies.
 * Where rounds do not help, pass 1 knows for each chunk the earliest time of all later records.
 * Only records that are not in the mapping in native order are copied; these copies live until
 * their block was written. Where the file is read in pieces (pieces.h) a block has copies of its
 * records. The caller's thread walks, sorts and writes, and also formats when it
 * would have to wait.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/deferred.h"
#include "session/pieces.h"
#include "session/reads.h"
#include "session/windows.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#define BLOCK_RECORDS 1024
#define BLOCK_BYTES ((size_t)1 << 16) /* bytes of records, or slightly more */
#define BLOCK_COPIES /* with the last record, which may be large, and offsets before all */        \
	(BLOCK_BYTES + ((size_t)1 << 16) + BLOCK_RECORDS * 16)
#define BLOCKS_PER_WORKER 4
#define REGION_SHIFT 20 /* pages of the mapping are released in units of this size */
#define WINDOW_STEP                                                                                \
	((size_t)1 << 16) /* a sorted file is passed on in pieces of this many records */

enum block_state { BLOCK_FREE, BLOCK_READY, BLOCK_TAKEN, BLOCK_DONE };

struct block {
	struct ref *refs; /* owned, BLOCK_RECORDS */
	u8 *copies;    /* owned; the records of refs if the file is read in pieces, each behind its
			  offset as of slabs_copy() */
	size_t copied; /* bytes */
	size_t nr, bytes;
	enum block_state state; /* protected by the lock */
	struct deltas deltas;   /* increases of the samples in it that read their groups */
	struct strbuf out;
	struct diag diag;
	int ret;
	struct err err;
};

struct ordered_run {
	struct session *s;
	const struct session_ordered_ops *ops;
	void *ctx;
	struct refs window; /* unless by_runs: */
	struct runs runs;
	bool by_runs;
	struct pieces pieces;
	struct piece *walk; /* the bytes that the walk looks at if the file is read in pieces; NULL:
			       it is not */
	struct slabs copies;
	bool copying; /* some records are copies */
	u32 *held; /* owned; for each region of the mapping, the records that are not written yet */
	size_t walked; /* the region that the walk has reached */
	u64 last_key;  /* the key of the last record that left the window */
	bool splits;   /* some samples read their groups */
	struct reads reads;
	struct id_cache cache; /* for these samples */
	struct block *blocks;  /* a ring */
	size_t nr_blocks;
	u64 filled, taken, written; /* numbers of blocks; taken is protected by the lock */
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	bool quit; /* protected by the lock */
	pthread_t *threads;
	int nr_threads;
};

struct formatter {
	struct ordered_run *run;
	int worker;
};

/* ---- formatting ---- */

struct format_state {
	struct id_cache cache;
	/* A record is prefetched while the one before is formatted. */
	struct decoder decoders[2];
	struct session_event samples[2]; /* members that only other records have stay 0 */
	struct session_event others[2];
	struct session_event *ev; /* the current event */
	struct whole_chain chain;
	size_t step; /* the next increase in the block */
};

/* The destination of a part of a sample. */
struct format_to {
	struct ordered_run *run;
	int worker;
	struct block *block;
};

static int format_part(void *arg, const struct session_event *ev)
{
	struct format_to *to = arg;
	const struct session_ordered_ops *ops = to->run->ops;

	return ops->format(to->run->ctx, to->worker, ev, ops->write ? &to->block->out : NULL,
			   &to->block->err);
}

/* Format a sample that read its group. */
static int format_parts(struct ordered_run *run, struct format_state *st, int worker,
			struct block *b)
{
	struct format_to to = { run, worker, b };
	/* There are none as long as all groups were empty. */
	const u64 *deltas = b->deltas.v ? b->deltas.v + st->step : NULL;

	st->step += reads_nr(&st->ev->evsel->layout, st->ev->sample);
	return reads_deliver(run->s, st->ev, deltas, run->ops->all, format_part, &to, &b->diag);
}

static int format_sample(struct ordered_run *run, struct format_state *st, int worker,
			 struct block *b)
{
	struct sample *sample = (struct sample *)st->ev->sample;

	if (!sample)
		count_unread(&b->diag, st->ev);
	else if (chain_is_merged(run->s, sample))
		deferred_merge(&run->s->index->deferred, &st->ev->evsel->layout, st->ev->time,
			       sample, &st->chain);
	if (!sample && !run->ops->all)
		return 0;
	if (unlikely(run->splits) && sample && reads_split(st->ev->evsel))
		return format_parts(run, st, worker, b);
	return run->ops->format(run->ctx, worker, st->ev, run->ops->write ? &b->out : NULL,
				&b->err);
}

/* Examine the @i-th record of a block, and let its formatter prefetch if it is a sample. Return:
 * its event, valid until the next but one is examined. */
static struct session_event *look_ahead(struct ordered_run *run, struct format_state *st,
					int worker, const struct block *b, size_t i)
{
	struct session_event *ev = &st->samples[i % 2];
	struct session *s = run->s;
	const u8 *rec = b->refs[i].rec;
	struct evsel *e;

	if (rec_type(rec) != PERF_RECORD_SAMPLE) {
		ev = &st->others[i % 2];
		record_event(s, rec, record_offset(s, rec), b->refs[i].key, &st->cache, ev);
		return ev;
	}
	e = evsel_of(s, rec, PERF_RECORD_SAMPLE, rec_size(rec), false, &st->cache);
	/* Each member is set alone, because zeroing the others takes longer. */
	ev->hdr = (const wire_header *)rec;
	ev->offset = record_offset(s, rec);
	ev->time = b->refs[i].key;
	ev->evsel = e;
	ev->sample = e ? decode_next(&st->decoders[i % 2], &e->layout, rec, rec_size(rec)) : NULL;
	if (ev->sample && run->ops->soon)
		run->ops->soon(run->ctx, worker, ev);
	return ev;
}

static void format_block(struct ordered_run *run, struct block *b, int worker)
{
	struct format_state st = { 0 };
	struct session_event *next = b->nr ? look_ahead(run, &st, worker, b, 0) : NULL;

	for (size_t i = 0; i < b->nr && !b->ret; i++) {
		st.ev = next;
		if (i + 1 < b->nr)
			next = look_ahead(run, &st, worker, b, i + 1);
		if (rec_type(b->refs[i].rec) == PERF_RECORD_SAMPLE)
			b->ret = format_sample(run, &st, worker, b);
		else
			b->ret = run->ops->format(run->ctx, worker, st.ev,
						  run->ops->write ? &b->out : NULL, &b->err);
	}
	if (run->ops->finish && run->ops->write)
		run->ops->finish(run->ctx, worker, &b->out);
	free(st.chain.words);
}

/* Return the next block that no thread has taken, or NULL. The caller holds the lock. */
static struct block *take_block(struct ordered_run *run)
{
	struct block *b;

	if (run->taken == run->filled)
		return NULL;
	b = &run->blocks[run->taken++ % run->nr_blocks];
	b->state = BLOCK_TAKEN;
	return b;
}

static void finish_block(struct ordered_run *run, struct block *b)
{
	pthread_mutex_lock(&run->lock);
	b->state = BLOCK_DONE;
	pthread_cond_signal(&run->done);
	pthread_mutex_unlock(&run->lock);
}

static void *formatter_main(void *arg)
{
	struct formatter *f = arg;
	struct ordered_run *run = f->run;

	pthread_mutex_lock(&run->lock);
	while (!run->quit) {
		struct block *b = take_block(run);

		if (!b) {
			pthread_cond_wait(&run->work, &run->lock);
			continue;
		}
		pthread_mutex_unlock(&run->lock);
		format_block(run, b, f->worker);
		finish_block(run, b);
		pthread_mutex_lock(&run->lock);
	}
	pthread_mutex_unlock(&run->lock);
	return NULL;
}

/* ---- writing ---- */

/* Return the region of the mapping; SIZE_MAX for a copy, or a record in a part of a directory. */
static size_t region_of(const struct ordered_run *run, const u8 *rec)
{
	const struct perf_file *f = run->s->file;

	return rec >= f->map && rec < f->map + f->size ? (size_t)(rec - f->map) >> REGION_SHIFT
						       : SIZE_MAX;
}

/*
 * Release the pages of a region whose records are all written. If they are accessed again, they are
 * read again.
 */
static void give_back(const struct ordered_run *run, size_t region)
{
	const struct perf_file *f = run->s->file;
	size_t at = region << REGION_SHIFT, size = (size_t)1 << REGION_SHIFT;

	if (!run->held[region] && region < run->walked)
		(void)madvise((u8 *)f->map + at, MIN(size, (size_t)f->size - at), MADV_DONTNEED);
}

static void let_go(struct ordered_run *run, const struct block *b)
{
	for (size_t i = 0; i < b->nr; i++) {
		size_t region = region_of(run, b->refs[i].rec);

		if (region != SIZE_MAX && !--run->held[region])
			give_back(run, region);
	}
}

static void drop_copies(struct ordered_run *run, const struct block *b)
{
	for (size_t i = 0; run->copying && i < b->nr; i++)
		if (!in_mapping(run->s, b->refs[i].rec))
			slabs_drop(&run->copies, b->refs[i].rec, rec_size(b->refs[i].rec));
}

/* Write the oldest block, which is formatted. */
static int write_block(struct ordered_run *run, struct err *err)
{
	struct block *b = &run->blocks[run->written % run->nr_blocks];
	int ret = 0;

	if (b->out.len)
		ret = run->ops->write(run->ctx, b->out.buf, b->out.len, err);
	if (!ret && b->ret) {
		ret = b->ret;
		if (err)
			*err = b->err;
	}
	diag_merge(&run->s->diag, &b->diag);
	drop_copies(run, b);
	let_go(run, b);
	strbuf_reset(&b->out);
	b->diag = (struct diag){ 0 };
	b->nr = b->bytes = b->copied = 0;
	b->deltas.nr = 0;
	b->ret = 0;
	b->state = BLOCK_FREE;
	run->written++;
	return ret;
}

/* Format and write until at most @left blocks are in progress. */
static int drain_blocks(struct ordered_run *run, u64 left, struct err *err)
{
	while (run->filled - run->written > left) {
		struct block *oldest = &run->blocks[run->written % run->nr_blocks], *b = NULL;
		int ret;

		pthread_mutex_lock(&run->lock);
		while (oldest->state != BLOCK_DONE) {
			b = take_block(run);
			if (b)
				break;
			pthread_cond_wait(&run->done, &run->lock);
		}
		pthread_mutex_unlock(&run->lock);
		if (b) {
			format_block(run, b, 0);
			finish_block(run, b);
			continue;
		}
		ret = write_block(run, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int submit_block(struct ordered_run *run, struct err *err)
{
	struct block *b = &run->blocks[run->filled % run->nr_blocks];

	if (!b->nr)
		return 0;
	pthread_mutex_lock(&run->lock);
	b->state = BLOCK_READY;
	run->filled++;
	pthread_cond_signal(&run->work);
	pthread_mutex_unlock(&run->lock);
	return drain_blocks(run, run->nr_blocks - 1, err);
}

/* ---- the window ---- */

/* Compute the increases of counts, which depend on the order of samples. */
static void take_deltas(struct ordered_run *run, struct block *b, const u8 *rec)
{
	struct evsel *e =
		evsel_of(run->s, rec, PERF_RECORD_SAMPLE, rec_size(rec), false, &run->cache);
	struct sample sample;

	if (e && reads_split(e) && !sample_decode(&e->layout, rec, rec_size(rec), &sample))
		reads_take(&run->reads, &e->layout, &sample, &b->deltas);
}

/* Keep a record that was read with its block. @bytes: what is at @rec in the mapping */
static const u8 *keep_copy(struct ordered_run *run, struct block *b, const u8 *rec, const u8 *bytes)
{
	u8 *copy = b->copies + b->copied + sizeof(u64);

	*(u64_una *)(copy - sizeof(u64)) = record_offset(run->s, rec);
	memcpy(copy, bytes, rec_size(bytes));
	b->copied += sizeof(u64) + ALIGN_UP((size_t)rec_size(bytes), 8);
	return copy;
}

/* @bytes: what is in the record that @r refers to */
static int pass_on(struct ordered_run *run, const struct ref *r, const u8 *bytes, struct err *err)
{
	struct block *b = &run->blocks[run->filled % run->nr_blocks];

	if (r->key > run->last_key)
		run->last_key = r->key;
	else if (unlikely(r->key < run->last_key && r->key))
		diag_add(&run->s->diag, DIAG_OUT_OF_ORDER, 1, record_offset(run->s, r->rec));
	b->refs[b->nr].key = r->key;
	b->refs[b->nr++].rec = run->walk ? keep_copy(run, b, r->rec, bytes) : r->rec;
	b->bytes += rec_size(bytes);
	if (unlikely(run->splits) && rec_type(bytes) == PERF_RECORD_SAMPLE)
		take_deltas(run, b, bytes);
	return b->nr < BLOCK_RECORDS && b->bytes < BLOCK_BYTES ? 0 : submit_block(run, err);
}

static size_t window_nr(const struct ordered_run *run)
{
	return run->by_runs ? run->runs.nr : run->window.nr;
}

static inline const u8 *run_record(struct ordered_run *run, const struct run *from, const u8 *rec)
{
	return run->walk ? piece_record(&run->pieces, from->piece, rec) : rec;
}

/* Pass on the records of the first run up to @limit that come before those of all other runs. */
static int pass_run(struct ordered_run *run, struct run *first, u64 limit, struct err *err)
{
	const u64 others = runs_others(&run->runs);
	struct ref r = { first->key, first->rec };
	const u8 *bytes;
	u32 nr = 0;
	int ret;

	if (run->walk && !first->piece)
		first->piece = pieces_take(&run->pieces);
	bytes = run_record(run, first, r.rec);
	do {
		ret = pass_on(run, &r, bytes, err);
		r.rec += rec_size(bytes);
		if (++nr == first->nr)
			break;
		bytes = run_record(run, first, r.rec);
		if (!run->walk)
			runs_fetch(r.rec);
		r.key = runs_key(&run->runs, bytes);
	} while (!ret && r.key < others && r.key <= limit);
	if (first->piece && nr == first->nr)
		pieces_give(&run->pieces, first->piece);
	runs_step(&run->runs, nr, r.rec, r.key);
	return ret;
}

/* Pass on everything up to @limit, in order. */
static int flush_window(struct ordered_run *run, u64 limit, struct err *err)
{
	struct refs *w = &run->window;
	struct run *first;
	int ret = 0;
	size_t i;

	while (!ret && run->by_runs && (first = runs_first(&run->runs, limit)))
		ret = pass_run(run, first, limit, err);
	refs_sort(w, NULL);
	for (i = 0; !ret && i < w->nr && w->v[i].key <= limit; i++)
		ret = pass_on(run, &w->v[i], w->v[i].rec, err);
	refs_drop(w, i);
	return ret;
}

/* The state of the walk. */
struct ordered_walk {
	struct ordered_run *run;
	struct round_clock clock;
	struct id_cache cache;
	bool copy;      /* the current bytes will not stay, so records are copied */
	size_t stretch; /* the next one that pass 1 has noted */
	bool lows;      /* the chunks say how early later records may be, not the rounds */
	size_t step;    /* pass records on when the window has this many: twice the number it had to
			   keep last time */
};

/* Count @nr records, which are all in the region of the first one. */
static void hold(struct ordered_run *run, const u8 *rec, u32 nr)
{
	size_t region = region_of(run, rec);

	if (unlikely(region == SIZE_MAX || run->walk))
		return;
	run->held[region] += nr;
	if (unlikely(region != run->walked)) {
		size_t before = run->walked;

		run->walked = region;
		give_back(run, before);
	}
}

static void wait_for_turn(struct ordered_walk *w, u64 key, const u8 *p, const u8 *bytes, u64 offset)
{
	struct ordered_run *run = w->run;

	if (run->by_runs)
		runs_add(&run->runs, key, p, bytes);
	else
		refs_add(&run->window, key,
			 w->copy ? slabs_copy(&run->copies, p, rec_size(p), offset) : p);
	if (!w->copy)
		hold(run, p, 1);
}

/* @bytes: what is in the record at @p */
static int see_record(struct ordered_walk *w, const u8 *p, const u8 *bytes, u64 offset, u64 place,
		      struct err *err)
{
	struct ordered_run *run = w->run;
	u32 type = rec_type(bytes);
	u64 key;

	if (type != PERF_RECORD_SAMPLE && !run->ops->all && type != PERF_RECORD_FINISHED_ROUND)
		return 0;
	if (type == PERF_RECORD_FINISHED_ROUND)
		round_finished(&w->clock);
	key = record_key(run->s, &w->clock, bytes, type, rec_size(bytes), place, &w->cache);
	if (type == PERF_RECORD_SAMPLE || run->ops->all)
		wait_for_turn(w, key, p, bytes, offset);
	if (key > w->clock.max)
		w->clock.max = key;
	if (type == PERF_RECORD_FINISHED_ROUND && !run->s->index->one_window)
		return flush_window(run, w->clock.limit, err);
	/* Records without a time have their place between rounds, so these are waited for. */
	if (run->s->index->t.sorted && !run->ops->all && window_nr(run) >= WINDOW_STEP)
		return flush_window(run, UINT64_MAX, err);
	return 0;
}

/* Return the stretch that pass 1 has noted at a record, if it can be taken at once. */
static const struct stretch *stretch_at(struct ordered_walk *w, const u8 *p)
{
	const struct ordered_run *run = w->run;
	const struct stretch *s;

	if (!run->by_runs || run->ops->all || w->copy)
		return NULL;
	s = tally_stretch_at(&run->s->index->t, &w->stretch, p);
	return s && region_of(run, p) == region_of(run, s->end - 1) ? s : NULL;
}

static int take_stretch(struct ordered_walk *w, const struct stretch *s, struct err *err)
{
	struct ordered_run *run = w->run;

	runs_add_stretch(&run->runs, s);
	hold(run, s->rec, s->nr);
	w->clock.max = MAX(w->clock.max, s->last);
	if (run->s->index->t.sorted && run->runs.nr >= WINDOW_STEP)
		return flush_window(run, UINT64_MAX, err);
	return 0;
}

/* Return the bytes of the record at @p, to which the walk has come. */
static const u8 *walked_record(struct ordered_walk *w, const u8 *p, const u8 *end)
{
	const struct tally *t = &w->run->s->index->t;
	const u8 *noted = w->stretch < t->nr_stretches ? t->stretches[w->stretch].rec : end;

	if (!w->run->walk)
		return p;
	w->run->walk->until = noted > p ? MIN(noted, end) : end;
	return piece_record(&w->run->pieces, w->run->walk, p);
}

static int walk_chunk(struct ordered_walk *w, const struct chunk *c, const u8 *bytes,
		      struct err *err)
{
	const u8 *end = bytes ? bytes + c->len : NULL;

	w->copy = bytes != c->p;
	w->run->copying |= w->copy;
	for (const u8 *p = bytes; p < end;) {
		u64 offset = c->expanded ? c->offset : c->offset + (u64)(p - bytes);
		const struct stretch *s = stretch_at(w, p);
		const u8 *rec = s ? NULL : walked_record(w, p, end);
		int ret;

		if (rec && unlikely(rec_size(rec) < sizeof(wire_header) || rec_size(rec) > end - p))
			break;
		ret = s ? take_stretch(w, s, err)
			: see_record(w, p, rec, offset, chunk_place(c, (size_t)(p - bytes)), err);
		if (ret)
			return ret;
		p = s ? s->end : p + rec_size(rec);
	}
	progress_add(w->run->s->progress, c->expanded ? 0 : c->len);
	return 0;
}

/* A record without a time gets one from the rounds, which pass 1 may have seen differently. */
static bool lows_tell(const struct ordered_run *run)
{
	const struct session_index *ix = run->s->index;

	if (run->ops->all && !ix->places.all_trailers)
		return false;
	return ix->one_window || !ix->t.counts[PERF_RECORD_FINISHED_ROUND];
}

/* Pass on the records that nothing after the @i-th chunk can overtake. */
static int end_chunk(struct ordered_walk *w, size_t i, struct err *err)
{
	const struct tally *t = &w->run->s->index->t;
	int ret;

	if (!w->lows || window_nr(w->run) < w->step || i + 1 >= t->nr_chunks)
		return 0;
	ret = flush_window(w->run, t->chunks[i + 1].low, err);
	w->step = MAX(WINDOW_STEP, 2 * window_nr(w->run));
	return ret;
}

static int walk_chunks(struct ordered_run *run, struct err *err)
{
	struct session *s = run->s;
	struct ordered_walk w = { .run = run, .lows = lows_tell(run), .step = WINDOW_STEP };
	struct windows source = { .s = s };
	struct window win = { 0 };
	struct swap_buffer swapped = { 0 };
	int ret = 0;

	progress_start(s->progress, "Processing events...", s->file->data.size);
	while (!ret && windows_next(&source, &win)) {
		for (size_t i = 0; i < win.nr && !ret; i++) {
			const struct chunk *c = &s->index->t.chunks[win.first + i];
			const u8 *bytes = run->walk ? c->p
						    : chunk_bytes(s, c, &win, &swapped, &w.cache);

			ret = walk_chunk(&w, c, bytes, err);
			ret = ret ? ret : end_chunk(&w, win.first + i, err);
		}
	}
	windows_release(&source);
	free(win.bytes);
	free(swapped.buf);
	if (!ret)
		ret = flush_window(run, UINT64_MAX, err);
	if (!ret)
		ret = submit_block(run, err);
	return ret ? ret : drain_blocks(run, 0, err);
}

/* ---- the run ---- */

static void start_threads(struct ordered_run *run, struct formatter *f, int nr)
{
	for (int i = 0; i < nr; i++) {
		f[i] = (struct formatter){ run, i + 1 };
		if (pthread_create(&run->threads[i], NULL, formatter_main, &f[i]))
			break; /* the other threads and the caller do the work */
		run->nr_threads++;
	}
}

static void stop_threads(struct ordered_run *run)
{
	pthread_mutex_lock(&run->lock);
	run->quit = true;
	pthread_cond_broadcast(&run->work);
	pthread_mutex_unlock(&run->lock);
	for (int i = 0; i < run->nr_threads; i++)
		pthread_join(run->threads[i], NULL);
}

static void run_release(struct ordered_run *run)
{
	refs_release(&run->window);
	pieces_end_runs(&run->pieces, &run->runs);
	if (run->walk)
		pieces_give(&run->pieces, run->walk);
	pieces_release(&run->pieces);
	runs_release(&run->runs);
	reads_release(&run->reads);
	slabs_release(&run->copies);
	for (size_t i = 0; i < run->nr_blocks; i++) {
		free(run->blocks[i].refs);
		free(run->blocks[i].copies);
		free(run->blocks[i].deltas.v);
		strbuf_release(&run->blocks[i].out);
	}
	free(run->blocks);
	free(run->held);
	free(run->threads);
	pthread_mutex_destroy(&run->lock);
	pthread_cond_destroy(&run->work);
	pthread_cond_destroy(&run->done);
}

int ordered_pass(struct session *s, const struct session_ordered_ops *ops, void *ctx, int workers,
		 struct err *err)
{
	struct ordered_run run = { .s = s, .ops = ops, .ctx = ctx };
	struct formatter *formatters;
	int ret;

	if (follow_applies(s, ops))
		return follow_pass(s, ops, ctx, err);
	run.splits = reads_any(s);
	run.by_runs = runs_apply(s);
	run.runs.off_time = s->index->places.off_time;
	run.pieces.file = s->file;
	if (run.by_runs && !ops->all && pieces_apply(s))
		run.walk = pieces_take(&run.pieces);
	run.held = xcalloc(((size_t)s->file->size >> REGION_SHIFT) + 1, sizeof(*run.held));
	workers = ops->write ? MAX(workers, 1) : 1;
	run.nr_blocks = workers == 1 ? 1 : (size_t)workers * BLOCKS_PER_WORKER;
	run.blocks = xcalloc(run.nr_blocks, sizeof(*run.blocks));
	for (size_t i = 0; i < run.nr_blocks; i++) {
		run.blocks[i].refs = xcalloc(BLOCK_RECORDS, sizeof(struct ref));
		run.blocks[i].copies = run.walk ? xmalloc(BLOCK_COPIES) : NULL;
	}
	pthread_mutex_init(&run.lock, NULL);
	pthread_cond_init(&run.work, NULL);
	pthread_cond_init(&run.done, NULL);
	run.threads = xcalloc((size_t)workers, sizeof(*run.threads));
	formatters = xcalloc((size_t)workers, sizeof(*formatters));
	start_threads(&run, formatters, workers - 1);
	ret = walk_chunks(&run, err);
	stop_threads(&run);
	free(formatters);
	run_release(&run);
	return ret;
}

int session_ordered(struct session *s, const struct session_ordered_ops *ops, void *ctx,
		    int workers, struct err *err)
{
	struct session_state_ops state = ops->state;
	int ret;

	if (session_is_stream(s))
		return stream_ordered(s, ops, ctx, err);
	s->index->workers = MAX(workers, 1);
	if (onepass_applies(s, ops)) {
		bool again = false;

		ret = onepass_run(s, ops, ctx, &again, err);
		if (ret || !again)
			return ret;
	}
	s->index->ordered = !follow_applies(s, ops) && (ops->all || !runs_apply(s));
	state.again = ops->between && !ops->write;
	ret = session_drive_state(s, &state, ctx, err);
	session_end_crew(s);
	ret = ret ? ret : ordered_pass(s, ops, ctx, workers, err);
	refs_release(&s->index->t.side);
	return ret;
}
