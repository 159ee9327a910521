// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "cli/write-behind.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define PIECE_BYTES (256 << 10)
#define NR_PIECES 8

struct write_behind {
	int fd;
	bool threaded;
	pthread_t thread;
	pthread_mutex_t lock; /* of all below, but for the piece that each side works on */
	pthread_cond_t changed;
	struct strbuf pieces[NR_PIECES]; /* rings */
	size_t filled, written;          /* counts of pieces; filled - written <= NR_PIECES */
	bool ends;
	atomic_int failed; /* 0, or the negative errno of a write */
};

static struct strbuf *piece(struct write_behind *w, size_t nr)
{
	return &w->pieces[nr % NR_PIECES];
}

static void put(struct write_behind *w, const char *text, size_t len)
{
	while (len && !atomic_load(&w->failed)) {
		ssize_t n = write(w->fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			atomic_store(&w->failed, n ? -errno : -EIO);
			return;
		}
		text += n;
		len -= (size_t)n;
	}
}

/* The thread: write each piece that is filled. */
static void *follow(void *arg)
{
	struct write_behind *w = arg;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		struct strbuf *p = piece(w, w->written);

		if (w->filled == w->written && w->ends)
			break;
		if (w->filled == w->written) {
			pthread_cond_wait(&w->changed, &w->lock);
			continue;
		}
		pthread_mutex_unlock(&w->lock);
		put(w, p->buf, p->len);
		strbuf_reset(p);
		pthread_mutex_lock(&w->lock);
		w->written++;
		pthread_cond_signal(&w->changed);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* Hand over the piece that is being filled, and wait until at most @left wait to be written. */
static void hand_over(struct write_behind *w, size_t left)
{
	pthread_mutex_lock(&w->lock);
	if (piece(w, w->filled)->len)
		w->filled++;
	pthread_cond_signal(&w->changed);
	while (w->filled - w->written > left)
		pthread_cond_wait(&w->changed, &w->lock);
	pthread_mutex_unlock(&w->lock);
}

struct write_behind *write_behind_new(int fd, int workers)
{
	struct write_behind *w = xzalloc(sizeof(*w));

	w->fd = fd;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	w->threaded = workers > 1 && !pthread_create(&w->thread, NULL, follow, w);
	return w;
}

int write_behind_put(struct write_behind *w, const char *text, size_t len)
{
	struct strbuf *p = piece(w, w->filled);

	if (!w->threaded) {
		put(w, text, len);
	} else {
		strbuf_add(p, text, len);
		if (p->len >= PIECE_BYTES)
			hand_over(w, NR_PIECES - 1);
	}
	return atomic_load(&w->failed);
}

int write_behind_settle(struct write_behind *w)
{
	if (w->threaded)
		hand_over(w, 0);
	return atomic_load(&w->failed);
}

int write_behind_free(struct write_behind *w)
{
	int failed = write_behind_settle(w);

	if (w->threaded) {
		pthread_mutex_lock(&w->lock);
		w->ends = true;
		pthread_cond_signal(&w->changed);
		pthread_mutex_unlock(&w->lock);
		pthread_join(w->thread, NULL);
	}
	for (size_t i = 0; i < NR_PIECES; i++)
		strbuf_release(&w->pieces[i]);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w);
	return failed;
}
