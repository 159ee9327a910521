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
	pthread_t thread; /* its own thread, unless it belongs to a crew */
	bool started;
};

int pool_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	return MAX(1, CPU_COUNT(&set));
}

int pool_workers(void)
{
	const char *env = getenv("PERF_WORKERS");
	long n = env ? strtol(env, NULL, 10) : 0;

	return n > 0 && n <= 1024 ? (int)n : pool_cpus();
}

static void *work(void *arg)
{
	struct seat *s = arg;
	size_t i;

	while ((i = atomic_fetch_add(&s->job->next, 1)) < s->job->nr)
		s->job->fn(s->job->ctx, s->worker, i);
	return NULL;
}

/* ---- threads that stay ---- */

struct helper {
	struct crew *crew;
	pthread_t thread;
	struct seat *seat; /* protected by lock; NULL: it waits for one */
};

struct crew {
	int workers;
	struct helper *v; /* owned; those of worker 1 and so on */
	int nr;           /* created so far */
	bool end;         /* protected by lock */
	pthread_mutex_t lock;
	pthread_cond_t called, done;
};

struct crew *crew_new(int workers)
{
	struct crew *c = xzalloc(sizeof(*c));

	c->workers = MAX(1, workers);
	c->v = xcalloc((size_t)c->workers, sizeof(*c->v));
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->called, NULL);
	pthread_cond_init(&c->done, NULL);
	return c;
}

void crew_free(struct crew *c)
{
	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->end = true;
	pthread_cond_broadcast(&c->called);
	pthread_mutex_unlock(&c->lock);
	while (c->nr)
		pthread_join(c->v[--c->nr].thread, NULL);
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->called);
	pthread_cond_destroy(&c->done);
	free(c->v);
	free(c);
}

int crew_workers(const struct crew *c)
{
	return c ? c->workers : 1;
}

/* Wait for work. Return: NULL when the crew ends. */
static struct seat *next_seat(const struct helper *h)
{
	struct crew *c = h->crew;
	struct seat *s;

	pthread_mutex_lock(&c->lock);
	while (!(s = h->seat) && !c->end)
		pthread_cond_wait(&c->called, &c->lock);
	pthread_mutex_unlock(&c->lock);
	return s;
}

static void *help(void *arg)
{
	struct helper *h = arg;
	struct crew *c = h->crew;
	struct seat *s;

	while ((s = next_seat(h))) {
		work(s);
		pthread_mutex_lock(&c->lock);
		h->seat = NULL;
		pthread_cond_signal(&c->done);
		pthread_mutex_unlock(&c->lock);
	}
	return NULL;
}

/* Return the helper of a worker, or NULL when no thread could be created. */
static struct helper *crew_helper(struct crew *c, int worker)
{
	struct helper *h;

	for (; c->nr < worker; c->nr++) {
		h = &c->v[c->nr];
		h->crew = c;
		if (pthread_create(&h->thread, NULL, help, h))
			return NULL;
	}
	return &c->v[worker - 1];
}

static bool call_helper(struct crew *c, struct seat *s)
{
	struct helper *h = crew_helper(c, s->worker);

	if (!h)
		return false;
	pthread_mutex_lock(&c->lock);
	h->seat = s;
	pthread_cond_broadcast(&c->called);
	pthread_mutex_unlock(&c->lock);
	return true;
}

static void await_helper(struct crew *c, int worker)
{
	pthread_mutex_lock(&c->lock);
	while (c->v[worker - 1].seat)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

/* ---- a job ---- */

/* Run a job. @c: the crew whose threads work; NULL: threads of the job's own */
static void run_job(struct crew *c, int workers, struct job *job)
{
	struct seat *seats;
	int i;

	workers = MAX(1, workers);
	if ((size_t)workers > job->nr)
		workers = (int)MAX(job->nr, (size_t)1);
	seats = xcalloc((size_t)workers, sizeof(*seats));
	for (i = 0; i < workers; i++) {
		struct seat *s = &seats[i];

		*s = (struct seat){ .job = job, .worker = i };
		if (i)
			s->started = c ? call_helper(c, s)
				       : !pthread_create(&s->thread, NULL, work, s);
	}
	work(&seats[0]);
	for (i = 1; i < workers; i++) {
		if (c && seats[i].started)
			await_helper(c, i);
		else if (seats[i].started)
			pthread_join(seats[i].thread, NULL);
	}
	free(seats);
}

void pool_run(int workers, size_t nr, void (*fn)(void *ctx, int worker, size_t item), void *ctx)
{
	struct job job = { .nr = nr, .fn = fn, .ctx = ctx };

	run_job(NULL, workers, &job);
}

void crew_run(struct crew *c, size_t nr, void (*fn)(void *ctx, int worker, size_t item), void *ctx)
{
	struct job job = { .nr = nr, .fn = fn, .ctx = ctx };

	run_job(c, crew_workers(c), &job);
}

/* ---- in order ---- */

#define SPINS 4096 /* polls before a thread goes to sleep, because turns come soon */

struct turns {
	void (*make)(void *ctx, int worker, size_t item);
	int (*hand)(void *ctx, int worker, size_t item);
	void *ctx;
	atomic_size_t next; /* the item whose turn it is */
	atomic_int ret;
	int sleepers; /* protected by lock */
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
