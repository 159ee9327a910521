// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what is believed of the memory of processes, and the paths of their descriptors. */
#include "base/compat.h"
#include "tracerun/memory.h"
#include "tracerun/paths.h"
#include "tracerun/pending.h"

#include <elf.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

static void test_same(void **state)
{
	static const struct syscall_call call = { .nr = 257,
						  .args = { 0xffffff9c, 0x7f00, 0, 1, 2, 3 } };
	static const struct {
		const char *text;
		bool same;
	} rows[] = {
		{ "257 0xffffff9c 0x7f00 0x0 0x1 0x2 0x3 0x7ffe 0x7f01", true },
		{ "257 0xffffff9c 0x7f00 0x0 0x1 0x2 0x4 0x7ffe 0x7f01", false },
		{ "256 0xffffff9c 0x7f00 0x0 0x1 0x2 0x3 0x7ffe 0x7f01", false },
		{ "257 0xffffff9c 0x7f00 0x0 0x1 0x2", false },
		{ "-1 0x7ffe 0x7f01", false },
		{ "running", false },
		{ "", false },
	};

	/* The event of a single call has the arguments of this call alone. */
	struct syscall_call few = { .nr = 257, .args = { 0xffffff9c, 0x7f00 }, .lacking = 4 };
	struct call_head head = { .nr = 257, .args = { 0xffffff9c, 0x7f00, 0, 1, 2, 3 } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (trace_memory_same(rows[i].text, &call) != rows[i].same)
			fail_msg("%s", rows[i].text);
	assert_true(trace_memory_same(rows[0].text, &few));
	assert_true(trace_memory_is_of(&head, &few));
	few.lacking = 2;
	assert_false(trace_memory_same(rows[0].text, &few));
	assert_false(trace_memory_is_of(&head, &few));
}

static void test_copy(void **state)
{
	struct trace_memory m = { .nr = 2, .v = { { 0x1000, 4, "abc" }, { 0x2000, 2, "xy" } } };
	char buf[8] = "";

	assert_int_equal(trace_memory_copy(&m, 0x1000, buf, 8, false), 4);
	assert_string_equal(buf, "abc");
	assert_int_equal(trace_memory_copy(&m, 0x2001, buf, 8, false), 1);
	assert_int_equal(buf[0], 'y');
	assert_int_equal(trace_memory_copy(&m, 0x1001, buf, 1, false), 1);
	assert_int_equal(trace_memory_copy(&m, 0x1004, buf, 8, false), 0);
	assert_int_equal(trace_memory_copy(&m, 0xfff, buf, 8, false), 0);
	assert_int_equal(trace_memory_copy(NULL, 0, buf, 8, false), 0);
}

/* Several commands of a call copy the same memory: the longest copy counts. */
static void test_longest(void **state)
{
	const struct trace_memory m = {
		.nr = 3, .v = { { 0x1000, 1, "a" }, { 0x1000, 4, "abc" }, { 0x1001, 2, "bc" } }
	};
	char buf[8] = "";

	assert_int_equal(trace_memory_copy(&m, 0x1000, buf, 4, false), 4);
	assert_string_equal(buf, "abc");
	assert_int_equal(trace_memory_copy(&m, 0x1000, buf, 1, false), 1);
	assert_int_equal(trace_memory_copy(&m, 0x1001, buf, 8, false), 3);
}

static void test_written(void **state)
{
	struct call_record r = { .nr = 2,
				 .v = { { 0x1000, 4, false, (const u8 *)"old" },
					{ 0x1000, 4, true, (const u8 *)"new" } } };
	struct trace_memory_pool pool = { 0 };
	struct trace_memory *m = trace_memory_new(&pool);
	char buf[8] = "";

	trace_memory_add(m, &r);
	assert_int_equal(trace_memory_copy(m, 0x1000, buf, 8, false), 4);
	assert_string_equal(buf, "old");
	assert_int_equal(trace_memory_copy(m, 0x1000, buf, 8, true), 4);
	assert_string_equal(buf, "new");
	for (int i = 0; i < CALL_PIECES; i++) /* there is room for some */
		trace_memory_add(m, &r);
	assert_int_equal(m->nr, CALL_PIECES);
	trace_memory_give(&pool, m);
	assert_ptr_equal(trace_memory_new(&pool), m); /* nothing is known of it any more */
	assert_int_equal(trace_memory_copy(m, 0x1000, buf, 8, false), 0);
	trace_memory_give(&pool, m);
	trace_memory_pool_release(&pool);
}

/* Paths that the kernel has fetched are those of the arguments in their order. */
static void test_names(void **state)
{
	const struct sysargs_abi abi = { .machine = EM_X86_64 };
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(&abi, &err);
	const int nr = sysargs_number(sa, "renameat");
	const struct syscall_desc *desc = sysargs_call(sa, (u32)nr);
	const struct syscall_call call = { .nr = nr, .args = { 3, 0x1000, 4, 0x2000 } };
	struct trace_memory_pool pool = { 0 };
	struct trace_memory *m = trace_memory_new(&pool);
	char buf[8] = "";

	trace_memory_name(m, &call, NULL, "none", 5);
	assert_int_equal(m->nr, 0);
	trace_memory_name(m, &call, desc, "old", 4);
	trace_memory_name(m, &call, desc, "new", 4);
	trace_memory_name(m, &call, desc, "more", 5);
	assert_int_equal(m->nr, 2);
	assert_int_equal(trace_memory_copy(m, 0x1000, buf, 8, false), 4);
	assert_string_equal(buf, "old");
	assert_int_equal(trace_memory_copy(m, 0x2000, buf, 8, false), 4);
	assert_string_equal(buf, "new");
	trace_memory_give(&pool, m);
	trace_memory_pool_release(&pool);
	sysargs_free(sa);
}

static void test_pending(void **state)
{
	static struct trace_pending p;
	struct trace_memory_pool pool = { 0 };
	struct call_record r = { .head = { .nr = 257, .args = { 1, 2 } } };
	struct syscall_call call = { .tid = 7, .nr = 257, .args = { 1, 2 } };
	struct trace_memory *m;

	assert_null(trace_pending_take(&p, &call));
	trace_pending_add(&p, &pool, 7, &r);
	trace_pending_add(&p, &pool, 8, &r);
	call.args[1] = 3;
	assert_null(trace_pending_take(&p, &call));
	call.args[1] = 2;
	m = trace_pending_take(&p, &call);
	assert_non_null(m);
	trace_memory_give(&pool, m);
	assert_null(trace_pending_take(&p, &call));
	assert_int_equal(p.nr, 1);
	for (u32 i = 0; i < 3 * TRACE_PENDING; i++) /* calls that never come */
		trace_pending_add(&p, &pool, 100 + i, &r);
	assert_int_equal(p.nr, TRACE_PENDING);
	call.tid = 100 + 3 * TRACE_PENDING - 1;
	m = trace_pending_take(&p, &call);
	assert_non_null(m);
	trace_memory_give(&pool, m);
	trace_pending_release(&p);
	trace_memory_pool_release(&pool);
}

static void test_paths(void **state)
{
	struct trace_paths p = { 0 };

	assert_null(trace_paths_get(&p, 1, 3));
	trace_paths_set(&p, 1, 3, "/a");
	trace_paths_set(&p, 2, 3, "/b");
	assert_string_equal(trace_paths_get(&p, 1, 3), "/a");
	trace_paths_set(&p, 1, 3, "/c");
	assert_string_equal(trace_paths_get(&p, 1, 3), "/c");
	assert_string_equal(trace_paths_get(&p, 2, 3), "/b");
	trace_paths_forget(&p, 1, 3);
	trace_paths_forget(&p, 1, 99);
	assert_null(trace_paths_get(&p, 1, 3));
	assert_null(trace_paths_get(&p, 1, -1));
	trace_paths_set(&p, 1, 3, "/d");
	assert_string_equal(trace_paths_get(&p, 1, 3), "/d");
	for (s32 fd = 0; fd < 200000; fd++)
		trace_paths_set(&p, 9, fd, "/many");
	assert_true(p.nr <= 65536);
	assert_string_equal(trace_paths_get(&p, 9, 199999), "/many");
	trace_paths_release(&p);
}

/* A path from /proc is marked, and /proc is asked once. */
static void test_live_paths(void **state)
{
	struct trace_paths p = { .live = true };
	int ends[2];
	const char *path;

	assert_int_equal(pipe(ends), 0);
	path = trace_paths_get(&p, (u32)getpid(), ends[0]);
	assert_non_null(path);
	assert_memory_equal(path, "~pipe:[", 7);
	close(ends[0]);
	assert_non_null(trace_paths_get(&p, (u32)getpid(), ends[0]));
	trace_paths_forget(&p, (u32)getpid(), ends[0]);
	assert_null(trace_paths_get(&p, (u32)getpid(), ends[0]));
	close(ends[1]);
	trace_paths_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),    cmocka_unit_test(test_copy),
		cmocka_unit_test(test_longest), cmocka_unit_test(test_written),
		cmocka_unit_test(test_pending), cmocka_unit_test(test_names),
		cmocka_unit_test(test_paths),   cmocka_unit_test(test_live_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
