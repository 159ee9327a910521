// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/pool.h"

#include "base/alloc.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct job {
	atomic_size_t next;
	size_t nr;
	void (*fn)(void *ctx, int worker, size_t item);
	void *ctx;
};

struct seat {
	struct job *job;
	int worker;
	pthread_t thread;
	bool started;
};

int pool_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return MAX(1, CPU_COUNT(&set));
}

static void *work(void *arg)
{
	struct seat *s = arg;
	size_t i;

	while ((i = atomic_fetch_add(&s->job->next, 1)) < s->job->nr)
		s->job->fn(s->job->ctx, s->worker, i);
	return NULL;
}

void pool_run(int workers, size_t nr, void (*fn)(void *ctx, int worker, size_t item), void *ctx)
{
	struct job job = { .nr = nr, .fn = fn, .ctx = ctx };
	struct seat *seats;
	int i;

	workers = MAX(1, workers);
	if ((size_t)workers > nr)
		workers = (int)MAX(nr, (size_t)1);
	seats = xcalloc((size_t)workers, sizeof(*seats));
	for (i = 0; i < workers; i++) {
		seats[i].job = &job;
		seats[i].worker = i;
		if (i)
			seats[i].started = !pthread_create(&seats[i].thread, NULL, work, &seats[i]);
	}
	work(&seats[0]);
	for (i = 1; i < workers; i++)
		if (seats[i].started)
			pthread_join(seats[i].thread, NULL);
	free(seats);
}

/* ---- in order ---- */

#define SPINS 4096 /* looks before a thread goes to sleep: turns come soon */

struct turns {
	void (*make)(void *ctx, int worker, size_t item);
	int (*hand)(void *ctx, int worker, size_t item);
	void *ctx;
	atomic_size_t next; /* whose turn it is */
	atomic_int ret;
	int sleepers; /* under lock */
	pthread_mutex_t lock;
	pthread_cond_t moved;
};

static void wait_for_turn(struct turns *t, size_t item)
{
	for (int i = 0; i < SPINS; i++)
		if (atomic_load_explicit(&t->next, memory_order_acquire) == item)
			return;
	pthread_mutex_lock(&t->lock);
	t->sleepers++;
	while (atomic_load(&t->next) != item)
		pthread_cond_wait(&t->moved, &t->lock);
	t->sleepers--;
	pthread_mutex_unlock(&t->lock);
}

static void make_and_hand(void *arg, int worker, size_t item)
{
	struct turns *t = arg;

	if (!atomic_load(&t->ret))
		t->make(t->ctx, worker, item);
	wait_for_turn(t, item);
	if (!atomic_load(&t->ret))
		atomic_store(&t->ret, t->hand(t->ctx, worker, item));
	pthread_mutex_lock(&t->lock);
	atomic_store_explicit(&t->next, item + 1, memory_order_release);
	if (t->sleepers)
		pthread_cond_broadcast(&t->moved);
	pthread_mutex_unlock(&t->lock);
}

int pool_run_in_order(int workers, size_t nr, void (*make)(void *ctx, int worker, size_t item),
		      int (*hand)(void *ctx, int worker, size_t item), void *ctx)
{
	struct turns t = { .make = make, .hand = hand, .ctx = ctx };
	int ret;

	pthread_mutex_init(&t.lock, NULL);
	pthread_cond_init(&t.moved, NULL);
	pool_run(workers, nr, make_and_hand, &t);
	ret = atomic_load(&t.ret);
	pthread_cond_destroy(&t.moved);
	pthread_mutex_destroy(&t.lock);
	return ret;
}
