// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The thread fills a buffer of its own and hands it over at the end of each round, or when it is
 * large. The session empties one buffer while the next one is collected.
 */
#include "base/compat.h"
#include "live/behind.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#define HAND_OVER ((size_t)256 << 10) /* bytes after which a buffer does not wait for its round */

struct behind {
	struct source base;
	struct behind_conf conf;
	pthread_t thread;
	atomic_ullong dropped;
	struct strbuf filling; /* belongs to the thread */

	pthread_mutex_t lock; /* of the following */
	pthread_cond_t more;
	struct strbuf waiting;
	struct diag diag; /* of the other source, not told yet */
	bool ended;
	int result; /* of the other source; with a sentence in @err */
	struct err err;

	struct strbuf reading; /* the rest belongs to the session */
	size_t at;             /* in @reading */
	u64 taken;
};

static struct behind *behind_of(struct source *src)
{
	return (struct behind *)src;
}

/* ---- the thread ---- */

/* Append the records of @from to those that wait; samples only as far as there is room. */
static void queue_records(struct behind *b, const struct strbuf *from)
{
	for (size_t at = 0; at < from->len;) {
		const wire_header *h = (const void *)(from->buf + at);

		if (h->type == PERF_RECORD_SAMPLE && b->waiting.len + h->size > b->conf.limit)
			atomic_fetch_add(&b->dropped, 1);
		else
			strbuf_add(&b->waiting, h, h->size);
		at += h->size;
	}
}

static void hand_over(struct behind *b, struct diag *diag)
{
	pthread_mutex_lock(&b->lock);
	if (!b->waiting.len && b->filling.len <= b->conf.limit)
		SWAP(b->waiting, b->filling);
	else
		queue_records(b, &b->filling);
	diag_merge(&b->diag, diag);
	pthread_cond_signal(&b->more);
	pthread_mutex_unlock(&b->lock);
	strbuf_reset(&b->filling);
	*diag = (struct diag){ 0 };
}

static void *read_ahead(void *ctx)
{
	struct behind *b = ctx;
	struct pipe_record rec;
	struct diag diag = { 0 };
	struct err err = { 0 };
	int ret;

	while ((ret = source_next(b->conf.from, &rec, &diag, &err)) > 0) {
		strbuf_add(&b->filling, rec.rec, rec.size);
		if (rec.type == PERF_RECORD_FINISHED_ROUND || b->filling.len >= HAND_OVER)
			hand_over(b, &diag);
	}
	hand_over(b, &diag);
	pthread_mutex_lock(&b->lock);
	b->ended = true;
	b->result = ret;
	b->err = err;
	pthread_cond_signal(&b->more);
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

/* ---- the session ---- */

/* Take the records that wait. Return: 1, or what the other source returned at its end. */
static int take_waiting(struct behind *b, struct diag *diag, struct err *err)
{
	int ret = 1;

	b->conf.rest(b->conf.ctx);
	strbuf_reset(&b->reading);
	b->at = 0;
	pthread_mutex_lock(&b->lock);
	while (!b->waiting.len && !b->ended)
		pthread_cond_wait(&b->more, &b->lock);
	SWAP(b->waiting, b->reading);
	diag_merge(diag, &b->diag);
	b->diag = (struct diag){ 0 };
	if (!b->reading.len) {
		ret = b->result;
		*err = b->err;
	}
	pthread_mutex_unlock(&b->lock);
	b->conf.work(b->conf.ctx);
	return ret;
}

static int behind_next(struct source *src, struct pipe_record *out, struct diag *diag,
		       struct err *err)
{
	struct behind *b = behind_of(src);
	struct perf_event_header *h;
	int ret = b->at < b->reading.len ? 1 : take_waiting(b, diag, err);

	if (ret <= 0)
		return ret;
	h = (void *)(b->reading.buf + b->at);
	*out = (struct pipe_record){
		.rec = h, .type = h->type, .misc = h->misc, .size = h->size, .offset = b->taken
	};
	b->at += h->size;
	b->taken += h->size;
	return 1;
}

static u64 behind_tell(const struct source *src)
{
	return ((const struct behind *)src)->taken;
}

static void behind_close(struct source *src)
{
	struct behind *b = behind_of(src);

	pthread_join(b->thread, NULL);
	source_close(b->conf.from);
	strbuf_release(&b->filling);
	strbuf_release(&b->waiting);
	strbuf_release(&b->reading);
	pthread_cond_destroy(&b->more);
	pthread_mutex_destroy(&b->lock);
	free(b);
}

struct behind *behind_new(const struct behind_conf *conf, struct err *err)
{
	static const struct source_ops ops = {
		.next = behind_next,
		.tell = behind_tell,
		.close = behind_close,
	};
	struct behind *b = xzalloc(sizeof(*b));
	int ret;

	b->base.ops = &ops;
	b->conf = *conf;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->more, NULL);
	ret = pthread_create(&b->thread, NULL, read_ahead, b);
	if (!ret)
		return b;
	err_set(err, -ret, "no thread to read the ring buffers: %s", err_str(-ret));
	source_close(conf->from);
	free(b);
	return NULL;
}

struct source *behind_source(struct behind *b)
{
	return &b->base;
}

u64 behind_dropped(struct behind *b)
{
	return atomic_load(&b->dropped);
}
