// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which records of processes are dropped when these have ended. */
#include "base/compat.h"
#include "recording/state-log.h"

#include "wire/encode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void put(struct state_log *l, u64 time, struct strbuf *rec)
{
	state_log_add(l, (const wire_header *)rec->buf, time);
	strbuf_release(rec);
}

static void put_task(struct state_log *l, u64 time, u32 type, u32 pid, u32 tid, u32 ppid)
{
	struct rec_task t = { .pid = pid, .tid = tid, .ppid = ppid, .ptid = ppid };
	struct strbuf rec = STRBUF_INIT;

	assert_int_equal(enc_task(&rec, type, 0, &t, NULL, NULL), 0);
	put(l, time, &rec);
}

static void put_comm(struct state_log *l, u64 time, u32 pid, const char *comm, bool exec)
{
	struct rec_comm c = { .pid = pid, .tid = pid, .comm = comm, .exec = exec };
	struct strbuf rec = STRBUF_INIT;

	assert_int_equal(enc_comm(&rec, 0, &c, NULL, NULL), 0);
	put(l, time, &rec);
}

static void put_map(struct state_log *l, u64 time, u32 pid, const char *name)
{
	struct rec_mmap m = {
		.pid = pid, .tid = pid, .start = 0x1000, .len = 0x1000, .filename = name
	};
	struct strbuf rec = STRBUF_INIT;

	assert_int_equal(enc_mmap2(&rec, 0, &m, NULL, NULL), 0);
	put(l, time, &rec);
}

static void put_symbol(struct state_log *l, u64 time, u64 addr, bool end)
{
	struct rec_ksymbol s = {
		.addr = addr, .len = 16, .type = 1, .flags = end, .name = "bpf_prog_1"
	};
	struct strbuf rec = STRBUF_INIT;

	assert_int_equal(enc_ksymbol(&rec, &s, NULL, NULL), 0);
	put(l, time, &rec);
}

static void put_cgroup(struct state_log *l, u64 time, u64 id)
{
	struct rec_cgroup c = { .id = id, .path = "/group" };
	struct strbuf rec = STRBUF_INIT;

	assert_int_equal(enc_cgroup(&rec, &c, NULL, NULL), 0);
	put(l, time, &rec);
}

static bool (*runs)(u32 tid); /* is asked by left() */

/* Return the times of all records: "1 2 5 ". */
static const char *times(const struct state_log *l)
{
	static char text[256];
	size_t len = 0;

	*text = 0;
	for (size_t i = 0; i < l->nr; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%" PRIu64 " ",
					l->v[i].time);
	return text;
}

/* Drop, and return the times of what is left. */
static const char *left(struct state_log *l, u32 needed)
{
	struct map64 pids = { 0 };

	if (needed)
		map64_set(&pids, needed, 1);
	state_log_drop_ended(l, &pids, runs);
	map64_release(&pids);
	return times(l);
}

static const char *left_since(struct state_log *l, u64 oldest)
{
	state_log_drop_superseded(l, oldest);
	return times(l);
}

static void test_ended(void **state)
{
	struct state_log l = { 0 };

	(void)state;
	put_map(&l, 0, UINT32_MAX, "[kernel.kallsyms]_text");
	put_comm(&l, 1, 10, "lives", false);
	put_task(&l, 2, PERF_RECORD_FORK, 11, 11, 10);
	put_comm(&l, 3, 11, "gone", true);
	put_map(&l, 4, 11, "/bin/gone");
	put_task(&l, 5, PERF_RECORD_EXIT, 11, 11, 10);
	put_task(&l, 6, PERF_RECORD_FORK, 12, 12, 10);
	assert_string_equal(left(&l, 11), "0 1 2 3 4 5 6 ");
	assert_string_equal(left(&l, 0), "0 1 6 ");
	assert_int_equal(state_log_record(&l, 1)->type, PERF_RECORD_COMM);
	/* an id that is used again is another life */
	put_task(&l, 7, PERF_RECORD_EXIT, 12, 12, 10);
	put_task(&l, 8, PERF_RECORD_FORK, 12, 12, 10);
	assert_string_equal(left(&l, 0), "0 1 8 ");
	state_log_release(&l);
}

/* A process that has not run exec() shows the maps of the one it was forked from. */
static void test_inherited(void **state)
{
	struct state_log l = { 0 };

	(void)state;
	put_map(&l, 1, 20, "/bin/old");
	put_task(&l, 2, PERF_RECORD_FORK, 21, 21, 20);
	put_task(&l, 3, PERF_RECORD_FORK, 22, 22, 21);
	put_task(&l, 4, PERF_RECORD_EXIT, 20, 20, 1);
	put_task(&l, 5, PERF_RECORD_EXIT, 21, 21, 20);
	assert_string_equal(left(&l, 0), "1 2 3 4 5 ");
	put_comm(&l, 6, 22, "new", true);
	assert_string_equal(left(&l, 0), "3 6 ");
	state_log_release(&l);
}

/* Threads keep their process. */
static void test_threads(void **state)
{
	struct state_log l = { 0 };

	(void)state;
	put_map(&l, 1, 30, "/bin/threads");
	put_task(&l, 2, PERF_RECORD_FORK, 30, 31, 30);
	put_task(&l, 3, PERF_RECORD_FORK, 30, 32, 30);
	put_task(&l, 4, PERF_RECORD_EXIT, 30, 30, 30);
	put_task(&l, 5, PERF_RECORD_EXIT, 30, 31, 30);
	assert_string_equal(left(&l, 0), "1 3 4 ");
	put_task(&l, 6, PERF_RECORD_EXIT, 30, 32, 30);
	assert_string_equal(left(&l, 0), "");
	state_log_release(&l);
}

/* Threads that have ended are kept when samples are theirs, and so is their process. */
static void test_needed_threads(void **state)
{
	struct state_log l = { 0 };

	(void)state;
	put_map(&l, 1, 30, "/bin/threads");
	put_task(&l, 2, PERF_RECORD_FORK, 30, 31, 30);
	put_task(&l, 3, PERF_RECORD_FORK, 30, 32, 30);
	put_task(&l, 4, PERF_RECORD_EXIT, 30, 31, 30);
	put_task(&l, 5, PERF_RECORD_EXIT, 30, 32, 30);
	put_task(&l, 6, PERF_RECORD_EXIT, 30, 30, 30);
	assert_string_equal(left(&l, 31), "1 2 4 6 ");
	assert_string_equal(left(&l, 30), "1 6 ");
	assert_string_equal(left(&l, 0), "");
	state_log_release(&l);
}

/* The record of an exit was lost, and the id is used again. */
static void test_used_again(void **state)
{
	struct state_log l = { 0 };

	(void)state;
	put_task(&l, 1, PERF_RECORD_FORK, 11, 11, 10);
	put_map(&l, 2, 11, "/bin/first");
	put_task(&l, 3, PERF_RECORD_FORK, 11, 11, 10);
	put_map(&l, 4, 11, "/bin/second");
	assert_string_equal(left(&l, 0), "3 4 ");
	state_log_release(&l);
}

static bool only_12_runs(u32 tid)
{
	assert_int_not_equal(tid, 0); /* all CPUs have that one */
	return tid == 12;
}

/* The record of an exit was lost, and the id is used by nobody. */
static void test_lost(void **state)
{
	const u64 later = STATE_LOG_SILENT + 10;
	struct state_log l = { 0 };

	(void)state;
	put_comm(&l, 0, 0, "idle", false);
	put_comm(&l, 1, 11, "silent", true);
	put_comm(&l, 2, 12, "runs", true);
	put_comm(&l, later, 13, "new", true);
	assert_string_equal(left(&l, 0), "0 1 2 5000000010 ");
	runs = only_12_runs;
	assert_string_equal(left(&l, 11), "0 1 2 5000000010 ");
	assert_string_equal(left(&l, 0), "0 2 5000000010 ");
	runs = NULL;
	state_log_release(&l);
}

/* Records whose ids make no sense end nothing. */
static void test_damaged(void **state)
{
	struct state_log l = { 0 };
	wire_header h = { .type = PERF_RECORD_FORK, .size = sizeof(h) };

	(void)state;
	state_log_add(&l, &h, 1);
	state_log_drop_superseded(&l, UINT64_MAX);
	put_task(&l, 2, PERF_RECORD_FORK, 40, 40, 40);
	put_task(&l, 3, PERF_RECORD_FORK, 41, 42, 42);
	assert_string_equal(left(&l, 0), "1 2 3 ");
	state_log_release(&l);
}

/* A process that lives on changes. Samples of the time before keep what was then. */
static void test_superseded(void **state)
{
	struct state_log l = { 0 };

	(void)state;
	put_comm(&l, 1, 50, "first", true);
	put_map(&l, 2, 50, "/lib/one");
	put_map(&l, 3, 51, "/lib/one");
	put_comm(&l, 4, 50, "second", false);
	put_comm(&l, 5, 50, "third", false);
	put_map(&l, 6, 50, "/lib/two");
	put_comm(&l, 7, 50, "fourth", false);
	assert_string_equal(left_since(&l, 2), "1 2 3 4 5 6 7 ");
	assert_string_equal(left_since(&l, 6), "1 2 3 5 6 7 ");
	assert_string_equal(left_since(&l, UINT64_MAX), "1 3 6 7 ");
	state_log_release(&l);
}

/* A child has what its parent had when it was forked. An id that is used again is another one. */
static void test_superseded_and_inherited(void **state)
{
	struct state_log l = { 0 };

	(void)state;
	put_map(&l, 1, 60, "/lib/zero");
	put_map(&l, 2, 60, "/lib/one");
	put_comm(&l, 3, 60, "one", false);
	put_task(&l, 4, PERF_RECORD_FORK, 61, 61, 60);
	put_map(&l, 5, 61, "/lib/other");
	put_map(&l, 6, 60, "/lib/two");
	put_comm(&l, 7, 60, "two", false);
	put_task(&l, 8, PERF_RECORD_FORK, 61, 61, 1);
	put_map(&l, 9, 61, "/lib/other");
	put_map(&l, 10, 60, "/lib/three");
	assert_string_equal(left_since(&l, UINT64_MAX), "2 3 4 5 7 8 9 10 ");
	state_log_release(&l);
}

static void test_superseded_in_the_kernel(void **state)
{
	struct state_log l = { 0 };

	(void)state;
	put_map(&l, 1, UINT32_MAX, "[old]");
	put_symbol(&l, 2, 0x100, false);
	put_symbol(&l, 3, 0x200, false);
	put_cgroup(&l, 4, 7);
	put_symbol(&l, 5, 0x100, true);
	put_cgroup(&l, 6, 8);
	put_symbol(&l, 7, 0x100, false);
	put_map(&l, 8, UINT32_MAX, "[new]");
	put_cgroup(&l, 9, 7);
	put_symbol(&l, 10, 0x200, true);
	assert_string_equal(left_since(&l, 6), "1 3 4 6 7 8 9 10 ");
	assert_string_equal(left_since(&l, UINT64_MAX), "6 7 8 9 ");
	state_log_release(&l);
}

static void test_many_cgroups(void **state)
{
	struct state_log l = { 0 };

	(void)state;
	for (u64 i = 0; i < 65536 + 2; i++)
		put_cgroup(&l, i + 1, i);
	state_log_drop_superseded(&l, UINT64_MAX);
	assert_int_equal(l.nr, 65536);
	assert_int_equal(l.v[0].time, 3);
	state_log_release(&l);
}

/* Needed records do not make a log long; new records do. */
static void test_long(void **state)
{
	struct state_log l = { 0 };
	const struct map64 none = { 0 };
	u64 time = 0;

	for (u32 pid = 10; !state_log_is_long(&l); pid++) {
		assert_true(++time < 100000);
		put_task(&l, time, PERF_RECORD_FORK, pid, pid, 1);
	}
	state_log_drop_ended(&l, &none, NULL);
	assert_false(state_log_is_long(&l));
	state_log_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_inherited),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_needed_threads),
		cmocka_unit_test(test_used_again),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_superseded),
		cmocka_unit_test(test_superseded_and_inherited),
		cmocka_unit_test(test_superseded_in_the_kernel),
		cmocka_unit_test(test_many_cgroups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
