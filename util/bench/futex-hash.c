// SPDX-License-Identifier: GPL-2.0-or-later
/* futex hash: how fast the kernel finds a futex. Each thread asks to wait on one of its own after
 * the other, with a value that it does not have, so that no call waits. */
#include "base/compat.h"
#include "bench/futex-internal.h"

#include "base/alloc.h"
#include "bench/rates.h"

#include <unistd.h>

#define NOT_THE_VALUE 1234

struct hash {
	struct futex_options o;
	unsigned int nr_futexes;
};

static void ask(struct bench_worker *w)
{
	struct hash *h = w->team->ctx;
	u32 *futexes = w->data;
	unsigned int i;
	u64 ops = 0;

	do {
		for (i = 0; i < h->nr_futexes; i++, ops++)
			futex_call(&h->o, &futexes[i], FUTEX_WAIT, NOT_THE_VALUE, 0, NULL, 0);
	} while (!bench_team_done(w->team));
	w->ops = ops;
}

static void futexes_of(const struct bench_worker *w, struct strbuf *out)
{
	const struct hash *h = w->team->ctx;
	const u32 *futexes = w->data;

	if (h->nr_futexes == 1)
		strbuf_addf(out, "[thread %2u] futex: %p", w->idx, (const void *)futexes);
	else
		strbuf_addf(out, "[thread %2u] futexes: %p ... %p", w->idx, (const void *)futexes,
			    (const void *)&futexes[h->nr_futexes - 1]);
}

static int run(struct bench *b, struct hash *h, struct err *err)
{
	struct bench_team team;
	unsigned int i;
	u64 ns;
	int ret;

	ret = bench_team_start(&team, h->o.threads, true, ask, h, err);
	if (ret)
		return ret;
	for (i = 0; i < team.nr; i++)
		team.workers[i].data = xcalloc(h->nr_futexes, sizeof(u32));
	ns = bench_team_run(&team, h->o.runtime);
	bench_team_join(&team);
	bench_tell_rates(b, &team, ns, h->o.silent, futexes_of);
	for (i = 0; i < team.nr; i++)
		free(team.workers[i].data);
	bench_team_release(&team);
	return 0;
}

int futex_hash(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench futex hash <options>", NULL };
	struct hash h = { .o = { .runtime = 10 }, .nr_futexes = 1024 };
	int ret;
	const struct option options[] = {
		FUTEX_COMMON_OPTIONS(&h.o),
		FUTEX_RUNTIME_OPTION(&h.o),
		OPT_UINTEGER('f', "futexes", &h.nr_futexes,
			     "Specify amount of futexes per threads"),
		OPT_END(),
	};

	b->parse(b, options, usage);
	ret = futex_settle(&h.o, err);
	if (ret)
		return ret;
	if (!h.nr_futexes)
		return bench_invalid(err, "--futexes is 0; it must be 1 at least");
	bench_say(b,
		  "Run summary [PID %d]: %u threads, each operating on %u [%s] futexes for %u "
		  "secs.\n\n",
		  (int)getpid(), h.o.threads, h.nr_futexes, futex_kind(&h.o), h.o.runtime);
	return run(b, &h, err);
}
