// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the tables of locks as text, what chooses their columns and rows, and who asked for a lock.
 */
#include "base/compat.h"
#include "locktext/locktext-internal.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

/* ---- words ---- */

static const char *symbol(void *ctx, u64 address, u64 *start)
{
	static const struct {
		u64 start;
		const char *name;
	} symbols[] = {
		{ 0x1000, "asker" },
		{ 0x2000, "__mutex_lock.constprop.0" },
		{ 0x3000, "mutex_lock_of_mine" },
		{ 0x4000, "a_lock" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (address >= symbols[i].start && address < symbols[i].start + 0x1000) {
			*start = symbols[i].start;
			return symbols[i].name;
		}
	return NULL;
}

static const char *task(void *ctx, const struct lock_row *row, u32 *tid)
{
	*tid = row->task;
	return "a,\033b";
}

static const char *cgroup(void *ctx, u64 id)
{
	return id == 7 ? "/app" : NULL;
}

static const u64_una *chain(void *ctx, const struct lock_row *row, u32 *nr)
{
	static const u64_una ips[] = { 0x2004, 0x1010, 0x9999 };

	*nr = ARRAY_SIZE(ips);
	return ips;
}

static const struct lock_words words = { symbol, task, cgroup, chain, NULL };

/* ---- tables ---- */

static const struct lock_row rows[] = {
	{ LOCK_MUTEX, 0x4000, 0x1010, 7, 5, 1, "", 3, 3, { 3, 3000, 2000, 100 }, false },
	{ LOCK_RWSEM_R,
	  0x4008,
	  0,
	  8,
	  6,
	  2,
	  "",
	  1,
	  1,
	  { 1, 90000000000, 90000000000, 90000000000 },
	  false },
	{ LOCK_SPINLOCK, 0x10, 0x3005, 8, 7, 3, "of_lockdep_with_a_name", 9, 0, { 0 }, false },
};

static const struct {
	const char *name;
	enum lock_view view;
	enum lock_by by;
	const char *fields, *key;
	struct lock_show show;
	const char *want;
} tables[] = {
	{ "callers",
	  LOCK_CONTENTION,
	  LOCK_BY_CALLER,
	  NULL,
	  "wait_total",
	  { 0 },
	  " contended   total wait     max wait     avg wait         type   caller\n\n"
	  "         1      1.50 m       1.50 m       1.50 m       rwsem:R   Unknown\n"
	  "         3      3.00 us      2.00 us      1.00 us        mutex   asker+0x10\n" },
	{ "columns as they were named, and the key behind them",
	  LOCK_CONTENTION,
	  LOCK_BY_TASK,
	  "wait_min, avg_wait,wait_min",
	  "contended",
	  { .entries = 1 },
	  "    min wait     avg wait  contended          pid   comm\n\n"
	  "      100 ns      1.00 us          3            5   a,\\x1bb\n" },
	{ "locks",
	  LOCK_CONTENTION,
	  LOCK_BY_ADDRESS,
	  "contended",
	  "contended",
	  { 0 },
	  " contended            address   symbol\n\n"
	  "         3   0000000000004000   a_lock (mutex)\n"
	  "         1   0000000000004008   a_lock+0x8 (rwsem)\n" },
	{ "cgroups, without a heading",
	  LOCK_CONTENTION,
	  LOCK_BY_CGROUP,
	  "contended",
	  "contended",
	  { .quiet = true },
	  "         3   /app\n         1   8\n" },
	{ "call chains",
	  LOCK_CONTENTION,
	  LOCK_BY_CHAIN,
	  "contended",
	  "contended",
	  { .entries = 1 },
	  " contended         type   caller\n\n"
	  "         3        mutex   asker+0x10\n"
	  "\t\t\t0x2004  __mutex_lock.constprop.0+0x4\n\t\t\t0x1010  asker+0x10\n"
	  "\t\t\t0x9999  0x9999\n" },
	{ "for programs",
	  LOCK_CONTENTION,
	  LOCK_BY_TASK,
	  "contended",
	  "contended",
	  { .separator = "," },
	  "# output: contended, pid, comm\n3, 5, \"a,\\x1bb\"\n1, 6, \"a,\\x1bb\"\n" },
	{ "call chains for programs",
	  LOCK_CONTENTION,
	  LOCK_BY_CHAIN,
	  "wait_max",
	  "wait_max",
	  { .separator = ";", .entries = 1 },
	  "# output: max wait; type; caller; stacktrace\n"
	  "90000000000; rwsem:R; Unknown; __mutex_lock.constprop.0+0x4:asker+0x10:0x9999\n" },
	{ "report",
	  LOCK_REPORT,
	  LOCK_BY_ADDRESS,
	  "acquired,wait_min",
	  "acquired",
	  { 0 },
	  "                Name   acquired     min wait \n\n"
	  " of_lockdep_with_...          9         0 ns \n"
	  "          asker+0x10          3       100 ns \n"
	  "             Unknown          1      1.50 m  \n" },
};

static void test_tables(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct lock_show s = tables[i].show;
		struct strbuf out = STRBUF_INIT;
		struct err err = { 0 };

		s.view = tables[i].view;
		s.by = tables[i].by;
		if (tables[i].fields)
			assert_int_equal(lock_fields_parse(&s, tables[i].fields, &err), 0);
		assert_int_equal(lock_key_parse(&s, tables[i].key, &err), 0);
		assert_int_equal(lock_show_settle(&s, &err), 0);
		lock_put_table(&(struct lock_table){ &s, &words, rows, ARRAY_SIZE(rows), { 0 } },
			       &out);
		if (strcmp(strbuf_str(&out), tables[i].want))
			fail_msg("%s:\n%s", tables[i].name, strbuf_str(&out));
		strbuf_release(&out);
	}
}

static void test_times(void **state)
{
	static const struct {
		u64 ns;
		const char *want;
	} times[] = {
		{ 0, "        0 ns" },
		{ 999, "      999 ns" },
		{ 1000, "     1.00 us" },
		{ 1234567, "     1.23 ms" },
		{ 2000000000, "     2.00 s " },
		{ 90000000000, "     1.50 m " },
		{ 7200000000000, "     2.00 h " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		struct strbuf out = STRBUF_INIT;

		lock_put_time(times[i].ns, &out);
		assert_string_equal(strbuf_str(&out), times[i].want);
		strbuf_release(&out);
	}
}

static void test_map(void **state)
{
	const struct lock_show s = LOCK_SHOW(LOCK_INFO);
	struct strbuf out = STRBUF_INIT;

	lock_put_map(&(struct lock_table){ &s, &words, rows, ARRAY_SIZE(rows), { 0 } }, &out);
	assert_string_equal(strbuf_str(&out), "Address of instance: name of class\n"
					      " 0x10: of_lockdep_with_a_name\n"
					      " 0x4000: asker+0x10\n 0x4008: Unknown\n");
	strbuf_release(&out);
}

/* ---- choices ---- */

static void test_choices(void **state)
{
	struct lock_show s = LOCK_SHOW(LOCK_CONTENTION);
	struct err err = { 0 };
	struct strbuf text = STRBUF_INIT;

	assert_int_equal(lock_types_parse(&s, "rwsem, mutex,pcpu-sem:W", &err), 0);
	assert_int_equal(s.types, 1U << LOCK_RWSEM_R | 1U << LOCK_RWSEM_W | 1U << LOCK_MUTEX |
					  1U << LOCK_PERCPU_SEM_W);
	assert_int_equal(lock_types_parse(&s, "rw", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "'rw'"));
	assert_non_null(strstr(err.msg, "rwsem:R"));
	assert_int_equal(lock_fields_parse(&s, "acquired", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "There are contended, avg_wait"));
	assert_int_equal(lock_key_parse(&s, "", &err), -EINVAL);
	for (const char *const *bad = (const char *const[]){ "", "a", ":", ",x", NULL }; *bad;
	     bad++) {
		s.separator = *bad;
		assert_int_equal(lock_show_settle(&s, &err), -EINVAL);
	}
	lock_type_words(&text);
	assert_string_equal(strbuf_str(&text),
			    "semaphore spinlock rwlock rwlock:R rwlock:W rwsem rwsem:R rwsem:W "
			    "rt-mutex rwlock-rt rwlock-rt:R rwlock-rt:W pcpu-sem pcpu-sem:R "
			    "pcpu-sem:W mutex");
	strbuf_release(&text);
}

/* ---- callers ---- */

static void test_callers(void **state)
{
	static const u64_una ips[] = { 0x2004, 0x5000, 0x3005, 0x1010 };
	struct lock_code c = { .words = &words };

	/* A clone of a function counts, and one that begins alike does not. */
	assert_int_equal(lock_code_caller(&c, ips, 4), 0x5000);
	assert_int_equal(lock_code_caller(&c, ips, 1), 0);
	c.from[1] = 0x3000;
	c.to[1] = 0x5001;
	assert_int_equal(lock_code_caller(&c, ips, 4), 0x1010);
	c.skip = 2;
	c.from[1] = 0;
	assert_int_equal(lock_code_caller(&c, ips, 4), 0x3005);
	c.skip = 5;
	assert_int_equal(lock_code_caller(&c, ips, 4), 0);
}

static void test_filters(void **state)
{
	static const u64_una ips[] = { 0x2004, 0x1010 };
	struct name_list l = { 0 };
	struct err err = { 0 };

	name_list_parse(&l, "0x10,a_lock,/app,ask", "test", &err);
	assert_true(lock_is_listed(&words, &l, 0x10, ""));
	assert_true(lock_is_listed(&words, &l, 0x4010, ""));
	assert_false(lock_is_listed(&words, &l, 0x4010, "other"));
	assert_false(lock_is_listed(&words, &l, 0x20, ""));
	assert_true(lock_stack_matches(&words, &l, ips, 2));
	assert_false(lock_stack_matches(&words, &l, ips, 1));
	assert_true(lock_cgroup_is_listed(&l, "/app"));
	assert_true(lock_cgroup_is_listed(&l, "/app/part"));
	assert_false(lock_cgroup_is_listed(&l, "/apple"));
	assert_false(lock_cgroup_is_listed(&l, "/"));
	name_list_release(&l);
	name_list_parse(&l, "/", "test", &err);
	assert_true(lock_cgroup_is_listed(&l, "/app"));
	name_list_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),  cmocka_unit_test(test_times),
		cmocka_unit_test(test_map),     cmocka_unit_test(test_choices),
		cmocka_unit_test(test_callers), cmocka_unit_test(test_filters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
