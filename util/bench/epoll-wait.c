// SPDX-License-Identifier: GPL-2.0-or-later
/* epoll wait: threads wait with epoll for descriptors that another thread makes readable, one after
 * the other. */
#include "base/compat.h"
#include "bench/epoll-internal.h"

#include "base/alloc.h"
#include "bench/rates.h"

#include <errno.h>
#include <sched.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

struct waiting {
	struct epoll_options o;
	bool multiq, nonblocking, edge, oneshot;
	int *fds;      /* nfds of each thread, one thread after the other */
	int *epolls;   /* one for all threads, or one each */
	int *chains;   /* nested instances of each */
	size_t nr_all; /* fds */
	int stop;      /* readable when the time is over */
	u64 rounds;    /* of the writer */
};

static size_t nr_epolls(const struct waiting *w)
{
	return w->multiq ? w->o.threads : 1;
}

static u32 flags_of(const struct waiting *w)
{
	return EPOLLIN | (w->edge ? EPOLLET : 0) | (w->oneshot ? EPOLLONESHOT : 0);
}

static void wait_for(struct bench_worker *me)
{
	struct waiting *w = me->team->ctx;
	int epoll = w->epolls[w->multiq ? me->idx : 0];
	struct epoll_event ev = { 0 };
	u64 value, ops = 0;

	while (!bench_team_done(me->team)) {
		if (epoll_wait(epoll, &ev, 1, w->nonblocking ? 0 : -1) <= 0 ||
		    ev.data.fd == w->stop)
			continue;
		/* Another thread may have been told of the same one. */
		if (read(ev.data.fd, &value, sizeof(value)) == sizeof(value))
			ops++;
		if (w->oneshot) {
			ev.events = flags_of(w);
			epoll_ctl(epoll, EPOLL_CTL_MOD, ev.data.fd, &ev);
		}
	}
	me->ops = ops;
}

static void shuffle(int *fds, size_t nr)
{
	u64 state = 88172645463325252ULL;
	size_t i;

	for (i = nr; i > 1; i--)
		SWAP(fds[i - 1], fds[epoll_random(&state) % i]);
}

static void write_all(struct bench_worker *me)
{
	/* Between two rounds others get the CPU, as with the writer of perf 6.1. */
	const struct timespec pause = { .tv_nsec = 500 };
	struct waiting *w = me->team->ctx;
	int *fds = xcalloc(w->nr_all, sizeof(*fds));
	const u64 one = 1;
	size_t i;

	memcpy(fds, w->fds, w->nr_all * sizeof(*fds));
	if (w->o.randomize)
		shuffle(fds, w->nr_all);
	while (!bench_team_done(me->team)) {
		for (i = 0; i < w->nr_all && !bench_team_done(me->team); i++)
			if (write(fds[i], &one, sizeof(one)) != sizeof(one))
				sched_yield();
		w->rounds++;
		nanosleep(&pause, NULL);
	}
	free(fds);
}

/* Have all instances wait for the descriptors of their threads, and for the end. */
static int watch(struct waiting *w, struct err *err)
{
	struct epoll_event ev;
	size_t i;
	int ret = 0;

	for (i = 0; i < w->nr_all && !ret; i++) {
		ev.events = flags_of(w);
		ev.data.fd = w->fds[i];
		ret = epoll_ctl(w->epolls[w->multiq ? i / w->o.nfds : 0], EPOLL_CTL_ADD, w->fds[i],
				&ev);
	}
	for (i = 0; i < nr_epolls(w) && !ret; i++) {
		ev.events = EPOLLIN;
		ev.data.fd = w->stop;
		ret = epoll_ctl(w->epolls[i], EPOLL_CTL_ADD, w->stop, &ev);
	}
	return ret ? err_set(err, -errno, "could not wait for a descriptor: %s", err_str(-errno))
		   : 0;
}

static int prepare(struct waiting *w, struct err *err)
{
	size_t i, nr = nr_epolls(w);
	int ret;

	w->nr_all = (size_t)w->o.threads * w->o.nfds;
	w->fds = xcalloc(w->nr_all, sizeof(*w->fds));
	w->epolls = xcalloc(nr, sizeof(*w->epolls));
	w->chains = xcalloc(nr * MAX(w->o.nested, 1u), sizeof(*w->chains));
	memset(w->epolls, -1, nr * sizeof(*w->epolls));
	memset(w->chains, -1, nr * MAX(w->o.nested, 1u) * sizeof(*w->chains));
	ret = epoll_eventfds(w->fds, w->nr_all, err);
	if (!ret)
		ret = epoll_eventfds(&w->stop, 1, err);
	for (i = 0; i < nr && !ret; i++) {
		w->epolls[i] = epoll_instance(&w->o, w->chains + i * w->o.nested, err);
		ret = MIN(w->epolls[i], 0);
	}
	return ret ? ret : watch(w, err);
}

static void release(struct waiting *w)
{
	epoll_close(w->chains, nr_epolls(w) * w->o.nested);
	epoll_close(w->epolls, nr_epolls(w));
	epoll_close(w->fds, w->nr_all);
	epoll_close(&w->stop, 1);
	free(w->fds);
	free(w->epolls);
	free(w->chains);
}

static void fds_of(const struct bench_worker *me, struct strbuf *out)
{
	const struct waiting *w = me->team->ctx;
	const int *fds = &w->fds[(size_t)me->idx * w->o.nfds];

	strbuf_addf(out, "[thread %2u] fdmap: %p ... %p", me->idx, (const void *)fds,
		    (const void *)&fds[w->o.nfds - 1]);
}

static int run(struct bench *b, struct waiting *w, struct err *err)
{
	struct bench_team team, writer;
	const u64 one = 1;
	int ret;
	u64 ns;

	if (w->o.verbose)
		bench_say(b, "starting worker/consumer %sthreads%s\n",
			  w->o.no_affinity ? "" : "CPU affinity ",
			  w->nonblocking ? " (nonblocking)" : "");
	ret = bench_team_start(&team, w->o.threads, !w->o.no_affinity, wait_for, w, err);
	if (ret)
		return ret;
	ret = bench_team_start(&writer, 1, false, write_all, w, err);
	if (!ret) {
		if (w->o.verbose)
			bench_say(b, "starting writer-thread: doing %s writes ...\n",
				  w->o.randomize ? "random" : "lineal");
		bench_team_go(&writer);
		ns = bench_team_run(&team, w->o.runtime);
		if (w->o.verbose)
			bench_say(b, "main thread: toggling done\n");
		bench_team_stop(&writer);
	} else {
		bench_team_stop(&team);
		bench_team_go(&team);
		ns = 0;
	}
	if (write(w->stop, &one, sizeof(one)) != sizeof(one))
		ret = err_set(err, -EIO, "could not tell the threads that the time is over");
	if (ns) {
		bench_team_join(&writer);
		bench_team_release(&writer);
		if (w->o.verbose)
			bench_say(b, "exiting writer-thread (total full-loops: %" PRIu64 ")\n",
				  w->rounds);
	}
	bench_team_join(&team);
	if (!ret)
		bench_tell_rates(b, &team, ns, false, fds_of);
	bench_team_release(&team);
	return ret;
}

int epoll_bench_wait(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench epoll wait <options>", NULL };
	struct waiting w = { .o = { .runtime = 8, .nfds = 64 }, .stop = -1 };
	const struct option options[] = {
		EPOLL_COMMON_OPTIONS(&w.o),
		OPT_BOOLEAN('R', "randomize", &w.o.randomize,
			    "Enable random write behaviour (default is lineal)"),
		OPT_BOOLEAN('m', "multiq", &w.multiq,
			    "Use multiple epoll instances (one per thread)"),
		OPT_BOOLEAN('B', "nonblocking", &w.nonblocking,
			    "Nonblocking epoll_wait(2) behaviour"),
		OPT_BOOLEAN('S', "oneshot", &w.oneshot, "Use EPOLLONESHOT semantics"),
		OPT_BOOLEAN('E', "edge", &w.edge, "Use Edge-triggered interface (default is LT)"),
		OPT_END(),
	};
	int ret;

	b->parse(b, options, usage);
	if (w.o.verbose)
		bench_say(b, "Using %s queue model\n", w.multiq ? "multi" : "single");
	ret = epoll_settle(b, &w.o, 1, err);
	if (ret)
		return ret;
	bench_say(b,
		  "Run summary [PID %d]: %u threads monitoring%s on %u file-descriptors for %u "
		  "secs.\n\n",
		  (int)getpid(), w.o.threads, w.o.randomize ? " randomly" : "", w.o.nfds,
		  w.o.runtime);
	ret = prepare(&w, err);
	if (!ret)
		ret = run(b, &w, err);
	release(&w);
	return ret;
}
