// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a file part by part and does pass 1 over each, where possible on a thread of its own, a few
 * parts ahead of whoever takes them.
 *
 * Pass 1 over a part needs to know where the first record begins and nothing else of the parts
 * before it, so its result does not depend on when it is done. Special and damaged records do
 * depend on what was before. The thread stops at them, until it is told where to go on.
 */
#include "base/alloc.h"
#include "base/compat.h"
#include "session/pieces.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PARTS 32 /* that are ready at most: the more, the more seldom a thread has to be woken */
#define LARGE_PAGE ((size_t)1 << 21)
#define AT_ONCE (LARGE_PAGE / PART_BYTES) /* buffers that are allocated together */
#define BUFFERS (PARTS_KEPT + PARTS + 1)
#define PAGES ((BUFFERS + AT_ONCE - 1) / AT_ONCE)
#define RECORD_MAX ((size_t)1 << 16)

struct ahead {
	struct scan sc; /* a copy of that of whoever takes parts, with a cache of its own */
	struct id_cache cache;
	const u8 *end;
	struct part parts[PARTS]; /* a ring */
	bool threaded;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t filled, room;
	/* All these are protected by the lock: */
	const u8 *at;     /* the next part begins here; NULL: that is not known yet */
	u64 made, taken;  /* numbers of parts; the one that was taken last is still in use */
	bool waits, idle; /* whoever takes parts waits; the thread does */
	bool quit;
	struct buffer buffers[PAGES * AT_ONCE];
	struct buffer *spare[PAGES * AT_ONCE]; /* those that nobody needs */
	size_t nr_spare;
	u8 *pages[PAGES]; /* owned; all buffers are in them */
	size_t nr_pages;
};

/* ---- buffers ---- */

/* Buffers are in large pages, because each small one costs a fault when it is first used. */
static void add_page(struct ahead *a)
{
	u8 *page = aligned_alloc(LARGE_PAGE, LARGE_PAGE);

	if (!page)
		page = xmalloc(LARGE_PAGE); /* which says what is wrong */
	(void)madvise(page, LARGE_PAGE, MADV_HUGEPAGE);
	for (size_t i = AT_ONCE; i--;) {
		struct buffer *b = &a->buffers[a->nr_pages * AT_ONCE + i];

		b->bytes = page + i * PART_BYTES;
		a->spare[a->nr_spare++] = b;
	}
	a->pages[a->nr_pages++] = page;
}

static struct buffer *take_buffer(struct ahead *a)
{
	if (!a->nr_spare)
		add_page(a);
	return a->spare[--a->nr_spare];
}

void ahead_give(struct ahead *a, struct buffer *b)
{
	pthread_mutex_lock(&a->lock);
	a->spare[a->nr_spare++] = b;
	pthread_mutex_unlock(&a->lock);
}

/* ---- parts ---- */

/* Prepare the marks of a part, which has @len bytes at @at. */
static void open_marks(struct ahead *a, struct marks *m, const u8 *at, const u8 *bytes, size_t len)
{
	size_t most = len / ((size_t)a->sc.ix->places.off_time + sizeof(u64));

	m->nr = 0;
	m->at = at;
	m->bytes = bytes;
	VEC_GROW(m->v, most + 1, m->cap);
	a->sc.marks = m;
}

/* Read the part at @p, and do pass 1 over it. */
static void make_part(struct ahead *a, struct part *part, const u8 *p)
{
	size_t len = MIN(PART_BYTES, (size_t)(a->end - p));
	ssize_t got = pread(a->sc.fd, part->buffer->bytes, len, (off_t)(p - a->sc.base));
	const u8 *behind = p + len;

	part->at = part->to = p;
	part->len = len;
	part->read = got == (ssize_t)len;
	part->last = NULL;
	tally_reset(&part->t);
	if (part->read) {
		a->sc.prev = NULL;
		open_marks(a, &part->buffer->marks, p, part->buffer->bytes, len);
		part->to = pass1_take(&a->sc, p, part->buffer->bytes, len, &part->t);
		part->last = a->sc.prev;
	}
	/* A record that the part cuts off is the first one of the next part. */
	part->whole = part->to == behind ||
		      (part->to > p && behind < a->end && (size_t)(behind - part->to) < RECORD_MAX);
}

/* Make the next part. The caller holds the lock. */
static void make_next(struct ahead *a)
{
	struct part *part = &a->parts[a->made % PARTS];
	const u8 *p = a->at;

	part->buffer = take_buffer(a);
	pthread_mutex_unlock(&a->lock);
	make_part(a, part, p);
	pthread_mutex_lock(&a->lock);
	a->at = part->whole && part->to < a->end ? part->to : NULL;
	a->made++;
}

static void *make_parts(void *arg)
{
	struct ahead *a = arg;

	pthread_mutex_lock(&a->lock);
	while (!a->quit) {
		/* The part that was taken last is in use. */
		if (!a->at || a->made - a->taken >= PARTS - 1) {
			a->idle = true;
			pthread_cond_wait(&a->room, &a->lock);
			continue;
		}
		a->idle = false;
		make_next(a);
		if (a->waits)
			pthread_cond_signal(&a->filled);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* Wake the thread, if there is enough to do that it pays, or if someone waits for it. The caller
 * holds the lock. */
static void wake_thread(struct ahead *a)
{
	if (a->idle && a->at && a->made - a->taken <= PARTS / 2) {
		a->idle = false;
		pthread_cond_signal(&a->room);
	}
}

struct part *ahead_next(struct ahead *a, const u8 *at)
{
	struct part *part;

	pthread_mutex_lock(&a->lock);
	if (a->made == a->taken && !a->at)
		a->at = at;
	wake_thread(a);
	while (a->threaded && a->made == a->taken) {
		a->waits = true;
		pthread_cond_wait(&a->filled, &a->lock);
	}
	a->waits = false;
	if (a->made == a->taken)
		make_next(a);
	part = &a->parts[a->taken++ % PARTS];
	pthread_mutex_unlock(&a->lock);
	return part;
}

struct ahead *ahead_new(const struct scan *sc, const u8 *at, const u8 *end, const bool *wants,
			bool thread)
{
	struct ahead *a = xzalloc(sizeof(*a));

	a->sc = *sc;
	a->sc.cache = &a->cache;
	a->at = at;
	a->end = end;
	a->sc.wants = wants;
	for (size_t i = 0; i < PARTS; i++)
		tally_init(&a->parts[i].t);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->filled, NULL);
	pthread_cond_init(&a->room, NULL);
	a->threaded = thread && !pthread_create(&a->thread, NULL, make_parts, a);
	return a;
}

void ahead_free(struct ahead *a)
{
	pthread_mutex_lock(&a->lock);
	a->quit = true;
	pthread_cond_signal(&a->room);
	pthread_mutex_unlock(&a->lock);
	if (a->threaded)
		pthread_join(a->thread, NULL);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->filled);
	pthread_cond_destroy(&a->room);
	for (size_t i = 0; i < PARTS; i++)
		tally_release(&a->parts[i].t);
	for (size_t i = 0; i < ARRAY_SIZE(a->buffers); i++)
		free(a->buffers[i].marks.v);
	for (size_t i = 0; i < a->nr_pages; i++)
		free(a->pages[i]);
	free(a);
}
