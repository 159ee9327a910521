// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that begin at once, and processes that end with ours. */
#include "base/compat.h"
#include "bench/team.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_SIZE (256 * 1024) /* hundreds of threads are usual */

struct int_list bench_cpus(void)
{
	struct int_list cpus = { 0 };
	size_t most = 1024;
	cpu_set_t *set = NULL;
	int cpu;

	/* A mask that is too small for this kernel is refused. */
	for (;; most *= 2) {
		set = CPU_ALLOC(most);
		if (!set || !sched_getaffinity(0, CPU_ALLOC_SIZE(most), set) || most > 1 << 20)
			break;
		CPU_FREE(set);
	}
	for (cpu = 0; set && (size_t)cpu < most; cpu++)
		if (CPU_ISSET_S(cpu, CPU_ALLOC_SIZE(most), set))
			int_list_add(&cpus, cpu);
	CPU_FREE(set);
	if (!cpus.nr)
		int_list_add(&cpus, 0);
	return cpus;
}

static void pin(int cpu)
{
	size_t size = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *set = CPU_ALLOC(cpu + 1);

	if (!set)
		return;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	sched_setaffinity(0, size, set);
	CPU_FREE(set);
}

static void futex(u32 *word, int op, u32 value)
{
	syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

static void *thread_main(void *arg)
{
	struct bench_worker *w = arg;
	struct bench_team *t = w->team;

	if (w->cpu >= 0)
		pin(w->cpu);
	__atomic_add_fetch(&t->ready, 1, __ATOMIC_SEQ_CST);
	futex(&t->ready, FUTEX_WAKE_PRIVATE, 1);
	while (!__atomic_load_n(&t->go, __ATOMIC_ACQUIRE))
		futex(&t->go, FUTEX_WAIT_PRIVATE, 0);
	t->work(w);
	return NULL;
}

/* The work of threads that were created in vain. */
static void nothing(struct bench_worker *w)
{
}

/* The signals with which a user ends a run. */
static void ending_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
}

int bench_team_start(struct bench_team *t, unsigned int nr, bool pinned,
		     void (*work)(struct bench_worker *w), void *ctx, struct err *err)
{
	struct int_list cpus = bench_cpus();
	pthread_attr_t attr;
	sigset_t block;
	unsigned int i;
	int code = 0;

	memset(t, 0, sizeof(*t));
	t->workers = xcalloc(MAX(nr, 1u), sizeof(*t->workers));
	t->work = work;
	t->ctx = ctx;
	ending_signals(&block);
	pthread_sigmask(SIG_BLOCK, &block, &t->mask);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	for (i = 0; i < nr && !code; i++) {
		struct bench_worker *w = &t->workers[i];

		w->team = t;
		w->idx = i;
		w->cpu = pinned ? cpus.v[i % cpus.nr] : -1;
		code = pthread_create(&w->thread, &attr, thread_main, w);
		if (!code)
			t->nr++;
	}
	pthread_attr_destroy(&attr);
	int_list_release(&cpus);
	if (!code)
		return 0;
	err_set(err, -code,
		"could not create thread %u of %u: %s; choose fewer threads, or raise "
		"'ulimit -u'",
		t->nr + 1, nr, err_str(-code));
	t->work = nothing;
	bench_team_go(t);
	bench_team_join(t);
	bench_team_release(t);
	return -code;
}

void bench_team_go(struct bench_team *t)
{
	u32 ready;

	while ((ready = __atomic_load_n(&t->ready, __ATOMIC_SEQ_CST)) < t->nr)
		futex(&t->ready, FUTEX_WAIT_PRIVATE, ready);
	t->began_ns = clock_ns(CLOCK_MONOTONIC);
	__atomic_store_n(&t->go, 1, __ATOMIC_RELEASE);
	futex(&t->go, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

u64 bench_team_run(struct bench_team *t, unsigned int secs)
{
	struct timespec left = { 0 };
	sigset_t set;
	u64 until, now;

	bench_team_go(t);
	ending_signals(&set);
	until = t->began_ns + (u64)secs * 1000000000;
	while ((now = clock_ns(CLOCK_MONOTONIC)) < until) {
		left.tv_sec = (time_t)((until - now) / 1000000000);
		left.tv_nsec = (long)((until - now) % 1000000000);
		if (sigtimedwait(&set, NULL, &left) > 0)
			break;
	}
	bench_team_stop(t);
	return clock_ns(CLOCK_MONOTONIC) - t->began_ns;
}

void bench_team_stop(struct bench_team *t)
{
	__atomic_store_n(&t->done, true, __ATOMIC_RELAXED);
}

void bench_team_join(struct bench_team *t)
{
	unsigned int i;

	for (i = 0; i < t->nr; i++)
		pthread_join(t->workers[i].thread, NULL);
	pthread_sigmask(SIG_SETMASK, &t->mask, NULL);
}

void bench_team_release(struct bench_team *t)
{
	free(t->workers);
	t->workers = NULL;
}

pid_t bench_fork(int (*work)(void *ctx), void *ctx, struct err *err)
{
	pid_t pid = fork();

	if (pid < 0)
		return err_set(err, -errno,
			       "could not create a process: %s; choose fewer, or raise 'ulimit -u'",
			       err_str(-errno));
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(work(ctx));
	}
	return pid;
}

int bench_reap(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EINTR;
}

void bench_kill(pid_t pid)
{
	kill(pid, SIGKILL);
	bench_reap(pid);
}
