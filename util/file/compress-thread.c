// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The compressing thread. The elements of its queue are batches: bytes to compress, followed by
 * bytes to be written unchanged.
 *
 *	compress_thread_add -> open batch -> compress_thread_plain: to the end of the queue ->
 *thread -> file
 */
#include "base/compat.h"
#include "file/compress-thread.h"

#include "base/alloc.h"
#include "file/compress.h"

#include <errno.h>
#include <pthread.h>

#define BATCH_MAX ((size_t)4 << 20)
#define ROUND_MAX ((size_t)32 << 20) /* of a batch whose records are changed */

struct batch {
	struct batch *next;
	struct strbuf raw, plain; /* owned */
	size_t size;              /* bytes in both when it came into the queue */
};

struct compress_thread {
	struct file_writer *w;   /* borrowed */
	struct compressor *comp; /* owned; NULL: no compression */
	struct compress_thread_opts opts;
	pthread_t thread;
	struct batch *open; /* owned; used by the caller alone */

	pthread_mutex_t lock;
	pthread_cond_t work, room;
	struct batch *first, **last; /* the queue; owned */
	struct batch *spare;         /* owned; empty batches for reuse */
	size_t waiting;              /* bytes in the queue, and in the batch that is written */
	bool ended, joined;
	struct err err; /* the error; code 0: none */

	u64 raw, packed; /* used by the thread alone until it ends */
};

static void batch_free(struct batch *b)
{
	while (b) {
		struct batch *next = b->next;

		strbuf_release(&b->raw);
		strbuf_release(&b->plain);
		free(b);
		b = next;
	}
}

/* --- the thread ------------------------------------------------------------- */

static size_t behind(struct compress_thread *p, const struct batch *b)
{
	size_t size;

	pthread_mutex_lock(&p->lock);
	size = p->waiting - b->size;
	pthread_mutex_unlock(&p->lock);
	return size;
}

static int write_batch(struct compress_thread *p, struct batch *b, struct strbuf *out,
		       struct err *err)
{
	const struct record_changer *changer = &p->opts.changer;
	int rc;

	if (changer->change && b->raw.len)
		changer->change(changer->ctx, &b->raw, behind(p, b));
	if (p->opts.look && b->raw.len)
		p->opts.look(p->opts.ctx, b->raw.buf, b->raw.len);
	if (!p->comp) {
		rc = file_writer_write(p->w, b->raw.buf, b->raw.len, err);
		return rc ? rc : file_writer_write(p->w, b->plain.buf, b->plain.len, err);
	}
	strbuf_reset(out);
	rc = compressor_add(p->comp, b->raw.buf, b->raw.len, out, err);
	if (rc)
		return rc;
	p->raw += b->raw.len;
	p->packed += out->len;
	strbuf_add(out, b->plain.buf, b->plain.len);
	return file_writer_write(p->w, out->buf, out->len, err);
}

static struct batch *take(struct compress_thread *p)
{
	struct batch *b;

	pthread_mutex_lock(&p->lock);
	while (!p->first && !p->ended)
		pthread_cond_wait(&p->work, &p->lock);
	b = p->first;
	if (b) {
		p->first = b->next;
		if (!p->first)
			p->last = &p->first;
	}
	pthread_mutex_unlock(&p->lock);
	return b;
}

static void give_back(struct compress_thread *p, struct batch *b, const struct err *err)
{
	size_t size = b->size;

	strbuf_reset(&b->raw);
	strbuf_reset(&b->plain);
	pthread_mutex_lock(&p->lock);
	b->next = p->spare;
	p->spare = b;
	p->waiting -= size;
	if (err->code && !p->err.code)
		p->err = *err;
	pthread_cond_signal(&p->room);
	pthread_mutex_unlock(&p->lock);
}

/* Write a batch, which may be NULL. After an error the rest is discarded, so that nobody waits for
 * room. */
static void finish(struct compress_thread *p, struct batch *b, struct strbuf *out, struct err *err)
{
	if (!b)
		return;
	if (!err->code)
		write_batch(p, b, out, err);
	give_back(p, b, err);
}

/* Hold a batch back, so that its successor is seen before it is written. As it may be a while until
 * there is one, nobody waits for its room.
 * Return: the one that was held; NULL: none was. */
static struct batch *hold(struct compress_thread *p, struct batch **held, struct batch *b)
{
	struct batch *before = *held;

	pthread_mutex_lock(&p->lock);
	p->waiting -= b->size;
	b->size = 0;
	pthread_cond_signal(&p->room);
	pthread_mutex_unlock(&p->lock);
	*held = b;
	return before;
}

static void *compress_main(void *arg)
{
	struct strbuf out = STRBUF_INIT;
	struct compress_thread *p = arg;
	const struct record_changer *changer = &p->opts.changer;
	struct batch *b, *held = NULL;
	struct err err = { 0 };

	while ((b = take(p))) {
		if (changer->ahead) {
			changer->ahead(changer->ctx, b->raw.buf, b->raw.len);
			b = hold(p, &held, b);
		}
		finish(p, b, &out, &err);
	}
	finish(p, held, &out, &err);
	strbuf_release(&out);
	return NULL;
}

/* --- the caller's side ------------------------------------------------------ */

int compress_thread_new(struct compress_thread **out, struct file_writer *w,
			const struct compress_thread_opts *o, struct err *err)
{
	struct compress_thread *p;
	struct compressor *comp = NULL;
	int rc = o->level ? compressor_new(&comp, o->level, err) : 0;

	if (rc)
		return rc;
	p = xzalloc(sizeof(*p));
	p->w = w;
	p->comp = comp;
	p->opts = *o;
	p->last = &p->first;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->work, NULL);
	pthread_cond_init(&p->room, NULL);
	rc = -pthread_create(&p->thread, NULL, compress_main, p);
	if (rc) {
		p->joined = true;
		compress_thread_free(p);
		return err_set(err, rc, "no thread for compressing: %s", err_str(rc));
	}
	*out = p;
	return 0;
}

static struct batch *open_batch(struct compress_thread *p)
{
	if (!p->open) {
		pthread_mutex_lock(&p->lock);
		p->open = p->spare;
		if (p->open)
			p->spare = p->open->next;
		pthread_mutex_unlock(&p->lock);
		if (!p->open)
			p->open = xzalloc(sizeof(*p->open));
		p->open->next = NULL;
	}
	return p->open;
}

/* Pass the open batch to the thread when there is room for it. */
static int hand_over(struct compress_thread *p, struct err *err)
{
	struct batch *b = p->open;
	int rc;

	pthread_mutex_lock(&p->lock);
	while (b && p->waiting > p->opts.limit)
		pthread_cond_wait(&p->room, &p->lock);
	if (b) {
		b->size = b->raw.len + b->plain.len;
		p->waiting += b->size;
		*p->last = b;
		p->last = &b->next;
		pthread_cond_signal(&p->work);
	}
	rc = p->err.code;
	if (rc && err)
		*err = p->err;
	pthread_mutex_unlock(&p->lock);
	p->open = NULL;
	return rc;
}

int compress_thread_add(struct compress_thread *p, const struct iovec *iov, int nr, struct err *err)
{
	struct batch *b = open_batch(p);

	for (int i = 0; i < nr; i++)
		strbuf_add(&b->raw, iov[i].iov_base, iov[i].iov_len);
	return b->raw.len >= (p->opts.changer.change ? ROUND_MAX : BATCH_MAX) ? hand_over(p, err)
									      : 0;
}

int compress_thread_plain(struct compress_thread *p, const void *data, size_t len, struct err *err)
{
	strbuf_add(&open_batch(p)->plain, data, len);
	return hand_over(p, err);
}

int compress_thread_end(struct compress_thread *p, u64 *raw, u64 *packed, struct err *err)
{
	hand_over(p, NULL);
	pthread_mutex_lock(&p->lock);
	p->ended = true;
	pthread_cond_signal(&p->work);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	p->joined = true;
	*raw = p->raw;
	*packed = p->packed;
	if (p->err.code && err)
		*err = p->err;
	return p->err.code;
}

void compress_thread_free(struct compress_thread *p)
{
	u64 raw, packed;

	if (!p)
		return;
	if (!p->joined)
		compress_thread_end(p, &raw, &packed, NULL);
	batch_free(p->open);
	batch_free(p->first);
	batch_free(p->spare);
	compressor_free(p->comp);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->work);
	pthread_cond_destroy(&p->room);
	free(p);
}
