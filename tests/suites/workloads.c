// SPDX-License-Identifier: GPL-2.0-or-later
/* Each built-in workload ends well and in time, and refuses what it cannot do. */
#include "base/compat.h"

#include "base/alloc.h"
#include "suites.h"
#include "tests/workloads/workloads.h"

#include <unistd.h>

static int ends_well(const char *name, const char *a, const char *b)
{
	struct test_run run;
	int ret = TEST_PERF(&run, "test", "-w", name, a, b);

	strbuf_release(&run.out);
	if (ret)
		return ret;
	TEST_CHECK(run.status == 0, "workload %s ended with status %d", name, run.status);
	return TEST_OK;
}

/* The first argument of each that makes it short; NULL when it takes none. */
static int test_all_end(struct test_ctx *ctx __unused)
{
	char *dir = test_tmpdir();
	int ret = TEST_OK;

	TEST_CHECK(dir, "no temporary folder");
	for (size_t i = 0; i < nr_workloads && !ret; i++) {
		const struct workload *w = &workloads[i];
		const char *second = NULL, *first = "0.02";

		if (strstr(w->args, "[LOOPS]"))
			first = "100";
		else if (strstr(w->args, "[THREADS]"))
			first = "3", second = "0.02";
		else if (strstr(w->args, "[DIRECTORY]"))
			second = dir;
		ret = ends_well(w->name, *w->args ? first : NULL, second);
	}
	test_rmdir(dir);
	return ret;
}

static int test_bad_args(struct test_ctx *ctx __unused)
{
	static const char *const bad[][2] = {
		{ "noploop", "-1" },         { "noploop", "x" },  { "noploop", "nan" },
		{ "thloop", "0" },           { "brstack", "1x" }, { "traploop", "" },
		{ "no_such_workload", "1" },
	};
	struct test_run run;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		int ret = TEST_PERF(&run, "test", "-w", bad[i][0], bad[i][1]);

		strbuf_release(&run.out);
		if (ret)
			return ret;
		TEST_CHECK(run.status > 0, "%s '%s' ended with status %d", bad[i][0], bad[i][1],
			   run.status);
	}
	return TEST_OK;
}

static const struct test_case cases[] = {
	{ "each ends by itself", test_all_end },
	{ "bad arguments are refused", test_bad_args },
};
TEST_SUITE(suite_workloads, "Workloads", cases, "selftest");
