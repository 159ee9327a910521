// SPDX-License-Identifier: GPL-2.0-or-later
/* futex lock-pi: threads that take a lock with priority inheritance, hold it for a moment, and
 * release it. */
#include "base/compat.h"
#include "bench/futex-internal.h"

#include "base/alloc.h"
#include "bench/rates.h"

#include <errno.h>
#include <unistd.h>

struct locking {
	struct futex_options o;
	bool multi;
	u32 *futexes; /* one for all, or for each */
};

static u32 *futex_of(const struct bench_worker *w)
{
	const struct locking *l = w->team->ctx;

	return &l->futexes[l->multi ? w->idx : 0];
}

static void lock_and_unlock(struct bench_worker *w)
{
	struct locking *l = w->team->ctx;
	u32 *futex = futex_of(w);
	int ret;

	do {
		do
			ret = futex_call(&l->o, futex, FUTEX_LOCK_PI, 0, 0, NULL, 0);
		while (ret == -EINTR || ret == -EAGAIN);
		if (ret)
			break;
		usleep(1);
		if (futex_call(&l->o, futex, FUTEX_UNLOCK_PI, 0, 0, NULL, 0))
			break;
		w->ops++;
	} while (!bench_team_done(w->team));
}

static void tell_futex(const struct bench_worker *w, struct strbuf *out)
{
	strbuf_addf(out, "[thread %3u] futex: %p", w->idx, (void *)futex_of(w));
}

int futex_lock_pi(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench futex lock-pi <options>", NULL };
	struct locking l = { .o = { .runtime = 10 } };
	const struct option options[] = {
		FUTEX_COMMON_OPTIONS(&l.o),
		FUTEX_RUNTIME_OPTION(&l.o),
		OPT_BOOLEAN('M', "multi", &l.multi, "Use multiple futexes"),
		OPT_END(),
	};
	struct bench_team team;
	int ret;
	u64 ns;

	b->parse(b, options, usage);
	ret = futex_settle(&l.o, err);
	if (ret)
		return ret;
	bench_say(b,
		  "Run summary [PID %d]: %u threads doing pi lock/unlock pairing for %u secs.\n\n",
		  (int)getpid(), l.o.threads, l.o.runtime);
	l.futexes = xcalloc(l.multi ? l.o.threads : 1, sizeof(*l.futexes));
	ret = bench_team_start(&team, l.o.threads, true, lock_and_unlock, &l, err);
	if (!ret) {
		ns = bench_team_run(&team, l.o.runtime);
		bench_team_join(&team);
		bench_tell_rates(b, &team, ns, l.o.silent, tell_futex);
		bench_team_release(&team);
	}
	free(l.futexes);
	return ret;
}
