// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the scripts that come with perf: their list, and which commands do what is asked for. */
#include "base/compat.h"
#include "script/standard.h"

#include "base/alloc.h"
#include "tmp-tree.h"

#include <errno.h>

#include <setjmp.h>
#include <cmocka.h>

#define BIN "scripts/python/bin/"

static int setup(void **state)
{
	char *dir = tmp_dir();

	tree_put(dir, BIN "count-record", "#!/bin/sh\nperf record $@\n");
	tree_put(dir, BIN "count-report",
		 "#!/bin/sh\n# description: counts of it\n# args: <comm> [interval]\n");
	tree_put(dir, BIN "showtop-record", "perf record $@\n");
	tree_put(dir, BIN "showtop-report", "# args: [interval]\n");
	tree_put(dir, BIN "look-report", "perf script $@\n");
	*state = dir;
	return 0;
}

static int teardown(void **state)
{
	tmp_remove(*state);
	return 0;
}

static void test_list(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };

	assert_int_equal(standard_list(*state, &text, &err), 0);
	assert_string_equal(strbuf_str(&text),
			    "List of available trace scripts:\n"
			    "  count <comm> [interval]              counts of it\n"
			    "  look                                 \n"
			    "  showtop [interval]                   \n");
	strbuf_release(&text);
	assert_int_equal(standard_list("/nonexistent", &text, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "PERF_EXEC_PATH"));
}

/* Check the words of a command behind the name of its script; @want: "": there is no command */
static void check_command(const struct standard_command *c, const char *want)
{
	struct strbuf have = STRBUF_INIT;

	if (c->v) {
		assert_string_equal(c->v[0], "/bin/sh");
		assert_null(c->v[c->nr]);
		strbuf_addstr(&have, strrchr(c->v[1], '/') + 1);
	}
	for (size_t i = 2; i < c->nr; i++)
		strbuf_addf(&have, " %s", c->v[i]);
	assert_string_equal(strbuf_str(&have), want);
	strbuf_release(&have);
}

static void test_plans(void **state)
{
	static const struct {
		const char *argv[6], *input, *record, *report;
	} cases[] = {
		{ { "record", "count", "-a", "sleep" }, NULL, "count-record -a sleep", "" },
		{ { "report", "count", "cc1" }, NULL, "", "count-report cc1" },
		{ { "report", "look" }, "x.data", "", "look-report -i x.data" },
		{ { "count", "cc1", "-a" },
		  NULL,
		  "count-record -q -o - -a",
		  "count-report -i - cc1" },
		{ { "showtop", "5", "x" },
		  NULL,
		  "showtop-record -q -o -",
		  "showtop-report -i - 5 x" },
		{ { "elsewhere", "-x" }, NULL, "", "" },
		{ { "../bin/count", "x" }, NULL, "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char **argv = (const char **)(uintptr_t)cases[i].argv;
		struct standard_plan plan;
		struct err err = { 0 };
		int argc = 0;

		while (argv[argc])
			argc++;
		assert_int_equal(standard_plan(*state, argc, argv, cases[i].input, &plan, &err), 0);
		check_command(&plan.record, cases[i].record);
		check_command(&plan.report, cases[i].report);
		standard_plan_release(&plan);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *argv[4];
		int code;
		const char *why;
	} cases[] = {
		{ { "record", "look" }, -ENOENT, "a valid record script" },
		{ { "report", "nothing" }, -ENOENT, "a valid report script" },
		{ { "report" }, -ENOENT, "a valid report script" },
		{ { "count" }, -EINVAL, "count wants arguments: <comm> [interval]" },
		{ { "look" }, -EINVAL, "look has no script that records" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char **argv = (const char **)(uintptr_t)cases[i].argv;
		struct standard_plan plan;
		struct err err = { 0 };

		assert_int_equal(standard_plan(*state, argv[1] ? 2 : 1, argv, NULL, &plan, &err),
				 cases[i].code);
		assert_non_null(strstr(err.msg, cases[i].why));
		standard_plan_release(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_list, setup, teardown),
		cmocka_unit_test_setup_teardown(test_plans, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
