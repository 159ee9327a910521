// SPDX-License-Identifier: GPL-2.0-or-later
/* futex wake-parallel: how long a thread takes for its share when several wake those that block on
 * one futex. */
#include "base/compat.h"
#include "bench/futex-internal.h"

#include "base/clock.h"

#include <unistd.h>

struct wakers {
	const struct futex_options *o;
	struct futex_waiters waiters;
	unsigned int nr, share; /* each wakes so many */
};

static void wake_share(struct bench_worker *w)
{
	struct wakers *all = w->team->ctx;
	u64 ns = clock_ns(CLOCK_MONOTONIC);
	int n = futex_call(all->o, &all->waiters.futex, FUTEX_WAKE, all->share, 0, NULL, 0);

	w->began_ns = clock_ns(CLOCK_MONOTONIC) - ns;
	w->ops = n > 0 ? (u64)n : 0;
}

static int run_once(struct wakers *w, struct spread *ms, struct spread *woken, struct err *err)
{
	struct bench_team team;
	int ret = futex_wait_start(&w->waiters, w->o, err);
	unsigned int i;

	if (ret)
		return ret;
	ret = bench_team_start(&team, w->nr, false, wake_share, w, err);
	if (!ret) {
		bench_team_go(&team);
		bench_team_join(&team);
		for (i = 0; i < team.nr; i++) {
			spread_add(ms, (double)team.workers[i].began_ns / 1e6);
			spread_add(woken, (double)team.workers[i].ops);
		}
		bench_team_release(&team);
	}
	futex_wait_end(&w->waiters);
	return ret;
}

int futex_wake_parallel(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench futex wake-parallel <options>", NULL };
	struct futex_options o = { 0 };
	struct wakers w = { .o = &o };
	const struct option options[] = {
		FUTEX_COMMON_OPTIONS(&o),
		OPT_UINTEGER('w', "nwakers", &w.nr, "Specify amount of waking threads"),
		OPT_END(),
	};
	struct spread times = { 0 }, all = { 0 };
	unsigned int i;
	int ret;

	b->parse(b, options, usage);
	ret = futex_settle(&o, err);
	if (ret)
		return ret;
	w.nr = w.nr ? w.nr : o.threads;
	if (w.nr > o.threads || o.threads % w.nr)
		return bench_invalid(err,
				     "Must be perfectly divisible: %u waking threads cannot share "
				     "%u blocked ones; see --nwakers and --threads",
				     w.nr, o.threads);
	w.share = o.threads / w.nr;
	bench_say(b,
		  "Run summary [PID %d]: blocking on %u threads (at [%s] futex %p), %u threads "
		  "waking up %u at a time.\n\n",
		  (int)getpid(), o.threads, futex_kind(&o), (void *)&w.waiters.futex, w.nr,
		  w.share);
	for (i = 1; i <= b->repeat; i++) {
		struct spread ms = { 0 }, woken = { 0 };

		ret = run_once(&w, &ms, &woken, err);
		if (ret)
			return ret;
		spread_add(&times, ms.mean);
		spread_add(&all, woken.mean);
		if (!o.silent)
			bench_say(b,
				  "[Run %u]: Avg per-thread latency (waking %.0f/%u threads) in "
				  "%.4f ms (+-%.2f%%)\n",
				  i, woken.mean, o.threads, ms.mean, spread_percent(&ms));
	}
	bench_say(b, "Avg per-thread latency (waking %.0f/%u threads) in %.4f ms (+-%.2f%%)\n",
		  all.mean, o.threads, times.mean, spread_percent(&times));
	bench_spread(b, "time of a waker", "msecs", false, &times);
	return 0;
}
