// SPDX-License-Identifier: GPL-2.0-or-later
/* Test sleeps of a child, told at once and summed up; only where BPF programs can be loaded. */
#include "base/compat.h"
#include "bpf/offcpu.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define MS 1000000ULL

struct seen {
	u32 pid;
	size_t own, sums, foreign, nr;
	u64 own_ns, sum_ns;
	u64 last[64]; /* by CPU: each has its own ring, the reader of the file sorts them */
	bool backwards;
};

static void count(void *ctx, const struct offcpu_sample *s)
{
	struct seen *seen = ctx;

	if (s->pid != seen->pid) {
		seen->foreign++;
		return;
	}
	if (s->cpu == ~0U) {
		seen->sums++;
		seen->sum_ns += s->period;
	} else {
		seen->own++;
		seen->own_ns += s->period;
		seen->backwards |= s->time < seen->last[s->cpu % 64];
		seen->last[s->cpu % 64] = s->time;
	}
}

static void nap(u64 ms)
{
	struct timespec ts = { (time_t)(ms / 1000), (long)(ms % 1000 * MS) };

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}

/* A child that sleeps until it is sent a byte, @naps times and once before that, and ends. */
static pid_t sleeper(int naps, int *wake)
{
	int fds[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		close(fds[1]);
		while (naps-- >= 0)
			(void)!read(fds[0], &c, 1);
		_exit(0);
	}
	close(fds[0]);
	*wake = fds[1];
	return pid;
}

/* Until @pid has gone to sleep once more than the @before times; returns how often it has. */
static unsigned long asleep_after(pid_t pid, unsigned long before)
{
	for (;;) {
		unsigned long switches = 0;
		char path[64], line[128], state = 0;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/status", pid);
		f = fopen(path, "r");
		assert_non_null(f);
		while (fgets(line, sizeof(line), f)) {
			sscanf(line, "State: %c", &state);
			sscanf(line, "voluntary_ctxt_switches: %lu", &switches);
		}
		fclose(f);
		if (state == 'S' && switches > before)
			return switches;
		nap(1);
	}
}

/* Sends @pid to sleep @naps times, each for @ms at least, however busy the machine is. */
static void wake_and_wait(pid_t pid, int wake, int naps, u64 ms, unsigned long slept)
{
	while (naps--) {
		assert_int_equal(write(wake, "", 1), 1);
		slept = asleep_after(pid, slept);
		nap(ms);
	}
}

/* Watch a child that naps. With @reap its last nap has ended when the sleeps are read. */
static void observe(struct offcpu_opts *o, int naps, u64 ms, struct seen *seen, bool reap)
{
	const struct sysroot sr = { NULL };
	struct int_list online = { 0 }, tids = { 0 };
	struct offcpu_lost lost;
	struct offcpu off;
	struct err err = { 0 };
	unsigned long slept;
	int wake, rc;
	pid_t pid;

	memset(seen, 0, sizeof(*seen));
	pid = sleeper(naps, &wake);
	seen->pid = (u32)pid;
	int_list_add(&tids, pid);
	assert_int_equal(cpu_list_online(&sr, &online, &err), 0);
	o->sysroot = &sr;
	o->online = &online;
	o->tids = &tids;
	slept = asleep_after(pid, 0);
	rc = offcpu_open(&off, o, &err);
	if (rc == -EPERM || rc == -EACCES || rc == -ENOENT) {
		close(wake);
		waitpid(pid, NULL, 0);
		skip();
	}
	if (rc)
		fail_msg("%s", err.msg);
	offcpu_enable(&off, true);
	wake_and_wait(pid, wake, naps, ms, slept);
	if (reap) {
		close(wake);
		waitpid(pid, NULL, 0);
	}
	offcpu_read(&off, count, seen);
	offcpu_finish(&off, count, seen, &lost);
	offcpu_close(&off);
	if (!reap) {
		close(wake);
		waitpid(pid, NULL, 0);
	}
	assert_int_equal(lost.stacks + lost.sleeps, 0);
	assert_int_equal(seen->foreign, 0);
	int_list_release(&online);
	int_list_release(&tids);
}

static void test_sums(void **state)
{
	struct offcpu_opts o = { .thresh_ns = 1000000 * MS };
	struct seen seen;

	observe(&o, 5, 10, &seen, true);
	assert_int_equal(seen.own, 0);
	assert_true(seen.sums >= 1);
	assert_true(seen.sum_ns >= 50 * MS);
}

static void test_told(void **state)
{
	struct offcpu_opts o = { .thresh_ns = 9 * MS,
				 .clockid_set = true,
				 .clockid = CLOCK_MONOTONIC };
	struct seen seen;

	observe(&o, 5, 10, &seen, true);
	assert_int_equal(seen.own, 5);
	assert_true(seen.own_ns >= 50 * MS);
	assert_false(seen.backwards);
}

/* It sleeps still when we look. */
static void test_asleep(void **state)
{
	struct offcpu_opts o = { .thresh_ns = 10 * MS };
	struct seen seen;

	observe(&o, 1, 15, &seen, false);
	assert_int_equal(seen.own, 0);
	assert_true(seen.sum_ns >= 15 * MS);
	assert_true(seen.sum_ns < 100000 * MS);
}

static void test_cpus(void **state)
{
	struct int_list none = { 0 };
	struct offcpu_opts o = { .thresh_ns = 0, .cpus = &none };
	struct seen seen;

	observe(&o, 2, 10, &seen, true);
	assert_int_equal(seen.own + seen.sums, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_asleep),
		cmocka_unit_test(test_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
