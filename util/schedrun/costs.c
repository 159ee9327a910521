// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs and pauses of a given length, and how much longer they take. */
#include "base/compat.h"

#include "schedrun/schedrun.h"

#include "base/clock.h"

#include <errno.h>

#define TRIES 10
#define TEST_PAUSE 10000 /* ns */

static u64 less(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

/* CPU time is what a task has used, however often others took its CPU away meanwhile. */
void replay_run(const struct replay_costs *c, u64 ns)
{
	u64 end = clock_ns(CLOCK_THREAD_CPUTIME_ID) + less(ns, c->run);

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

void replay_pause(const struct replay_costs *c, u64 ns)
{
	u64 rest = less(ns, c->sleep);
	struct timespec ts = { (time_t)(rest / 1000000000), (long)(rest % 1000000000) };

	while (rest && nanosleep(&ts, &ts) && errno == EINTR)
		;
}

/* Other tasks can only make a measurement longer, so the shortest one is the best. */
void replay_measure(struct replay_costs *c)
{
	static const struct replay_costs none;
	u64 run = UINT64_MAX, sleep = UINT64_MAX, start;

	for (int i = 0; i < TRIES; i++) {
		start = clock_ns(CLOCK_MONOTONIC);
		replay_run(&none, 0);
		run = MIN(run, clock_ns(CLOCK_MONOTONIC) - start);
		start = clock_ns(CLOCK_MONOTONIC);
		replay_pause(&none, TEST_PAUSE);
		sleep = MIN(sleep, less(clock_ns(CLOCK_MONOTONIC), start + TEST_PAUSE));
	}
	*c = (struct replay_costs){ run, sleep };
}
