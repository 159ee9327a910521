// SPDX-License-Identifier: GPL-2.0-or-later
/* Pass 2 in any order: chunks to a pool of workers, records decoded where they lie. */
#include "base/alloc.h"
#include "base/compat.h"
#include "base/pool.h"
#include "session/session-internal.h"

#include <errno.h>
#include <pthread.h>

struct worker {
	void *ctx;
	struct diag diag;
	char pad[64]; /* diag is written often: keep workers on cache lines of their own */
};

struct samples_run {
	struct session *s;
	const struct session_sample_ops *ops;
	struct worker *workers;
	struct progress *progress;
	int stop;             /* atomic; set with the first failure */
	pthread_mutex_t lock; /* of what follows */
	int ret;
	struct err err; /* of the failure */
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

/* One chunk of one worker. What changes from record to record is set, the rest stays. */
struct chunk_walk {
	struct session *s;
	const struct chunk *chunk;
	struct round_clock clock;
	struct id_cache cache;
	struct sample sample; /* of events with fields of variable size */
	struct sample flat;   /* of the others: only the fixed fields ever change */
	struct session_event ev;
};

/* Return: true with w->ev filled, false when the record is to be passed over (and was counted). */
static inline bool decode_sample(struct chunk_walk *w, struct worker *me, const u8 *p, u32 size)
{
	u64 offset = w->chunk->fixed ? w->chunk->offset : w->chunk->offset + (u64)(p - w->chunk->p);
	struct evsel *e = evsel_of(w->s, p, PERF_RECORD_SAMPLE, size, false, &w->cache);
	bool flat;

	if (unlikely(!e)) {
		diag_add(&me->diag, DIAG_UNKNOWN_EVENT, 1, offset);
		return false;
	}
	flat = !e->layout.has_var;
	w->ev.sample = flat ? &w->flat : &w->sample;
	if (unlikely(flat ? sample_decode_fixed(&e->layout, p, size, &w->flat) < 0
			  : sample_decode(&e->layout, p, size, &w->sample) < 0)) {
		diag_add(&me->diag, DIAG_BAD_RECORD, 1, offset);
		return false;
	}
	w->ev.hdr = (const wire_header *)p;
	w->ev.offset = offset;
	w->ev.evsel = e;
	if (likely(e->layout.off_time >= 0))
		w->ev.time = w->ev.sample->time;
	else
		w->ev.time = w->s->has_time ? w->clock.limit : offset;
	return true;
}

static void run_chunk(void *arg, int worker, size_t item)
{
	struct samples_run *run = arg;
	struct worker *me = &run->workers[worker];
	const struct chunk *c = &run->s->index->chunks[item];
	struct chunk_walk w = { .s = run->s, .chunk = c, .clock = c->clock };
	struct err err = { 0 };

	if (__atomic_load_n(&run->stop, __ATOMIC_RELAXED))
		return;
	for (const u8 *p = c->p; p < c->end;) {
		u32 size = rec_size(p), type = rec_type(p);
		int ret;

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
	if (run->progress)
		progress_add(run->progress, (u64)(c->end - c->p));
}

static u64 data_bytes(const struct session *s)
{
	u64 sum = 0;

	for (size_t i = 0; i < s->index->nr_chunks; i++)
		sum += (u64)(s->index->chunks[i].end - s->index->chunks[i].p);
	return sum;
}

static void run_pool(struct samples_run *run, int workers)
{
	struct session *s = run->s;

	progress_start(s->progress, "Processing events...", s->progress ? data_bytes(s) : 0);
	pthread_mutex_init(&run->lock, NULL);
	pool_run(workers, s->index->nr_chunks, run_chunk, run);
	pthread_mutex_destroy(&run->lock);
}

int session_samples(struct session *s, const struct session_sample_ops *ops, void *ctx, int workers,
		    struct err *err)
{
	struct samples_run run = { .s = s, .ops = ops, .progress = s->progress };
	int ret;

	if (s->file->pipe)
		return stream_samples(s, ops, ctx, err);
	ret = session_drive_state(s, &ops->state, ctx, err);
	if (ret || !s->nr_samples)
		return ret;
	workers = (int)MIN((size_t)MAX(workers, 1), MAX(s->index->nr_chunks, (size_t)1));
	run.workers = xcalloc((size_t)workers, sizeof(*run.workers));
	for (int i = 0; i < workers; i++)
		run.workers[i].ctx = ops->worker_new ? ops->worker_new(ctx, i) : ctx;
	if (ops->sample)
		run_pool(&run, workers);
	for (int i = 0; i < workers; i++)
		diag_merge(&s->diag, &run.workers[i].diag);
	free(run.workers);
	if (run.ret && err)
		*err = run.err;
	return run.ret;
}
