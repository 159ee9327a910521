// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what lists of calls and events choose, and the filters that they become in the kernel. */
#include "base/compat.h"
#include "base/alloc.h"
#include "tmp-tree.h"
#include "tracerun/events.h"
#include "tracerun/select.h"

#include <elf.h>
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),       cmocka_unit_test(test_near),
		cmocka_unit_test(test_long_filter), cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
