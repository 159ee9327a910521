// SPDX-License-Identifier: GPL-2.0-or-later
/* The threads that follow programs. They stay from one round to the next. */
#include "base/compat.h"

#include "schedrun/schedrun.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#define STACK_BYTES 262144   /* of a thread, which calls no function with much on its stack */
#define LONG_NS 60000000000U /* a replay that takes longer is not what users expect */

struct worker {
	struct replayer *r;
	const struct replay_program *program;
	pthread_t thread;
};

struct replayer {
	const struct replay_costs *costs; /* borrowed */
	struct worker *workers;           /* owned */
	u32 nr;
	/* Owned; one for each signal. Each is posted and waited for once in a round, so it is ready
	 * for the next one. */
	sem_t *signals;
	u32 nr_signals;
	pthread_mutex_t lock; /* of the members below */
	pthread_cond_t begins, ended;
	u64 round;   /* number of the round that has begun; 0: none */
	u32 running; /* threads that are not at the end of their programs */
	bool stop;
};

/* ---- the threads ---- */

static void await_signal(sem_t *s)
{
	while (sem_wait(s) && errno == EINTR)
		;
}

static void follow(const struct worker *w)
{
	struct replayer *r = w->r;

	for (size_t i = 0; i < w->program->nr; i++) {
		const struct replay_step *step = &w->program->steps[i];

		switch (step->kind) {
		case REPLAY_RUN:
			replay_run(r->costs, step->ns);
			break;
		case REPLAY_PAUSE:
			replay_pause(r->costs, step->ns);
			break;
		case REPLAY_WAIT:
			await_signal(&r->signals[step->signal]);
			break;
		case REPLAY_WAKE:
			sem_post(&r->signals[step->signal]);
			break;
		default:
			break;
		}
	}
}

/* Wait for the beginning of a round. Return: false: there will be none. */
static bool await_round(struct replayer *r, u64 round)
{
	bool stop;

	pthread_mutex_lock(&r->lock);
	while (!r->stop && r->round < round)
		pthread_cond_wait(&r->begins, &r->lock);
	stop = r->stop;
	pthread_mutex_unlock(&r->lock);
	return !stop;
}

static void end_round(struct replayer *r)
{
	pthread_mutex_lock(&r->lock);
	if (!--r->running)
		pthread_cond_signal(&r->ended);
	pthread_mutex_unlock(&r->lock);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	for (u64 round = 1; await_round(w->r, round); round++) {
		follow(w);
		end_round(w->r);
	}
	return NULL;
}

/* ---- their life ---- */

static int start_threads(struct replayer *r, const struct replay_programs *p, struct err *err)
{
	pthread_attr_t attr;
	int code = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (; r->nr < p->nr && !code; r->nr += !code) {
		struct worker *w = &r->workers[r->nr];

		*w = (struct worker){ .r = r, .program = &p->v[r->nr] };
		code = pthread_create(&w->thread, &attr, work, w);
	}
	pthread_attr_destroy(&attr);
	if (!code)
		return 0;
	return err_set(err, -code,
		       "cannot start a thread for each of %u tasks, only %u: %s; "
		       "choose a part of the recording with --time",
		       p->nr, r->nr, err_str(-code));
}

int replayer_new(struct replayer **out, const struct replay_programs *p,
		 const struct replay_costs *costs, struct err *err)
{
	struct replayer *r = xzalloc(sizeof(*r));
	int ret;

	r->costs = costs;
	r->workers = xcalloc(p->nr, sizeof(*r->workers));
	r->signals = xcalloc(p->nr_signals, sizeof(*r->signals));
	r->nr_signals = p->nr_signals;
	for (u32 i = 0; i < r->nr_signals; i++)
		sem_init(&r->signals[i], 0, 0);
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->begins, NULL);
	pthread_cond_init(&r->ended, NULL);
	ret = start_threads(r, p, err);
	if (ret) {
		replayer_free(r);
		r = NULL;
	}
	*out = r;
	return ret;
}

void replayer_free(struct replayer *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_broadcast(&r->begins);
	pthread_mutex_unlock(&r->lock);
	for (u32 i = 0; i < r->nr; i++)
		pthread_join(r->workers[i].thread, NULL);
	for (u32 i = 0; i < r->nr_signals; i++)
		sem_destroy(&r->signals[i]);
	pthread_cond_destroy(&r->begins);
	pthread_cond_destroy(&r->ended);
	pthread_mutex_destroy(&r->lock);
	free(r->signals);
	free(r->workers);
	free(r);
}

/* ---- rounds ---- */

void replayer_round(struct replayer *r, struct replay_round *out)
{
	u64 start = clock_ns(CLOCK_MONOTONIC), cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

	pthread_mutex_lock(&r->lock);
	r->running = r->nr;
	r->round++;
	pthread_cond_broadcast(&r->begins);
	while (r->running)
		pthread_cond_wait(&r->ended, &r->lock);
	pthread_mutex_unlock(&r->lock);
	out->elapsed = clock_ns(CLOCK_MONOTONIC) - start;
	out->cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
}

int replay_is_small(const struct replay_programs *p, u64 most_tasks, struct err *err)
{
	u64 span = p->last - p->first;

	if (span > LONG_NS)
		return err_set(err, -E2BIG,
			       "the recording is %" PRIu64 " s long, and so is each replay of it; "
			       "choose a part of it with --time, or replay all of it with -f",
			       span / 1000000000);
	if (p->nr > most_tasks)
		return err_set(err, -E2BIG,
			       "a replay has a thread for each of %u tasks, but a user may have "
			       "only %" PRIu64 " (ulimit -u); choose a part of the recording with "
			       "--time, or try all of it with -f",
			       p->nr, most_tasks);
	return 0;
}
