// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "inject/guest-feed.h"

#define BATCH ((size_t)256 << 10) /* bytes that are handed over at once */

/* An entry is followed by its record. */
struct head {
	u64 time;
	u32 event, vcpu;
};

static size_t rec_bytes(const void *rec)
{
	return ((const wire_header *)rec)->size;
}

/* ---- the maker ---- */

/* Hand over what was made, when the taker has taken what it got before. Return: nonzero when it
 * wants no more. */
static int hand_over(struct guest_feed *f, bool end)
{
	int quit;

	pthread_mutex_lock(&f->lock);
	while (f->full && !f->quit)
		pthread_cond_wait(&f->changed, &f->lock);
	quit = f->quit;
	if (!quit) {
		struct strbuf empty = f->ready;

		f->ready = f->making;
		f->making = empty;
		strbuf_reset(&f->making);
		f->full = true;
	}
	f->end = f->end || end;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
	return quit;
}

int feed_put(struct guest_feed *f, const struct feed_entry *e)
{
	const struct head h = { e->time, e->event, e->vcpu };

	strbuf_add(&f->making, &h, sizeof(h));
	strbuf_add(&f->making, e->rec, rec_bytes(e->rec));
	return f->making.len < BATCH ? 0 : hand_over(f, false);
}

static void *maker_main(void *arg)
{
	struct guest_feed *f = arg;

	f->ret = f->make(f->ctx, f, &f->err);
	hand_over(f, true);
	return NULL;
}

int feed_start(struct guest_feed *f, int (*make)(void *ctx, struct guest_feed *f, struct err *err),
	       void *ctx, struct err *err)
{
	int ret;

	*f = (struct guest_feed){ .make = make, .ctx = ctx };
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->changed, NULL);
	ret = pthread_create(&f->thread, NULL, maker_main, f);
	f->started = !ret;
	return ret ? err_set(err, -ret, "cannot start a thread: %s", err_str(-ret)) : 0;
}

/* ---- the taker ---- */

/* Wait for a batch. Return: whether there is one. */
static bool take_batch(struct guest_feed *f)
{
	bool taken;

	pthread_mutex_lock(&f->lock);
	while (!f->full && !f->end)
		pthread_cond_wait(&f->changed, &f->lock);
	taken = f->full;
	if (taken) {
		struct strbuf empty = f->taking;

		f->taking = f->ready;
		f->ready = empty;
		f->full = false;
		f->at = 0;
		pthread_cond_broadcast(&f->changed);
	}
	pthread_mutex_unlock(&f->lock);
	return taken;
}

int feed_first(struct guest_feed *f, struct feed_entry *e, struct err *err)
{
	struct head h;

	while (f->at == f->taking.len) {
		if (take_batch(f))
			continue;
		if (f->ret)
			*err = f->err;
		return f->ret;
	}
	memcpy(&h, f->taking.buf + f->at, sizeof(h));
	*e = (struct feed_entry){ h.time, h.event, h.vcpu, f->taking.buf + f->at + sizeof(h) };
	return 1;
}

void feed_drop(struct guest_feed *f)
{
	f->at += sizeof(struct head) + rec_bytes(f->taking.buf + f->at + sizeof(struct head));
}

void feed_stop(struct guest_feed *f)
{
	if (!f->started)
		return;
	pthread_mutex_lock(&f->lock);
	f->quit = true;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
	pthread_join(f->thread, NULL);
	pthread_mutex_destroy(&f->lock);
	pthread_cond_destroy(&f->changed);
	strbuf_release(&f->making);
	strbuf_release(&f->ready);
	strbuf_release(&f->taking);
	*f = (struct guest_feed){ 0 };
}
