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
