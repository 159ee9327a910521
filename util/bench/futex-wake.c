// SPDX-License-Identifier: GPL-2.0-or-later
/* futex wake: how long one thread takes to wake those that block on a futex. */
#include "base/compat.h"
#include "bench/futex-internal.h"

#include "base/clock.h"

#include <unistd.h>

static int run_once(const struct futex_options *o, struct futex_waiters *w, unsigned int at_a_time,
		    double *ms, struct err *err)
{
	int ret = futex_wait_start(w, o, err), n;
	unsigned int woken = 0;
	u64 ns;

	if (ret)
		return ret;
	ns = clock_ns(CLOCK_MONOTONIC);
	while (woken < o->threads) {
		n = futex_call(o, &w->futex, FUTEX_WAKE, at_a_time, 0, NULL, 0);
		if (n < 0)
			break;
		woken += (unsigned int)n;
	}
	*ms = (double)(clock_ns(CLOCK_MONOTONIC) - ns) / 1e6;
	futex_wait_end(w);
	return 0;
}

int futex_wake(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench futex wake <options>", NULL };
	struct futex_options o = { 0 };
	unsigned int at_a_time = 1, i;
	struct futex_waiters w;
	const struct option options[] = {
		FUTEX_COMMON_OPTIONS(&o),
		OPT_UINTEGER('w', "nwakes", &at_a_time,
			     "Specify amount of threads to wake at once"),
		OPT_END(),
	};
	struct spread times = { 0 };
	double ms;
	int ret;

	b->parse(b, options, usage);
	ret = futex_settle(&o, err);
	if (ret)
		return ret;
	if (!at_a_time)
		return bench_invalid(err, "--nwakes is 0; it must be 1 at least");
	bench_say(
		b,
		"Run summary [PID %d]: blocking on %u threads (at [%s] futex %p), waking up %u at "
		"a time.\n\n",
		(int)getpid(), o.threads, futex_kind(&o), (void *)&w.futex, at_a_time);
	for (i = 1; i <= b->repeat && !ret; i++) {
		ret = run_once(&o, &w, at_a_time, &ms, err);
		if (ret)
			return ret;
		spread_add(&times, ms);
		if (!o.silent)
			bench_say(b, "[Run %u]: Wokeup %u of %u threads in %.4f ms\n", i, o.threads,
				  o.threads, ms);
	}
	bench_say(b, "Wokeup %u of %u threads in %.4f ms (+-%.2f%%)\n", o.threads, o.threads,
		  times.mean, spread_percent(&times));
	bench_spread(b, "time to wake all", "msecs", false, &times);
	return 0;
}
