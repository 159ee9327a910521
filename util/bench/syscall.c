// SPDX-License-Identifier: GPL-2.0-or-later
/* The collection syscall: what the shortest system calls take, and processes that begin and end. */
#include "base/compat.h"
#include "bench/bench.h"

#include "base/clock.h"
#include "bench/team.h"

#include <errno.h>
#include <unistd.h>

/* The benchmarks are one loop over one of these. Return: 0 or a negative errno. */
struct called {
	const char *name;
	int (*call)(struct err *err);
	unsigned int loops;
};

static int call_getppid(struct err *err)
{
	return getppid() < 0;
}

static int call_getpgid(struct err *err)
{
	return getpgid(0) < 0 ? -errno : 0;
}

static int leave(void *ctx)
{
	return 0;
}

static int call_fork(struct err *err)
{
	pid_t pid = bench_fork(leave, NULL, err);

	return pid < 0 ? pid : bench_reap(pid);
}

static int exec_true(void *ctx)
{
	char *const argv[] = { "true", NULL };

	execve("/bin/true", argv, environ);
	return 127;
}

static int call_execve(struct err *err)
{
	pid_t pid = bench_fork(exec_true, NULL, err);
	int status = pid < 0 ? 0 : bench_reap(pid);

	if (status)
		return err_set(err, -ENOENT, "could not run /bin/true, or it failed");
	return pid < 0 ? pid : 0;
}

static int measure(struct bench *b, const struct called *c, struct err *err)
{
	static const char *const usage[] = { "perf bench syscall <options>", NULL };
	unsigned int loops = c->loops, i;
	const struct option options[] = {
		OPT_UINTEGER('l', "loop", &loops, "Specify number of loops"),
		OPT_END(),
	};
	int ret = 0;
	u64 ns;

	b->parse(b, options, usage);
	ns = clock_ns(CLOCK_MONOTONIC);
	for (i = 0; i < loops && !ret; i++)
		ret = c->call(err);
	ns = clock_ns(CLOCK_MONOTONIC) - ns;
	if (ret)
		return err->code ? ret
				 : err_set(err, ret, "%s() failed: %s", c->name, err_str(ret));
	if (b->format == BENCH_DEFAULT)
		bench_say(b, "# Executed %u %s() calls\n", loops, c->name);
	bench_total(b, ns);
	bench_per_op(b, ns, loops);
	return 0;
}

static int syscall_basic(struct bench *b, struct err *err)
{
	static const struct called c = { "getppid", call_getppid, 10000000 };

	return measure(b, &c, err);
}

static int syscall_getpgid(struct bench *b, struct err *err)
{
	static const struct called c = { "getpgid", call_getpgid, 10000000 };

	return measure(b, &c, err);
}

static int syscall_fork(struct bench *b, struct err *err)
{
	static const struct called c = { "fork", call_fork, 10000 };

	return measure(b, &c, err);
}

static int syscall_execve(struct bench *b, struct err *err)
{
	static const struct called c = { "execve", call_execve, 10000 };

	return measure(b, &c, err);
}

static const struct benchmark list[] = {
	{ "basic", "Benchmark for basic getppid(2) calls", syscall_basic },
	{ "getpgid", "Benchmark for getpgid(2) calls", syscall_getpgid },
	{ "fork", "Benchmark for fork(2) calls", syscall_fork },
	{ "execve", "Benchmark for execve(2) calls", syscall_execve },
	{ NULL },
};

const struct bench_collection bench_syscall = { "syscall", "System call benchmarks", list,
						"Run all syscall benchmarks" };
