// SPDX-License-Identifier: GPL-2.0-or-later
/* Test comms and incarnations of tids over time; the expectations are what perf 6.1 prints for such
 * records. */
#include "base/compat.h"
#include "machine/machine.h"
#include "state-build.h"

#include <setjmp.h>
#include <cmocka.h>

static int setup(void **state)
{
	*state = machine_new();
	return 0;
}

static int teardown(void **state)
{
	machine_free(*state);
	return 0;
}

#define COMM(time, pid, tid, text) assert_string_equal(st_comm_at(m, time, pid, tid), text)

static void test_comm_history(void **state)
{
	struct machine *m = *state;

	st_comm(m, 20, 10, 10, "first", false);
	st_comm(m, 40, 10, 10, "second", false);
	st_comm(m, 40, 10, 10, "same time", false);
	st_comm(m, 30, 10, 10, "late record", false);
	st_comm(m, 50, 10, 10, "", false);
	machine_seal(m);
	COMM(0, 10, 10, ":10");
	COMM(19, 10, 10, ":10");
	COMM(20, 10, 10, "first");
	COMM(39, 10, 10, "first");
	COMM(40, 10, 10, "late record");
	COMM(50, 10, 10, "");
	COMM(UINT64_MAX, 10, 10, "");
	COMM(7, 0, 0, "swapper");
}

static void test_fork_inherits(void **state)
{
	struct machine *m = *state;

	st_comm(m, 10, 10, 10, "parent", false);
	st_fork(m, 20, 11, 11, 10, 10);
	st_comm(m, 30, 11, 11, "child", false);
	st_comm(m, 40, 10, 10, "renamed", false);
	st_fork(m, 50, 10, 12, 10, 10); /* a thread */
	st_fork(m, 60, 21, 21, 20, 20); /* of a parent without name */
	st_comm(m, 70, 20, 20, "late", false);
	st_fork(m, 80, 40, 40, 0, 0);
	machine_seal(m);
	COMM(20, 11, 11, "parent");
	COMM(30, 11, 11, "child");
	COMM(45, 11, 11, "child");
	COMM(50, 10, 12, "renamed");
	COMM(60, 21, 21, ":21");
	COMM(75, 21, 21, ":21");
	COMM(60, 20, 20, ":20");
	COMM(75, 20, 20, "late");
	COMM(80, 40, 40, "swapper");
	COMM(19, 11, 11, ":11");
}

static void test_tid_reuse(void **state)
{
	struct machine *m = *state;
	struct thread_at a, b, c;

	st_comm(m, 1, 10, 10, "p", false);
	st_comm(m, 1, 20, 20, "q", false);
	st_fork(m, 10, 10, 13, 10, 10);
	st_exit(m, 20, 10, 13);
	st_fork(m, 30, 13, 13, 20, 20);
	machine_seal(m);
	COMM(15, 10, 13, "p");
	COMM(25, 10, 13, "p"); /* the last samples come after the exit */
	COMM(30, 13, 13, "q");
	machine_thread_at(m, 10, 13, 15, &a);
	machine_thread_at(m, 10, 13, 29, &b);
	machine_thread_at(m, 13, 13, 30, &c);
	assert_int_equal(a.thread, b.thread);
	assert_int_not_equal(a.thread, c.thread);
	assert_int_equal(a.pid, 10);
	assert_int_equal(c.pid, 13);
	assert_int_equal(a.from, 10);
	assert_int_equal(a.until, 30);
	assert_int_equal(c.from, 30);
	assert_true(c.until == UINT64_MAX);
}

/* The answer is the same at any time of an interval; at its end it is another. */
static void test_intervals(void **state)
{
	struct machine *m = *state;
	struct thread_at t, u;
	u64 time;

	st_comm(m, 5, 10, 10, "a", false);
	st_mmap(m, 8, 10, 10, 0x1000, 0x1000, 0, "/x");
	st_mmap(m, 12, 10, 10, 0x1000, 0x1000, 0, "/y");
	st_comm(m, 20, 10, 10, "b", true);
	st_fork(m, 30, 10, 10, 9, 9);
	machine_seal(m);
	for (time = 0; time < 40; time++) {
		machine_thread_at(m, 10, 10, time, &t);
		assert_true(t.from <= time && time < t.until);
		machine_thread_at(m, 10, 10, t.from, &u);
		assert_memory_equal(&t, &u, sizeof(t));
		machine_thread_at(m, 10, 10, t.until - 1, &u);
		assert_memory_equal(&t, &u, sizeof(t));
		if (t.until != UINT64_MAX) {
			machine_thread_at(m, 10, 10, t.until, &u);
			assert_true(u.thread != t.thread || u.comm != t.comm || u.epoch != t.epoch);
		}
	}
}

static void test_unknown(void **state)
{
	struct machine *m = *state;
	struct thread_at a, b, c;
	u32 threads, comms;

	st_comm(m, 1, 30, 30, "leader", false);
	st_mmap(m, 2, 30, 30, 0x1000, 0x1000, 0, "/x");
	machine_seal(m);
	threads = machine_nr_threads(m);
	comms = machine_nr_comms(m);
	machine_thread_at(m, 30, 31, 5, &a);
	machine_thread_at(m, 30, 31, 50, &b);
	machine_thread_at(m, UINT32_MAX, UINT32_MAX, 5, &c);
	assert_int_equal(a.thread, b.thread);
	assert_int_not_equal(a.thread, c.thread);
	assert_int_equal(machine_nr_threads(m), threads + 2);
	assert_true(a.thread < threads + 2 && c.thread < threads + 2);
	assert_true(machine_nr_comms(m) > comms && a.comm < machine_nr_comms(m));
	assert_string_equal(machine_comm(m, a.comm), ":31");
	assert_string_equal(machine_comm(m, c.comm), ":-1");
	/* It runs in its leader's memory; one without a known leader in none. */
	assert_string_equal(st_dso_at(m, 5, 30, 31, 0x1800), "/x");
	assert_int_equal(c.epoch, MACHINE_EPOCH_NONE);
}

/* A pipe: lookups between records; an unknown thread is there for good. */
static void test_unsealed(void **state)
{
	struct machine *m = *state;
	struct thread_at a, b;

	machine_thread_at(m, 50, 51, 5, &a);
	assert_string_equal(machine_comm(m, a.comm), ":51");
	assert_int_equal(a.until, 6);
	st_comm(m, 10, 50, 51, "told", false);
	machine_thread_at(m, 50, 51, 11, &b);
	assert_int_equal(a.thread, b.thread);
	assert_string_equal(machine_comm(m, b.comm), "told");
	st_mmap(m, 12, 50, 50, 0x1000, 0x1000, 0, "/x");
	assert_string_equal(st_dso_at(m, 13, 50, 51, 0x1000), "/x");
	machine_seal(m);
	assert_string_equal(st_comm_at(m, 5, 50, 51), ":51");
	assert_string_equal(st_comm_at(m, 10, 50, 51), "told");
}

static void test_malformed(void **state)
{
	struct {
		struct perf_event_header h;
		u32 pid, tid;
		char comm[4];
	} r = { .comm = "abcd" };
	struct err err = { 0 };

	r.h = (struct perf_event_header){ .type = PERF_RECORD_COMM, .size = sizeof(r) };
	assert_true(machine_apply(*state, &r.h, sizeof(r), 0, &err) < 0);
	assert_non_null(strstr(err.msg, "COMM"));
	assert_true(machine_apply(*state, &r.h, 4, 0, &err) < 0);
	r.h.type = PERF_RECORD_SAMPLE;
	assert_int_equal(machine_apply(*state, &r.h, sizeof(r), 0, &err), 0);
	assert_int_equal(machine_nr_threads(*state), 1);
}

/* Thousands of incarnations of one tid and comms of one thread must stay cheap: binary searches,
 * not walks. */
static void test_many(void **state)
{
	struct machine *m = *state;
	char text[16];
	u32 i;

	for (i = 1; i <= 50000; i++) {
		st_fork(m, i * 10, 7, 7, 1, 1);
		snprintf(text, sizeof(text), "c%u", i % 100);
		st_comm(m, i * 10 + 5, 8, 8, text, false);
	}
	machine_seal(m);
	for (i = 1; i <= 50000; i++) {
		struct thread_at t;

		machine_thread_at(m, 7, 7, i * 10 + 9, &t);
		assert_int_equal(t.from, i * 10);
		snprintf(text, sizeof(text), "c%u", i % 100);
		assert_string_equal(st_comm_at(m, i * 10 + 6, 8, 8), text);
	}
}

static void test_cgroup(void **state)
{
	struct {
		struct perf_event_header h;
		u64 id;
		char path[16];
	} r = { .id = 77, .path = "/a/b" };
	struct err err = { 0 };

	r.h = (struct perf_event_header){ .type = PERF_RECORD_CGROUP, .size = sizeof(r) };
	assert_int_equal(machine_apply(*state, &r.h, sizeof(r), 0, &err), 0);
	assert_string_equal(machine_cgroup(*state, 77), "/a/b");
	assert_null(machine_cgroup(*state, 78));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_comm_history, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fork_inherits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_tid_reuse, setup, teardown),
		cmocka_unit_test_setup_teardown(test_intervals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unsealed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_malformed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cgroup, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
