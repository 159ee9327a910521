// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/pool.h"

#include "base/alloc.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

struct job {
	atomic_size_t next;
	size_t nr;
	void (*fn)(void *ctx, int worker, size_t item);
	void *ctx;
};

struct helper;

struct seat {
	struct job *job;
	int worker;
	struct helper *helper; /* whose it is; NULL: of a thread of its own */
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

/* ---- threads that stay ---- */

/*
 * A new thread may begin on the CPU of the one that made it, which then gets half of it until the
 * kernel moves one of them, milliseconds later: longer than many a job takes. One that has slept is
 * woken where a CPU is idle.
 */
struct helper {
	pthread_t thread;
	struct seat *seat; /* under lock; NULL: it waits for one */
};

static struct {
	bool keep, end;
	pid_t owner;       /* a child has none of the threads */
	atomic_bool taken; /* by one job; what runs beside it makes threads of its own */
	struct helper **v; /* owned, each */
	size_t nr, cap;
	pthread_mutex_t lock;
	pthread_cond_t called, done;
} crew = { .lock = PTHREAD_MUTEX_INITIALIZER,
	   .called = PTHREAD_COND_INITIALIZER,
	   .done = PTHREAD_COND_INITIALIZER };

/* Return: NULL when all is over. */
static struct seat *next_seat(struct helper *h)
{
	struct seat *s;

	pthread_mutex_lock(&crew.lock);
	while (!(s = h->seat) && !crew.end)
		pthread_cond_wait(&crew.called, &crew.lock);
	pthread_mutex_unlock(&crew.lock);
	return s;
}

static void *help(void *arg)
{
	struct helper *h = arg;
	struct seat *s;

	while ((s = next_seat(h))) {
		work(s);
		pthread_mutex_lock(&crew.lock);
		h->seat = NULL;
		pthread_cond_signal(&crew.done);
		pthread_mutex_unlock(&crew.lock);
	}
	return NULL;
}

static bool crew_take(void)
{
	return crew.keep && crew.owner == getpid() && !atomic_exchange(&crew.taken, true);
}

/* Of the crew that was taken. Return: NULL when no thread could be made. */
static struct helper *crew_helper(size_t i)
{
	struct helper *h;

	if (i < crew.nr)
		return crew.v[i];
	h = xzalloc(sizeof(*h));
	if (pthread_create(&h->thread, NULL, help, h)) {
		free(h);
		return NULL;
	}
	VEC_GROW(crew.v, crew.nr + 1, crew.cap);
	return crew.v[crew.nr++] = h;
}

static void call_helper(struct seat *s)
{
	pthread_mutex_lock(&crew.lock);
	s->helper->seat = s;
	pthread_cond_broadcast(&crew.called);
	pthread_mutex_unlock(&crew.lock);
}

static void await_helper(const struct helper *h)
{
	pthread_mutex_lock(&crew.lock);
	while (h->seat)
		pthread_cond_wait(&crew.done, &crew.lock);
	pthread_mutex_unlock(&crew.lock);
}

void pool_keep(void)
{
	if (crew.owner != getpid()) { /* those of the parent are not here */
		crew.v = NULL;
		crew.nr = crew.cap = 0;
		crew.owner = getpid();
		atomic_store(&crew.taken, false);
		pthread_mutex_init(&crew.lock, NULL);
		pthread_cond_init(&crew.called, NULL);
		pthread_cond_init(&crew.done, NULL);
	}
	crew.keep = true;
}

void pool_release(void)
{
	if (!crew.keep || crew.owner != getpid())
		return;
	pthread_mutex_lock(&crew.lock);
	crew.end = true;
	pthread_cond_broadcast(&crew.called);
	pthread_mutex_unlock(&crew.lock);
	for (size_t i = 0; i < crew.nr; i++) {
		pthread_join(crew.v[i]->thread, NULL);
		free(crew.v[i]);
	}
	free(crew.v);
	crew.v = NULL;
	crew.nr = crew.cap = 0;
	crew.keep = crew.end = false;
}

/* ---- a job ---- */

static void start_seat(struct seat *s, bool crewed)
{
	s->helper = crewed ? crew_helper((size_t)s->worker - 1) : NULL;
	if (s->helper)
		call_helper(s);
	else
		s->started = !pthread_create(&s->thread, NULL, work, s);
}

void pool_run(int workers, size_t nr, void (*fn)(void *ctx, int worker, size_t item), void *ctx)
{
	struct job job = { .nr = nr, .fn = fn, .ctx = ctx };
	struct seat *seats;
	bool crewed;
	int i;

	workers = MAX(1, workers);
	if ((size_t)workers > nr)
		workers = (int)MAX(nr, (size_t)1);
	seats = xcalloc((size_t)workers, sizeof(*seats));
	crewed = workers > 1 && crew_take();
	for (i = 0; i < workers; i++) {
		seats[i].job = &job;
		seats[i].worker = i;
		if (i)
			start_seat(&seats[i], crewed);
	}
	work(&seats[0]);
	for (i = 1; i < workers; i++) {
		if (seats[i].helper)
			await_helper(seats[i].helper);
		else if (seats[i].started)
			pthread_join(seats[i].thread, NULL);
	}
	if (crewed)
		atomic_store(&crew.taken, false);
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
