// SPDX-License-Identifier: GPL-2.0-or-later
/* futex requeue: how long it takes to move threads that block on one futex to another one. */
#include "base/compat.h"
#include "bench/futex-internal.h"

#include "base/clock.h"

#include <errno.h>
#include <unistd.h>

#define SETTLE_US 100000
#define GIVE_UP_SECS 30

struct requeue {
	struct futex_options o;
	u32 from, to; /* the futexes */
	unsigned int at_a_time;
	bool pi, all;
	time_t until; /* of CLOCK_MONOTONIC, in seconds: when waiting ends in any case */
};

struct moved {
	unsigned int requeued, woken;
	double ms;
};

static void wait_here(struct bench_worker *w)
{
	struct requeue *r = w->team->ctx;
	/* Nothing but a requeue wakes a thread that waits for one. */
	struct timespec until = { .tv_sec = r->until };
	int ret;

	for (;;) {
		if (r->pi)
			ret = futex_call(&r->o, &r->from, FUTEX_WAIT_REQUEUE_PI, 0,
					 (unsigned long)&until, &r->to, 0);
		else
			ret = futex_call(&r->o, &r->from, FUTEX_WAIT, 0, 0, NULL, 0);
		if (!ret || ret != -EINTR)
			break;
	}
	/* With priority inheritance it has got the lock, for which others wait. */
	if (r->pi && !ret)
		futex_call(&r->o, &r->to, FUTEX_UNLOCK_PI, 0, 0, NULL, 0);
}

static int move_all(struct requeue *r, struct moved *m)
{
	unsigned int nr = 0;
	u64 from = clock_ns(CLOCK_MONOTONIC);
	int n = 0;

	while (nr < r->o.threads) {
		if (r->pi)
			n = futex_call(&r->o, &r->from, FUTEX_CMP_REQUEUE_PI, 1, r->at_a_time,
				       &r->to, 0);
		else
			n = futex_call(&r->o, &r->from, FUTEX_CMP_REQUEUE, 0, r->at_a_time, &r->to,
				       0);
		if (n < 0 && n != -EAGAIN)
			break;
		/* The clock is asked only where no thread was moved, as this is being measured. */
		if (n <= 0 && clock_ns(CLOCK_MONOTONIC) / 1000000000 >= (u64)r->until)
			break;
		if (n <= 0)
			continue;
		nr += (unsigned int)n;
		/* The first of each call may take the lock at once. */
		m->woken += r->pi;
	}
	m->requeued = nr - m->woken;
	m->ms = (double)(clock_ns(CLOCK_MONOTONIC) - from) / 1e6;
	return n < 0 && n != -EAGAIN ? n : 0;
}

static int run_once(struct requeue *r, struct moved *m, struct err *err)
{
	struct bench_team team;
	int ret;

	r->from = r->to = 0;
	r->until = (time_t)(clock_ns(CLOCK_MONOTONIC) / 1000000000) + GIVE_UP_SECS;
	*m = (struct moved){ 0 };
	ret = bench_team_start(&team, r->o.threads, true, wait_here, r, err);
	if (ret)
		return ret;
	bench_team_go(&team);
	usleep(SETTLE_US);
	ret = move_all(r, m);
	if (ret)
		err_set(err, ret, "could not requeue threads: %s", err_str(ret));
	/* Those that were moved wait on the second futex; after a failure some may be on the first.
	 */
	__atomic_store_n(&r->from, 1, __ATOMIC_RELEASE);
	if (!r->pi) {
		futex_call(&r->o, &r->to, FUTEX_WAKE, INT32_MAX, 0, NULL, 0);
		futex_call(&r->o, &r->from, FUTEX_WAKE, INT32_MAX, 0, NULL, 0);
	}
	bench_team_join(&team);
	bench_team_release(&team);
	return ret;
}

static void tell_run(struct bench *b, const struct requeue *r, unsigned int run,
		     const struct moved *m)
{
	if (r->o.silent)
		return;
	if (r->pi)
		bench_say(b, "[Run %u]: Awoke and Requeued (%u+%u) of %u threads in %.4f ms\n", run,
			  m->woken, m->requeued, r->o.threads, m->ms);
	else
		bench_say(b, "[Run %u]: Requeued %u of %u threads in %.4f ms\n", run, m->requeued,
			  r->o.threads, m->ms);
}

int futex_requeue(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench futex requeue <options>", NULL };
	struct requeue r = { .at_a_time = 1 };
	const struct option options[] = {
		FUTEX_COMMON_OPTIONS(&r.o),
		OPT_UINTEGER('q', "nrequeue", &r.at_a_time,
			     "Specify amount of threads to requeue at once"),
		OPT_BOOLEAN('p', "pi", &r.pi, "Use PI-aware variants of FUTEX_CMP_REQUEUE"),
		OPT_BOOLEAN('B', "broadcast", &r.all, "Requeue all threads at once"),
		OPT_END(),
	};
	struct spread times = { 0 };
	struct moved m = { 0 };
	unsigned int i;
	int ret;

	b->parse(b, options, usage);
	ret = futex_settle(&r.o, err);
	if (ret)
		return ret;
	if (r.all || r.at_a_time > r.o.threads)
		r.at_a_time = r.o.threads;
	if (!r.at_a_time)
		return bench_invalid(err, "--nrequeue is 0; it must be 1 at least");
	bench_say(b,
		  "Run summary [PID %d]: Requeuing %u threads (from [%s] %p to %s%p), %u at a "
		  "time.\n\n",
		  (int)getpid(), r.o.threads, futex_kind(&r.o), (void *)&r.from, r.pi ? "PI " : "",
		  (void *)&r.to, r.at_a_time);
	for (i = 1; i <= b->repeat; i++) {
		ret = run_once(&r, &m, err);
		if (ret)
			return ret;
		spread_add(&times, m.ms);
		tell_run(b, &r, i, &m);
	}
	bench_say(b, "Requeued %u of %u threads in %.4f ms (+-%.2f%%)\n", m.requeued + m.woken,
		  r.o.threads, times.mean, spread_percent(&times));
	bench_spread(b, "time to requeue all", "msecs", false, &times);
	return 0;
}
