// SPDX-License-Identifier: GPL-2.0-or-later
/* The collection breakpoint: what hardware breakpoints that threads inherit cost when threads come
 * and go, and when they are enabled and disabled while threads run. */
#include "base/compat.h"
#include "bench/bench.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "bench/team.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Set a breakpoint, which this process' threads inherit, on a byte that nobody touches. Return: a
 * descriptor, or a negative errno and a sentence. */
static int set_breakpoint(const u8 *at, struct err *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.bp_addr = (uintptr_t)at,
		.bp_type = HW_BREAKPOINT_RW,
		.bp_len = HW_BREAKPOINT_LEN_1,
	};
	int fd;

	attr.inherit_thread = 1;
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		return fd;
	return err_set(err, -errno,
		       "could not set a breakpoint: %s; processors have few of them (four on x86), "
		       "some machines none, and kernel.perf_event_paranoid may forbid them",
		       err_str(-errno));
}

/* ---- thread ---- */

struct coming {
	unsigned int breakpoints, threads, parallelism;
	int rounds; /* that are left, for all that create threads */
	int failed; /* an errno */
	u8 watched[256];
};

static void *go_at_once(void *arg)
{
	return NULL;
}

static void create_and_join(struct bench_worker *w)
{
	struct coming *c = w->team->ctx;
	pthread_t *threads = xcalloc(MAX(c->threads, 1u), sizeof(*threads));
	unsigned int i, nr;
	int code = 0;

	while (!code && __atomic_sub_fetch(&c->rounds, 1, __ATOMIC_RELAXED) >= 0) {
		for (nr = 0; nr < c->threads && !code; nr += !code)
			code = pthread_create(&threads[nr], NULL, go_at_once, NULL);
		for (i = 0; i < nr; i++)
			pthread_join(threads[i], NULL);
	}
	if (code)
		__atomic_store_n(&c->failed, code, __ATOMIC_RELAXED);
	free(threads);
}

static int run_thread(struct coming *c, u64 *ns, struct err *err)
{
	struct bench_team team;
	int ret = bench_team_start(&team, c->parallelism, false, create_and_join, c, err);

	if (ret)
		return ret;
	*ns = clock_ns(CLOCK_MONOTONIC);
	bench_team_go(&team);
	bench_team_join(&team);
	*ns = clock_ns(CLOCK_MONOTONIC) - *ns;
	bench_team_release(&team);
	return c->failed ? err_set(err, -c->failed, "could not create a thread: %s; choose fewer",
				   err_str(-c->failed))
			 : 0;
}

static int breakpoint_thread(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench breakpoint thread <options>", NULL };
	struct coming c = { .breakpoints = 1, .threads = 1, .parallelism = 1 };
	const struct option options[] = {
		OPT_UINTEGER('b', "breakpoints", &c.breakpoints, "Specify amount of breakpoints"),
		OPT_UINTEGER('p', "parallelism", &c.parallelism, "Specify amount of parallelism"),
		OPT_UINTEGER('t', "threads", &c.threads, "Specify amount of threads"),
		OPT_END(),
	};
	int fds[ARRAY_SIZE(c.watched)], ret = 0;
	unsigned int nr;
	double each;
	u64 ns = 0;

	b->parse(b, options, usage);
	if (c.breakpoints > ARRAY_SIZE(fds) || !c.threads || !c.parallelism)
		return bench_invalid(err,
				     "up to %zu breakpoints can be asked for, and one thread and a "
				     "parallelism of 1 are the least",
				     ARRAY_SIZE(fds));
	c.rounds = (int)b->repeat;
	for (nr = 0; nr < c.breakpoints && !ret; nr += !ret) {
		fds[nr] = set_breakpoint(&c.watched[nr], err);
		ret = MIN(fds[nr], 0);
	}
	if (!ret)
		ret = run_thread(&c, &ns, err);
	while (nr)
		close(fds[--nr]);
	if (ret)
		return ret;
	each = (double)ns / 1000 / b->repeat / c.threads;
	if (b->format == BENCH_DEFAULT)
		bench_say(b, "# Created/joined %u threads with %u breakpoints and %u parallelism\n",
			  b->repeat, c.breakpoints, c.parallelism);
	bench_total(b, ns);
	bench_result(b, "time per operation", "usecs", false, each);
	if (b->format == BENCH_DEFAULT)
		bench_say(b, "\n %14f usecs/op\n %14f usecs/op/cpu\n", each, each * c.parallelism);
	return 0;
}

/* ---- enable ---- */

struct enabling {
	unsigned int passive, active;
	u32 done; /* a futex */
};

/* The first threads of the team sleep, the others run. */
static void be_there(struct bench_worker *w)
{
	struct enabling *e = w->team->ctx;

	while (!__atomic_load_n(&e->done, __ATOMIC_RELAXED)) {
		if (w->idx < e->passive)
			syscall(SYS_futex, &e->done, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
		else
			sched_yield();
	}
}

static int toggle(int fd, unsigned int times)
{
	unsigned int i;

	for (i = 0; i < times; i++)
		if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
			return -errno;
	return 0;
}

static int run_enable(struct enabling *e, int fd, unsigned int times, u64 *ns, struct err *err)
{
	struct bench_team team;
	int ret = bench_team_start(&team, e->passive + e->active, false, be_there, e, err);

	if (ret)
		return ret;
	bench_team_go(&team);
	*ns = clock_ns(CLOCK_MONOTONIC);
	ret = toggle(fd, times);
	*ns = clock_ns(CLOCK_MONOTONIC) - *ns;
	__atomic_store_n(&e->done, 1, __ATOMIC_RELAXED);
	syscall(SYS_futex, &e->done, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
	bench_team_join(&team);
	bench_team_release(&team);
	return ret ? err_set(err, ret, "could not enable or disable a breakpoint: %s", err_str(ret))
		   : 0;
}

static int breakpoint_enable(struct bench *b, struct err *err)
{
	static const char *const usage[] = { "perf bench breakpoint enable <options>", NULL };
	struct enabling e = { 0 };
	const struct option options[] = {
		OPT_UINTEGER('p', "passive", &e.passive, "Specify amount of passive threads"),
		OPT_UINTEGER('a', "active", &e.active, "Specify amount of active threads"),
		OPT_END(),
	};
	u8 watched = 0;
	double each;
	u64 ns = 0;
	int fd, ret;

	b->parse(b, options, usage);
	fd = set_breakpoint(&watched, err);
	if (fd < 0)
		return fd;
	ret = run_enable(&e, fd, b->repeat, &ns, err);
	close(fd);
	if (ret)
		return ret;
	each = (double)ns / 1000 / b->repeat;
	if (b->format == BENCH_DEFAULT)
		bench_say(b,
			  "# Enabled/disabled breakpoint %u time with %u passive and %u active "
			  "threads\n",
			  b->repeat, e.passive, e.active);
	bench_total(b, ns);
	bench_result(b, "time per operation", "usecs", false, each);
	if (b->format == BENCH_DEFAULT)
		bench_say(b, "\n %14f usecs/op\n", each);
	return 0;
}

static const struct benchmark list[] = {
	{ "thread", "Benchmark thread start/finish with breakpoints", breakpoint_thread, true },
	{ "enable", "Benchmark breakpoint enable/disable", breakpoint_enable, true },
	{ NULL },
};

const struct bench_collection bench_breakpoint = { "breakpoint", "Breakpoint benchmarks", list,
						   "Run all breakpoint benchmarks" };
