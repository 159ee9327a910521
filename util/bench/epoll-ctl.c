// SPDX-License-Identifier: GPL-2.0-or-later
/* epoll ctl: threads add descriptors to one instance of epoll, change and remove them. */
#include "base/compat.h"
#include "bench/epoll-internal.h"

#include "base/alloc.h"

#include <sys/epoll.h>
#include <unistd.h>

enum { ADD, MOD, DEL, NR_OPS };

/* A thread does this. */
struct controlled {
	int *fds;
	u64 ops[NR_OPS];
};

struct control {
	struct epoll_options o;
	int epoll;
	struct controlled *threads;
};

static void call(const struct control *c, struct controlled *t, int op, int fd)
{
	static const int ops[] = { EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL };
	struct epoll_event ev = { .events = op == MOD ? EPOLLOUT : EPOLLIN };

	ev.data.fd = fd;
	/* In random order many are not there, or are already. */
	if (!epoll_ctl(c->epoll, ops[op], fd, &ev))
		t->ops[op]++;
}

static void control(struct bench_worker *w)
{
	const struct control *c = w->team->ctx;
	struct controlled *t = w->data;
	u64 state = 88172645463325252ULL + w->idx;
	unsigned int i;
	int op;

	while (!bench_team_done(w->team)) {
		if (c->o.randomize) {
			op = (int)(epoll_random(&state) % NR_OPS);
			call(c, t, op, t->fds[epoll_random(&state) % c->o.nfds]);
			continue;
		}
		for (op = 0; op < NR_OPS; op++)
			for (i = 0; i < c->o.nfds; i++)
				call(c, t, op, t->fds[i]);
	}
}

static void tell(struct bench *b, const struct bench_team *team, u64 ns)
{
	static const char *const names[] = { "ADD", "MOD", "DEL" };
	double secs = (double)MAX(ns, (u64)1) / 1e9;
	const struct control *c = team->ctx;
	struct spread s[NR_OPS] = { 0 };
	unsigned int i;
	int op;

	for (i = 0; i < team->nr; i++) {
		const struct controlled *t = &c->threads[i];
		u64 rate[NR_OPS];

		for (op = 0; op < NR_OPS; op++) {
			rate[op] = (u64)((double)t->ops[op] / secs);
			spread_add(&s[op], (double)t->ops[op] / secs);
		}
		bench_say(b,
			  "[thread %2u] fdmap: %p ... %p [ add: %04" PRIu64 " ops; mod: %04" PRIu64
			  " ops; del: %04" PRIu64 " ops ]\n",
			  i, (void *)t->fds, (void *)&t->fds[c->o.nfds - 1], rate[ADD], rate[MOD],
			  rate[DEL]);
	}
	bench_say(b, "\n");
	for (op = 0; op < NR_OPS; op++) {
		bench_say(b, "Averaged %" PRIu64 " %s operations (+- %.2f%%)\n", (u64)s[op].mean,
			  names[op], spread_percent(&s[op]));
		bench_result(b, names[op], "ops/sec", true, s[op].mean);
	}
}

static int run(struct bench *b, struct control *c, struct err *err)
{
	struct bench_team team;
	unsigned int i;
	u64 ns;
	int ret = bench_team_start(&team, c->o.threads, !c->o.no_affinity, control, c, err);

	if (ret)
		return ret;
	for (i = 0; i < team.nr; i++)
		team.workers[i].data = &c->threads[i];
	ns = bench_team_run(&team, c->o.runtime);
	if (c->o.verbose)
		bench_say(b, "main thread: toggling done\n");
	bench_team_join(&team);
	tell(b, &team, ns);
	bench_team_release(&team);
	return 0;
}

int epoll_bench_ctl(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench epoll ctl <options>", NULL };
	struct control c = { .o = { .runtime = 8, .nfds = 64 }, .epoll = -1 };
	const struct option options[] = {
		EPOLL_COMMON_OPTIONS(&c.o),
		OPT_BOOLEAN('R', "randomize", &c.o.randomize,
			    "Perform random operations on random fds"),
		OPT_END(),
	};
	unsigned int i;
	int ret, *chain, *fds;

	b->parse(b, options, usage);
	ret = epoll_settle(b, &c.o, 0, err);
	if (ret)
		return ret;
	bench_say(b,
		  "Run summary [PID %d]: %u threads doing epoll_ctl ops %u file-descriptors for %u "
		  "secs.\n\n",
		  (int)getpid(), c.o.threads, c.o.nfds, c.o.runtime);
	chain = xcalloc(MAX(c.o.nested, 1u), sizeof(*chain));
	fds = xcalloc((size_t)c.o.threads * c.o.nfds, sizeof(*fds));
	c.threads = xcalloc(c.o.threads, sizeof(*c.threads));
	for (i = 0; i < c.o.threads; i++)
		c.threads[i].fds = &fds[(size_t)i * c.o.nfds];
	ret = epoll_eventfds(fds, (size_t)c.o.threads * c.o.nfds, err);
	c.epoll = ret ? -1 : epoll_instance(&c.o, chain, err);
	if (!ret)
		ret = MIN(c.epoll, 0);
	if (!ret) {
		ret = run(b, &c, err);
		epoll_close(chain, c.o.nested);
	}
	epoll_close(&c.epoll, 1);
	epoll_close(fds, (size_t)c.o.threads * c.o.nfds);
	free(c.threads);
	free(fds);
	free(chain);
	return ret;
}
