// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what lists of calls and events choose, and the filters that they become in the kernel. */
#include "base/compat.h"
#include "base/alloc.h"
#include "tmp-tree.h"
#include "tracerun/arg-filter.h"
#include "tracerun/events.h"
#include "tracerun/select.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

static struct sysargs *calls(void)
{
	const struct sysargs_abi abi = { .machine = EM_X86_64 };
	struct err err = { 0 };
	struct sysargs *sa = sysargs_new(&abi, &err);

	assert_non_null(sa);
	return sa;
}

static const struct {
	const char *list;
	bool refused, given;
	const char *filter, *events;
} lists[] = {
	{ "", false, false, "", "" },
	{ "read", false, true, "id == 0", "" },
	{ "read,write,open,dup2", false, true, "(id >= 0 && id <= 2) || id == 33", "" },
	{ "!read", false, true, "id != 0", "" },
	{ "!write,open", false, true, "(id < 1 || id > 2)", "" },
	{ "dup*", false, true, "(id >= 32 && id <= 33) || id == 292", "" },
	{ "copies", false, true, "(id >= 32 && id <= 33)", "" },
	{ "!copies", false, true, "(id < 32 || id > 33)", "" },
	{ "../copies", false, false, "", "../copies" },
	{ "cpu-clock", false, false, "", "cpu-clock" },
	{ "sched:*,read,{a,b}:S,msr/tsc,x=1/u", false, true, "id == 0",
	  "sched:*,{a,b}:S,msr/tsc,x=1/u" },
	{ ",,read,,", false, true, "id == 0", "" },
	{ "!nosuch", true, true, "", "" },
	{ "!", false, true, "", "" },
	{ "empty", false, true, "id == -2", "" },
};

static void test_lists(void **state)
{
	char *root = tmp_dir();
	const char *const folders[] = { root, NULL };
	const struct trace_groups groups = { folders };
	struct sysargs *sa = calls();

	tree_put(root, "copies", "# a comment\ndup   # why\n dup3\ndup2\nnosuchcall\n");
	tree_put(root, "empty", "\n");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		struct trace_select s = { 0 };
		struct strbuf filter = STRBUF_INIT;
		struct err err = { 0 };
		bool *wanted;
		int rc = trace_select_add(&s, lists[i].list, sa, &groups, &err);

		if (!rc != !lists[i].refused || s.given != lists[i].given)
			fail_msg("%s: %d %s", lists[i].list, rc, err.msg);
		wanted = trace_select_numbers(&s, sa);
		if (!rc) {
			trace_call_filter(&filter, wanted, sysargs_nr(sa));
			if (strcmp(strbuf_str(&filter), lists[i].filter) ||
			    strcmp(strbuf_str(&s.events), lists[i].events))
				fail_msg("%s: %s %s", lists[i].list, strbuf_str(&filter),
					 strbuf_str(&s.events));
		}
		free(wanted);
		strbuf_release(&filter);
		trace_select_release(&s);
	}
	sysargs_free(sa);
	tmp_remove(root);
}

static void test_near(void **state)
{
	struct sysargs *sa = calls();
	struct err err = { 0 };

	assert_int_equal(trace_select_near("opennat", sa, &err), 0);
	assert_non_null(strstr(err.msg, "did you mean openat?"));
	err = (struct err){ 0 };
	assert_true(trace_select_near("sched:x", sa, &err) < 0);
	assert_int_equal(err.code, 0);
	sysargs_free(sa);
}

/* A filter that the kernel would refuse for its length is left to us. */
static void test_long_filter(void **state)
{
	bool every_second[2000];
	struct strbuf filter = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(every_second); i++)
		every_second[i] = i % 2;
	trace_call_filter(&filter, every_second, ARRAY_SIZE(every_second));
	assert_int_equal(filter.len, 0);
	trace_call_filter(&filter, NULL, 10);
	assert_int_equal(filter.len, 0);
	strbuf_release(&filter);
}

static void test_left_out(void **state)
{
	const struct perf_event_attr traced = { .type = PERF_TYPE_TRACEPOINT };
	const struct perf_event_attr other = { .type = PERF_TYPE_SOFTWARE };
	const s32 pids[] = { 5, 70 };
	struct evlist l = { 0 };

	evlist_add(&l, &traced, "a:b");
	evlist_add(&l, &traced, "a:c")->filter = xstrdup("id == 1");
	evlist_add(&l, &other, "dummy");
	trace_events_leave_out(&l, pids, ARRAY_SIZE(pids));
	assert_string_equal(l.evsels[0]->filter, "common_pid != 5 && common_pid != 70");
	assert_string_equal(l.evsels[1]->filter,
			    "(id == 1) && (common_pid != 5 && common_pid != 70)");
	assert_null(l.evsels[2]->filter);
	evlist_release(&l);
}

static void test_programs(void **state)
{
	assert_int_equal(trace_programs("x86_64").machine, EM_X86_64);
	assert_false(trace_programs("x86_64").narrow);
	assert_int_equal(trace_programs("i686").machine, EM_386);
	assert_int_equal(trace_programs("aarch64").machine, EM_AARCH64);
	assert_int_equal(trace_programs("no such machine").machine, 0);
	assert_int_not_equal(trace_programs(NULL).machine, 0);
}

static void test_arg_filters(void **state)
{
	static const struct {
		const char *call, *text, *filter; /* NULL: it is refused */
	} rows[] = {
		{ "write", "count > 100", "count > 100" },
		{ "write", "(fd==1||fd == 0x2)&& count>=3", "(fd==1||fd == 2)&& count>=3" },
		{ "openat", "flags & CREAT|EXCL", "flags & 192" },
		{ "openat", "dfd == CWD && common_pid != 7",
		  "dfd == 4294967196 && common_pid != 7" },
		{ "lseek", "whence == END", "whence == 2" },
		{ "openat", "filename ~ \"a && b*\"", "filename ~ \"a && b*\"" },
		{ "write", "cuont > 100", NULL },
		{ "write", "count > many", NULL },
		{ "write", "count", "count" }, /* the kernel refuses it */
		{ "write", "", "" },
	};
	struct sysargs *sa = calls();

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const int nr = sysargs_number(sa, rows[i].call);
		struct strbuf out = STRBUF_INIT;
		struct err err = { 0 };
		int rc = trace_arg_filter(&out, sa, sysargs_call(sa, (u32)nr), rows[i].text, &err);

		if (!rc != !!rows[i].filter || (!rc && strcmp(strbuf_str(&out), rows[i].filter)))
			fail_msg("%s: %d %s %s", rows[i].text, rc, strbuf_str(&out), err.msg);
		strbuf_release(&out);
	}
	sysargs_free(sa);
}

/* A filter is on the calls of the last list, and a second one has to let them through as well. */
static void test_filtered(void **state)
{
	struct trace_select s = { 0 };
	struct strbuf told = STRBUF_INIT;
	struct sysargs *sa = calls();
	struct err err = { 0 };

	assert_int_equal(trace_select_add(&s, "close", sa, NULL, &err), 0);
	assert_int_equal(trace_select_add(&s, "read,write", sa, NULL, &err), 0);
	assert_int_equal(trace_select_filter(&s, "count > 1", sa, &told, &err), 0);
	assert_int_equal(trace_select_filter(&s, "fd == 3", sa, &told, &err), 0);
	assert_null(trace_select_filtered(&s, "close"));
	assert_string_equal(trace_select_filtered(&s, "write"), "(count > 1) && (fd == 3)");
	assert_int_equal(trace_select_filter(&s, "fdd == 3", sa, &told, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "no argument 'fdd'"));
	trace_select_release(&s);
	assert_int_equal(trace_select_add(&s, "!read", sa, NULL, &err), 0);
	assert_int_equal(trace_select_filter(&s, "fd == 3", sa, &told, &err), -EINVAL);
	trace_select_release(&s);
	assert_int_equal(told.len, 0);
	strbuf_release(&told);
	sysargs_free(sa);
}

/* Calls that a glob has brought in are left out when the filter is not for them. */
static void test_filtered_pattern(void **state)
{
	static const struct {
		const char *list, *text, *names, *told, *err;
	} rows[] = {
		{ "open*,close", "flags & CREAT", NULL, NULL, "close has no argument 'flags'" },
		{ "dup*", "flags == CLOEXEC", "dup3",
		  "--filter 'flags == CLOEXEC' does not apply to 2 of 3 calls, which are left "
		  "out: dup, dup2\n",
		  NULL },
		{ "dup*,dup2", "flags == 0", NULL, NULL, "dup2 has no argument 'flags'" },
		{ "dup*", "count > 1", NULL, "", "dup has no argument 'count'" },
		{ "dup,dup", "fildes > 5", "dup", "", NULL },
	};
	struct sysargs *sa = calls();

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_select s = { 0 };
		struct strbuf told = STRBUF_INIT, names = STRBUF_INIT;
		struct err err = { 0 };
		int rc;

		assert_int_equal(trace_select_add(&s, rows[i].list, sa, NULL, &err), 0);
		rc = trace_select_filter(&s, rows[i].text, sa, &told, &err);
		for (size_t k = 0; k < s.nr; k++)
			strbuf_addf(&names, "%s%s", k ? "," : "", s.names[k].name);
		if (!rc != !rows[i].err || (rc && !strstr(err.msg, rows[i].err)) ||
		    (!rc && (strcmp(strbuf_str(&names), rows[i].names) ||
			     strcmp(strbuf_str(&told), rows[i].told))))
			fail_msg("%s --filter '%s': %d %s %s %s", rows[i].list, rows[i].text, rc,
				 err.msg, strbuf_str(&names), strbuf_str(&told));
		strbuf_release(&told);
		strbuf_release(&names);
		trace_select_release(&s);
	}
	sysargs_free(sa);
}

/* Calls of narrow programs have other numbers, and some have names of their own. */
static void test_narrow(void **state)
{
	static const struct {
		const char *list, *without, *with, *filtered;
	} rows[] = {
		{ "openat", "id == 257", "id == 257 || id == 295", NULL },
		{ "waitpid", "id == -2", "id == 7", NULL },
		{ "nanosleep,close", "id == 3 || id == 35",
		  "id == 3 || id == 6 || id == 35 || id == 162", NULL },
		{ "close", "id == -2", "id == -2", "fd == 7" },
		{ "!openat,preadv", "id != 257 && id != 295", "id != 295", NULL },
	};
	const struct sysargs_abi abi = { .machine = EM_X86_64 };
	struct sysargs *sa = calls();

	assert_true(trace_narrow_add(sa, &abi, arch_of("x86_64")));
	assert_true(trace_narrow_add(sa, &abi, arch_of("x86_64"))); /* it is there */
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_select s = { 0 };
		struct strbuf filter = STRBUF_INIT;
		struct err err = { 0 };

		assert_int_equal(trace_select_add(&s, rows[i].list, sa, NULL, &err), 0);
		assert_int_equal(s.events.len, 0);
		if (rows[i].filtered)
			assert_int_equal(trace_select_filter(&s, rows[i].filtered, sa, NULL, &err),
					 0);
		trace_events_numbers(&filter, &s, sa, false);
		assert_string_equal(strbuf_str(&filter), rows[i].without);
		strbuf_reset(&filter);
		trace_events_numbers(&filter, &s, sa, true);
		assert_string_equal(strbuf_str(&filter), rows[i].with);
		strbuf_release(&filter);
		trace_select_release(&s);
	}
	sysargs_free(sa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),       cmocka_unit_test(test_near),
		cmocka_unit_test(test_long_filter), cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_programs),    cmocka_unit_test(test_arg_filters),
		cmocka_unit_test(test_filtered),    cmocka_unit_test(test_filtered_pattern),
		cmocka_unit_test(test_narrow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
