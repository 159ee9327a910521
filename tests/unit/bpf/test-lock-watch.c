// SPDX-License-Identifier: GPL-2.0-or-later
/* Test waits for the mutex of a terminal's readers, counted by BPF programs, and how they are kept
 * longer; only where such programs can be loaded. */
#include "base/compat.h"
#include "base/clock.h"
#include "bpf/lock-queues.h"
#include "bpf/lock-watch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define MS 1000000ULL
#define MUTEX 32

struct reader {
	pthread_t thread;
	pid_t tid;
	u64 ended; /* when it had its line */
};

static int terminal[2];

static void *read_line(void *arg)
{
	struct reader *r = arg;
	char line[16];

	__atomic_store_n(&r->tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	(void)!read(terminal[1], line, sizeof(line));
	r->ended = clock_ns(CLOCK_MONOTONIC);
	return NULL;
}

static void wait_asleep(const struct reader *r)
{
	char path[64], line[256], *state;

	for (;;) {
		FILE *f;

		usleep(1000);
		snprintf(path, sizeof(path), "/proc/self/task/%d/stat",
			 __atomic_load_n(&r->tid, __ATOMIC_ACQUIRE));
		f = fopen(path, "r");
		state = f && fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
		if (f)
			fclose(f);
		if (state && state[2] == 'S')
			return;
	}
}

/* Two threads read from the terminal: the second one waits for the first. Return: the time in ns
 * from both lines to the end of the second. */
static u64 read_twice(struct lock_watch *w, struct reader readers[2])
{
	u64 start;

	lock_watch_enable(w, true);
	for (int i = 0; i < 2; i++) {
		readers[i] = (struct reader){ 0 };
		assert_int_equal(pthread_create(&readers[i].thread, NULL, read_line, &readers[i]),
				 0);
		wait_asleep(&readers[i]);
	}
	usleep(5000);
	start = clock_ns(CLOCK_MONOTONIC);
	assert_int_equal(write(terminal[0], "a\nb\n", 4), 4);
	for (int i = 0; i < 2; i++)
		pthread_join(readers[i].thread, NULL);
	lock_watch_enable(w, false);
	return readers[1].ended - start;
}

struct seen {
	u32 nr;
	struct lock_watch_sum sum; /* that of a mutex */
	bool no_chains;
};

static void on_sum(void *ctx, const struct lock_watch_sum *sum)
{
	struct seen *seen = ctx;

	if (sum->flags & MUTEX && sum->max >= 5 * MS) {
		seen->nr++;
		seen->sum = *sum;
	}
}

static bool open_terminal(void)
{
	terminal[0] = posix_openpt(O_RDWR | O_NOCTTY);
	if (terminal[0] < 0 || grantpt(terminal[0]) || unlockpt(terminal[0]))
		return false;
	terminal[1] = open(ptsname(terminal[0]), O_RDWR | O_NOCTTY);
	return terminal[1] >= 0;
}

/* Count while both read. Return: false when programs cannot be loaded here. */
static bool observe(struct lock_watch_opts *o, struct seen *seen, struct reader readers[2], u64 *ns)
{
	const struct sysroot sr = { NULL };
	struct int_list tids = { 0 };
	struct lock_watch_lost lost;
	struct lock_watch w;
	struct err err = { 0 };
	int rc;

	*seen = (struct seen){ 0 };
	int_list_add(&tids, getpid());
	o->sysroot = &sr;
	o->tids = &tids;
	o->entries = 64;
	o->depth = 16;
	rc = lock_watch_open(&w, o, &err);
	if (rc) {
		print_message("no BPF programs at locks here: %s\n", err.msg);
		int_list_release(&tids);
		return false;
	}
	*ns = read_twice(&w, readers);
	lock_watch_read(&w, on_sum, seen, &lost);
	lock_watch_close(&w);
	int_list_release(&tids);
	assert_int_equal(lost.waits, 0);
	seen->no_chains = lost.no_owner_chains;
	return true;
}

static void test_waits(void **state)
{
	static const enum lock_watch_by by[] = { LOCK_WATCH_BY_FLAGS, LOCK_WATCH_BY_LOCK,
						 LOCK_WATCH_BY_TASK, LOCK_WATCH_BY_OWNER,
						 LOCK_WATCH_BY_CGROUP };
	struct lock_delay delay = { .ns = 5 * MS };
	struct reader readers[2];
	struct seen seen;
	u64 ns, address = 0;

	if (!open_terminal())
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(by); i++) {
		struct lock_watch_opts o = { .by = by[i], .chains = i == 0 };

		if (!observe(&o, &seen, readers, &ns))
			skip();
		/* A program does not run where it was interrupted while it ran: once in a while, a
		 * wait is missed. */
		for (int again = 0; again < 3 && !seen.nr; again++)
			observe(&o, &seen, readers, &ns);
		assert_int_equal(seen.nr, 1);
		assert_true(seen.sum.count >= 1);
		assert_true(seen.sum.min && seen.sum.min <= seen.sum.max &&
			    seen.sum.max <= seen.sum.total);
		assert_true(!address || seen.sum.address == address);
		address = seen.sum.address;
		assert_int_equal(seen.sum.nr_ips > 3, i == 0);
		if (by[i] == LOCK_WATCH_BY_TASK)
			assert_int_equal(seen.sum.tid, readers[1].tid);
		if (by[i] == LOCK_WATCH_BY_OWNER)
			assert_int_equal(seen.sum.tid, readers[0].tid);
		if (by[i] == LOCK_WATCH_BY_TASK || by[i] == LOCK_WATCH_BY_OWNER)
			assert_string_equal(seen.sum.comm, "test-bpf-lock-w");
	}
	if (observe(&(struct lock_watch_opts){ .by = LOCK_WATCH_BY_OWNER, .owner_chains = true },
		    &seen, readers, &ns) &&
	    seen.nr) {
		assert_int_equal(seen.sum.tid, readers[0].tid);
		assert_true(seen.no_chains || seen.sum.nr_ips > 3);
	}
	delay.address = address;
	if (observe(&(struct lock_watch_opts){ .delays = &delay, .nr_delays = 1 }, &seen, readers,
		    &ns))
		assert_true(ns >= delay.ns);
	assert_true(observe(&(struct lock_watch_opts){ .addresses = &(u64){ address + 8 },
						       .nr_addresses = 1 },
			    &seen, readers, &ns));
	assert_int_equal(seen.nr, 0);
	close(terminal[0]);
	close(terminal[1]);
}

/* Each CPU has a run queue that says so, and a lock of its own. */
static void test_queues(void **state)
{
	const struct sysroot sr = { NULL };
	u64 locks[64];
	struct btf b;
	u32 known;

	if (btf_open_kernel(&b, &sr, NULL))
		skip();
	known = lock_queues_find(&b, ARRAY_SIZE(locks), locks);
	btf_close(&b);
	if (!known)
		skip();
	assert_int_equal(known, MIN(sysconf(_SC_NPROCESSORS_ONLN), (long)ARRAY_SIZE(locks)));
	for (size_t i = 0; i < ARRAY_SIZE(locks); i++)
		for (size_t j = 0; j < i; j++)
			assert_true(!locks[i] || locks[i] != locks[j]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_waits),
					    cmocka_unit_test(test_queues) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
