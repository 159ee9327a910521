// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 2 in any order: chunks go to a pool of workers, and records are decoded where they are.
 * Compressed records are expanded by the caller's thread, a few windows ahead of the workers.
 *
 * Periods of samples that read their groups depend on time order: files with such samples go to one
 * worker, in that order.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/pool.h"
#include "session/deferred.h"
#include "session/reads.h"
#include "session/windows.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

struct worker {
	void *ctx;
	struct diag diag;
	struct swap_buffer swapped;
	struct whole_chain chain;
	char pad[64]; /* diag is written often, so each worker has cache lines of its own */
};

struct samples_run {
	struct session *s;
	const struct session_sample_ops *ops;
	struct worker *workers;
	struct progress *progress;
	int stop;             /* atomic; set by the first failure */
	pthread_mutex_t lock; /* protects the following members */
	int ret;
	struct err err; /* the failure */
};

static void fail(struct samples_run *run, int ret, const struct err *err)
{
	pthread_mutex_lock(&run->lock);
	if (!run->ret) {
		run->ret = ret;
		run->err = *err;
	}
	pthread_mutex_unlock(&run->lock);
	__atomic_store_n(&run->stop, 1, __ATOMIC_RELAXED);
}

/* The windows that the caller's thread expands and the workers process. */
struct feed {
	struct samples_run *run;
	struct window *ring; /* owned, with the bytes of each */
	size_t nr;
	u64 filled, taken; /* numbers of windows, protected by the lock */
	bool *busy; /* owned; for each window in the ring, whether a worker uses it; protected by
		       the lock */
	bool end;   /* there will be no more; protected by the lock */
	pthread_mutex_t lock;
	pthread_cond_t more, room;
};

struct feed_worker {
	struct feed *feed;
	int worker;
	pthread_t thread;
};

/*
 * The state of one worker in one chunk. Members that change with each record are set, others stay.
 */
struct chunk_walk {
	struct session *s;
	const struct chunk *chunk;
	const u8 *bytes;
	struct round_clock clock;
	struct id_cache cache;
	struct decoder decoder;
	struct session_event ev;
};

/* Decode a sample into w->ev. Return: false when it is to be skipped, and then it was counted. */
static inline bool decode_sample(struct chunk_walk *w, struct worker *me, const u8 *p, u32 size)
{
	const struct chunk *c = w->chunk;
	size_t at = (size_t)(p - w->bytes);
	u64 offset = c->expanded ? c->offset : c->offset + at;
	struct evsel *e = evsel_of(w->s, p, PERF_RECORD_SAMPLE, size, false, &w->cache);
	struct sample *sample;

	if (unlikely(!e)) {
		diag_add(&me->diag, DIAG_UNKNOWN_EVENT, 1, offset);
		return false;
	}
	w->ev.sample = sample = decode_next(&w->decoder, &e->layout, p, size);
	if (unlikely(!sample)) {
		diag_record(&me->diag, DIAG_BAD_RECORD, PERF_RECORD_SAMPLE, offset);
		return false;
	}
	w->ev.hdr = (const wire_header *)p;
	w->ev.offset = offset;
	w->ev.evsel = e;
	if (likely(e->layout.off_time >= 0))
		w->ev.time = sample->time;
	else
		w->ev.time = w->s->has_time ? w->clock.limit : chunk_place(c, at);
	if (chain_is_merged(w->s, sample))
		deferred_merge(&w->s->index->deferred, &e->layout,
			       w->s->file_order ? chunk_place(c, at) : w->ev.time, sample,
			       &me->chain);
	return true;
}

/*
 * Read a chunk with read(). Where pass 1 has not mapped the pages, that is cheaper than mapping
 * them now, and takes no memory. Return: NULL on failure.
 */
static const u8 *read_chunk(const struct session *s, const struct chunk *c, struct swap_buffer *t)
{
	const struct perf_file *f = s->file;

	if (!s->index->read || c->expanded || f->swap || c->p < f->map || c->p >= f->map + f->size)
		return NULL;
	VEC_GROW(t->buf, c->len, t->cap);
	return pread(f->fd, t->buf, c->len, c->p - f->map) == (ssize_t)c->len ? t->buf : NULL;
}

static void run_chunk(struct samples_run *run, int worker, size_t item, const struct window *win)
{
	struct worker *me = &run->workers[worker];
	const struct chunk *c = &run->s->index->t.chunks[item];
	struct chunk_walk w = { .s = run->s, .chunk = c, .clock = c->clock };
	struct err err = { 0 };
	const u8 *end;

	if (__atomic_load_n(&run->stop, __ATOMIC_RELAXED))
		return;
	w.bytes = read_chunk(run->s, c, &me->swapped);
	if (!w.bytes)
		w.bytes = chunk_bytes(run->s, c, win, &me->swapped, &w.cache);
	end = w.bytes ? w.bytes + c->len : NULL;
	for (const u8 *p = w.bytes; p < end && rec_whole(p, end);) {
		u32 size = rec_size(p), type = rec_type(p);
		int ret;

		prefetch_walk(p, size);
		if (likely(type == PERF_RECORD_SAMPLE)) {
			if (decode_sample(&w, me, p, size)) {
				ret = run->ops->sample(me->ctx, &w.ev, &err);
				if (unlikely(ret)) {
					fail(run, ret, &err);
					return;
				}
			}
		} else if (type == PERF_RECORD_FINISHED_ROUND) {
			round_finished(&w.clock);
		}
		p += size;
	}
	if (run->s->index->sparse && w.bytes == c->p)
		mapping_release(run->s, c->p, end);
	if (run->progress)
		progress_add(run->progress, c->len);
}

/*
 * Take chunks from both ends alternately: neighbouring chunks refer to the same objects, whose
 * symbols one thread would read while the others wait.
 */
static void pool_chunk(void *arg, int worker, size_t item)
{
	struct samples_run *run = arg;
	size_t nr = run->s->index->t.nr_chunks;

	run_chunk(run, worker, item & 1 ? nr - 1 - item / 2 : item / 2, NULL);
}

/* ---- windows ---- */

/* Return the next window that no worker has taken, or NULL. The caller holds the lock. */
static struct window *take_window(struct feed *f)
{
	size_t i = f->taken % f->nr;

	if (f->taken == f->filled)
		return NULL;
	f->taken++;
	f->busy[i] = true;
	return &f->ring[i];
}

/* Process a window. The caller holds the lock, which is released meanwhile. */
static void run_window(struct feed *f, struct window *w, int worker)
{
	pthread_mutex_unlock(&f->lock);
	for (size_t i = 0; i < w->nr; i++)
		run_chunk(f->run, worker, w->first + i, w);
	pthread_mutex_lock(&f->lock);
	f->busy[w - f->ring] = false;
	pthread_cond_signal(&f->room);
}

static void *feed_main(void *arg)
{
	struct feed_worker *me = arg;
	struct feed *f = me->feed;

	pthread_mutex_lock(&f->lock);
	for (;;) {
		struct window *w = take_window(f);

		if (w)
			run_window(f, w, me->worker);
		else if (f->end)
			break;
		else
			pthread_cond_wait(&f->more, &f->lock);
	}
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

/* Work like the others until the next place in the ring is free. The caller holds the lock. */
static void await_room(struct feed *f)
{
	size_t i = f->filled % f->nr;

	while (f->filled - f->taken == f->nr || f->busy[i]) {
		struct window *w = take_window(f);

		if (w)
			run_window(f, w, 0);
		else
			pthread_cond_wait(&f->room, &f->lock);
	}
}

static void feed_windows(struct feed *f)
{
	struct windows source = { .s = f->run->s };
	struct window *w;
	bool more = true;

	pthread_mutex_lock(&f->lock);
	while (more) {
		await_room(f);
		w = &f->ring[f->filled % f->nr];
		pthread_mutex_unlock(&f->lock);
		more = !__atomic_load_n(&f->run->stop, __ATOMIC_RELAXED) &&
		       windows_next(&source, w);
		pthread_mutex_lock(&f->lock);
		f->filled += more;
		pthread_cond_signal(&f->more);
	}
	f->end = true;
	pthread_cond_broadcast(&f->more);
	while ((w = take_window(f)))
		run_window(f, w, 0);
	pthread_mutex_unlock(&f->lock);
	windows_release(&source);
}

static void run_feed(struct samples_run *run, int workers)
{
	struct feed f = { .run = run, .nr = (size_t)workers * 2 };
	struct feed_worker *others = xcalloc((size_t)workers, sizeof(*others));
	int nr = 0;

	f.ring = xcalloc(f.nr, sizeof(*f.ring));
	f.busy = xcalloc(f.nr, sizeof(*f.busy));
	pthread_mutex_init(&f.lock, NULL);
	pthread_cond_init(&f.more, NULL);
	pthread_cond_init(&f.room, NULL);
	for (; nr < workers - 1; nr++) {
		others[nr] = (struct feed_worker){ .feed = &f, .worker = nr + 1 };
		if (pthread_create(&others[nr].thread, NULL, feed_main, &others[nr]))
			break; /* the other threads and the caller do the work */
	}
	feed_windows(&f);
	while (nr--)
		pthread_join(others[nr].thread, NULL);
	for (size_t i = 0; i < f.nr; i++)
		free(f.ring[i].bytes);
	free(f.ring);
	free(f.busy);
	free(others);
	pthread_mutex_destroy(&f.lock);
	pthread_cond_destroy(&f.more);
	pthread_cond_destroy(&f.room);
}

/* ---- the run ---- */

static u64 data_bytes(const struct session *s)
{
	u64 sum = 0;

	for (size_t i = 0; i < s->index->t.nr_chunks; i++)
		sum += s->index->t.chunks[i].len;
	return sum;
}

static void run_all(struct samples_run *run, int workers)
{
	struct session *s = run->s;

	progress_start(s->progress, "Processing events...", s->progress ? data_bytes(s) : 0);
	pthread_mutex_init(&run->lock, NULL);
	if (windows_needed(s))
		run_feed(run, workers);
	else
		crew_run(session_crew(s), s->index->t.nr_chunks, pool_chunk, run);
	pthread_mutex_destroy(&run->lock);
}

/* ---- samples that read their groups ---- */

struct in_order {
	struct session *s;
	const struct session_sample_ops *ops;
	void *worker;
};

static int pass_on(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		   struct err *err)
{
	const struct in_order *o = ctx;

	(void)worker;
	(void)out;
	if (o->s->by_event)
		o->s->of_event[ev->evsel->idx].samples++;
	return o->ops->sample ? o->ops->sample(o->worker, ev, err) : 0;
}

static int samples_in_order(struct session *s, const struct session_sample_ops *ops, void *ctx,
			    struct err *err)
{
	static const struct session_ordered_ops in_order = { .format = pass_on };
	struct in_order o = { .s = s, .ops = ops };

	o.worker = ops->worker_new ? ops->worker_new(ctx, 0) : ctx;
	if (!ops->sample && !s->by_event)
		return 0;
	/* Pass 1 counted records. */
	for (size_t i = 0; s->by_event && i < s->evlist.nr; i++)
		s->of_event[i].samples = 0;
	return ordered_pass(s, &in_order, &o, 1, err);
}

static int samples_in_any_order(struct session *s, const struct session_sample_ops *ops, void *ctx,
				int workers, struct err *err)
{
	struct samples_run run = { .s = s, .ops = ops, .progress = s->progress };

	workers = (int)MIN((size_t)workers, MAX(s->index->t.nr_chunks, (size_t)1));
	run.workers = xcalloc((size_t)workers, sizeof(*run.workers));
	for (int i = 0; i < workers; i++)
		run.workers[i].ctx = ops->worker_new ? ops->worker_new(ctx, i) : ctx;
	if (ops->sample)
		run_all(&run, workers);
	for (int i = 0; i < workers; i++) {
		diag_merge(&s->diag, &run.workers[i].diag);
		free(run.workers[i].swapped.buf);
		free(run.workers[i].chain.words);
	}
	free(run.workers);
	if (run.ret && err)
		*err = run.err;
	return run.ret;
}

int session_samples(struct session *s, const struct session_sample_ops *ops, void *ctx, int workers,
		    struct err *err)
{
	bool in_order;
	int ret;

	if (session_is_stream(s))
		return stream_samples(s, ops, ctx, err);
	workers = s->index->workers = MAX(workers, 1);
	in_order = reads_any(s);
	s->counts_only = s->counts_only && !in_order;
	ret = session_drive_state(s, &ops->state, ctx, err);
	if (!ret && s->nr_samples)
		ret = in_order ? samples_in_order(s, ops, ctx, err)
			       : samples_in_any_order(s, ops, ctx, workers, err);
	session_end_crew(s);
	return ret;
}
