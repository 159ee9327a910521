// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The thread that writes pages back behind the writer:
 *
 *	0 ... KEEP | released | being written to disk | just written
 *	                      |<----- LAG steps ----->|
 *
 * It is started when there is something to do for the first time. Failures only cost speed.
 */
#include "base/compat.h"
#include "file/write-back.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <pthread.h>

#define STEP ((u64)8 << 20)
#define LAG 4
/* The start of a file stays in memory, because small recordings are usually read next. */
#define KEEP ((u64)64 << 20)

struct followed {
	const struct file_writer *w; /* borrowed */
	u64 done;                    /* up to here the disk has been told to write */
};

struct write_back {
	struct followed *files; /* owned */
	size_t nr, cap;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work;
	bool running, failed, wanted, ended; /* protected by the lock */
};

struct write_back *write_back_new(void)
{
	struct write_back *s = xzalloc(sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->work, NULL);
	return s;
}

void write_back_add(struct write_back *s, const struct file_writer *w)
{
	if (w->pipe)
		return;
	VEC_GROW(s->files, s->nr + 1, s->cap);
	s->files[s->nr++] = (struct followed){ .w = w };
}

static bool has_grown(const struct followed *f)
{
	u64 size = __atomic_load_n(&f->w->data_size, __ATOMIC_RELAXED);

	return size >= KEEP && size - __atomic_load_n(&f->done, __ATOMIC_RELAXED) >= STEP;
}

static void write_back_file(struct followed *f)
{
	/* the bytes before the data are few and do not matter */
	sync_file_range(f->w->fd, (off_t)f->done, (off_t)STEP, SYNC_FILE_RANGE_WRITE);
	if (f->done > KEEP + LAG * STEP)
		posix_fadvise(f->w->fd, (off_t)KEEP, (off_t)(f->done - LAG * STEP - KEEP),
			      POSIX_FADV_DONTNEED);
	__atomic_store_n(&f->done, f->done + STEP, __ATOMIC_RELAXED);
}

static bool ended(struct write_back *s)
{
	bool yes;

	pthread_mutex_lock(&s->lock);
	yes = s->ended;
	pthread_mutex_unlock(&s->lock);
	return yes;
}

static void *write_back_main(void *arg)
{
	struct write_back *s = arg;

	for (;;) {
		bool stop;

		pthread_mutex_lock(&s->lock);
		while (!s->wanted && !s->ended)
			pthread_cond_wait(&s->work, &s->lock);
		s->wanted = false;
		stop = s->ended;
		pthread_mutex_unlock(&s->lock);
		if (stop)
			return NULL;
		for (size_t i = 0; i < s->nr; i++)
			while (has_grown(&s->files[i]) && !ended(s))
				write_back_file(&s->files[i]);
	}
}

void write_back_note(struct write_back *s)
{
	bool any = false;

	for (size_t i = 0; s && i < s->nr && !any; i++)
		any = has_grown(&s->files[i]);
	if (!any)
		return;
	pthread_mutex_lock(&s->lock);
	s->wanted = true;
	if (!s->running && !s->failed) {
		s->running = !pthread_create(&s->thread, NULL, write_back_main, s);
		s->failed = !s->running;
	}
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
}

void write_back_free(struct write_back *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->ended = true;
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
	if (s->running)
		pthread_join(s->thread, NULL);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->work);
	free(s->files);
	free(s);
}
