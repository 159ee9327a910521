// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Everything in time order, formatted in parallel.
 *
 *   walk chunks -> window (what may still be overtaken) -> sorted -> blocks -> workers format
 *                                                                          -> written in order
 *
 * The window holds the records since the round before last: (time, pointer) pairs, nothing is
 * copied. The caller's thread walks, sorts and writes, and formats too when it would wait.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/session-internal.h"

#include <errno.h>
#include <pthread.h>

#define BLOCK_RECORDS 1024
#define BLOCKS_PER_WORKER 4
#define WINDOW_STEP ((size_t)1 << 16) /* a sorted file is passed on in pieces of this many */

enum block_state { BLOCK_FREE, BLOCK_READY, BLOCK_TAKEN, BLOCK_DONE };

struct block {
	struct ref *refs; /* owned, BLOCK_RECORDS */
	size_t nr;
	enum block_state state; /* under the lock */
	struct strbuf out;
	struct diag diag;
	int ret;
	struct err err;
};

struct ordered_run {
	struct session *s;
	const struct session_ordered_ops *ops;
	void *ctx;
	struct refs window;
	u64 last_key;         /* of what left the window */
	size_t hint;          /* of chunk_offset() */
	struct block *blocks; /* a ring */
	size_t nr_blocks;
	u64 filled, taken, written; /* blocks so far; taken under the lock */
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	bool quit; /* under the lock */
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
	size_t hint;
	struct sample sample;
	struct session_event ev;
};

static int format_sample(struct ordered_run *run, struct format_state *st, const struct ref *r,
			 int worker, struct block *b)
{
	struct session *s = run->s;
	struct evsel *e =
		evsel_of(s, r->rec, PERF_RECORD_SAMPLE, rec_size(r->rec), false, &st->cache);
	u64 offset = chunk_offset(s, r->rec, &st->hint);

	if (!e) {
		diag_add(&b->diag, DIAG_UNKNOWN_EVENT, 1, offset);
		return 0;
	}
	if (sample_decode(&e->layout, r->rec, rec_size(r->rec), &st->sample) < 0) {
		diag_add(&b->diag, DIAG_BAD_RECORD, 1, offset);
		return 0;
	}
	st->ev = (struct session_event){
		.hdr = (const wire_header *)r->rec,
		.offset = offset,
		.time = r->key,
		.evsel = e,
		.sample = &st->sample,
	};
	return run->ops->format(run->ctx, worker, &st->ev, run->ops->write ? &b->out : NULL,
				&b->err);
}

static void format_block(struct ordered_run *run, struct block *b, int worker)
{
	struct format_state st = { 0 };

	for (size_t i = 0; i < b->nr && !b->ret; i++) {
		const struct ref *r = &b->refs[i];

		if (rec_type(r->rec) == PERF_RECORD_SAMPLE) {
			b->ret = format_sample(run, &st, r, worker, b);
			continue;
		}
		record_event(run->s, r->rec, chunk_offset(run->s, r->rec, &st.hint), r->key,
			     &st.cache, &st.ev);
		b->ret = run->ops->format(run->ctx, worker, &st.ev,
					  run->ops->write ? &b->out : NULL, &b->err);
	}
}

/* The next block nobody has taken; NULL when there is none. Called with the lock held. */
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

/* Write the oldest block, formatted by now. */
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
	strbuf_reset(&b->out);
	b->diag = (struct diag){ 0 };
	b->nr = 0;
	b->ret = 0;
	b->state = BLOCK_FREE;
	run->written++;
	return ret;
}

/* Until at most @left blocks are under way: format what nobody does, write what is done. */
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

/* Pass on everything up to @limit, in order. */
static int flush_window(struct ordered_run *run, u64 limit, struct err *err)
{
	struct refs *w = &run->window;
	size_t i;

	refs_sort(w);
	for (i = 0; i < w->nr && w->v[i].key <= limit; i++) {
		struct block *b = &run->blocks[run->filled % run->nr_blocks];
		int ret;

		if (w->v[i].key > run->last_key)
			run->last_key = w->v[i].key;
		else if (unlikely(w->v[i].key < run->last_key && w->v[i].key))
			diag_add(&run->s->diag, DIAG_OUT_OF_ORDER, 1,
				 chunk_offset(run->s, w->v[i].rec, &run->hint));
		b->refs[b->nr++] = w->v[i];
		if (b->nr < BLOCK_RECORDS)
			continue;
		ret = submit_block(run, err);
		if (ret)
			return ret;
	}
	refs_drop(w, i);
	return 0;
}

static int see_record(struct ordered_run *run, const u8 *p, u64 offset, struct round_clock *clock,
		      struct id_cache *cache, struct err *err)
{
	u32 type = rec_type(p);
	u64 key;

	if (type != PERF_RECORD_SAMPLE && (!run->ops->all || !record_name(type)) &&
	    type != PERF_RECORD_FINISHED_ROUND)
		return 0;
	if (type == PERF_RECORD_FINISHED_ROUND)
		round_finished(clock);
	key = record_key(run->s, clock, p, type, rec_size(p), offset, cache);
	if (type == PERF_RECORD_SAMPLE || run->ops->all)
		refs_add(&run->window, key, p);
	if (key > clock->max)
		clock->max = key;
	if (type == PERF_RECORD_FINISHED_ROUND && !run->s->index->one_window)
		return flush_window(run, clock->limit, err);
	if (run->s->index->sorted && run->window.nr >= WINDOW_STEP)
		return flush_window(run, UINT64_MAX, err);
	return 0;
}

static int walk_chunks(struct ordered_run *run, struct err *err)
{
	const struct session_index *ix = run->s->index;
	struct round_clock clock = { 0 };
	struct id_cache cache = { 0 };
	int ret;

	progress_start(run->s->progress, "Processing events...", run->s->file->data.size);
	for (size_t i = 0; i < ix->nr_chunks; i++) {
		const struct chunk *c = &ix->chunks[i];

		for (const u8 *p = c->p; p < c->end; p += rec_size(p)) {
			u64 offset = c->fixed ? c->offset : c->offset + (u64)(p - c->p);

			ret = see_record(run, p, offset, &clock, &cache, err);
			if (ret)
				return ret;
		}
		progress_add(run->s->progress, (u64)(c->end - c->p));
	}
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
			break; /* the others, and the caller, do the work */
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
	for (size_t i = 0; i < run->nr_blocks; i++) {
		free(run->blocks[i].refs);
		strbuf_release(&run->blocks[i].out);
	}
	free(run->blocks);
	free(run->threads);
	pthread_mutex_destroy(&run->lock);
	pthread_cond_destroy(&run->work);
	pthread_cond_destroy(&run->done);
}

int session_ordered(struct session *s, const struct session_ordered_ops *ops, void *ctx,
		    int workers, struct err *err)
{
	struct ordered_run run = { .s = s, .ops = ops, .ctx = ctx };
	struct formatter *formatters;
	int ret;

	if (s->file->pipe)
		return stream_ordered(s, ops, ctx, err);
	ret = session_drive_state(s, &ops->state, ctx, err);
	if (ret)
		return ret;
	workers = ops->write ? MAX(workers, 1) : 1;
	run.nr_blocks = workers == 1 ? 1 : (size_t)workers * BLOCKS_PER_WORKER;
	run.blocks = xcalloc(run.nr_blocks, sizeof(*run.blocks));
	for (size_t i = 0; i < run.nr_blocks; i++)
		run.blocks[i].refs = xcalloc(BLOCK_RECORDS, sizeof(struct ref));
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
