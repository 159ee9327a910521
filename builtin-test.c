// SPDX-License-Identifier: GPL-2.0-or-later
/* perf test: run the suites that ship in the binary (tests/suites), and the built-in workloads
 * (tests/workloads). */
#include "base/compat.h"

#include "builtin.h"
#include "cmd/common/usage.h"
#include "cmd/common/message.h"
#include "cmd/common/settings.h"
#include "base/alloc.h"
#include "base/pool.h"
#include "selftest/scripts.h"
#include "selftest/selftest.h"
#include "tests/suites/suites.h"
#include "tests/workloads/workloads.h"

#include <errno.h>
#include <unistd.h>

/* A case that takes longer has failed. */
#define CASE_SECONDS 120

static int print_workloads(void)
{
	for (size_t i = 0; i < nr_workloads; i++)
		puts(workloads[i].name);
	return 0;
}

static int run_workload(const char *name, int argc, const char **argv)
{
	const struct workload *w = workload_find(name);

	if (w)
		return w->run(argc, argv);
	fprintf(stderr, "No workload found: %s\n", name);
	return -1;
}

static int list_suites(const struct selftest *t)
{
	struct strbuf text = STRBUF_INIT;

	selftest_list(t, &text);
	fputs(strbuf_str(&text), stderr);
	strbuf_release(&text);
	return 0;
}

/* Write the results as JUnit XML to the file of --junit. Return: 0, or -1 after a message. */
static int write_junit(const char *path, const struct selftest_results *all)
{
	struct strbuf sb = STRBUF_INIT;
	FILE *f = fopen(path, "we");
	bool ok;

	selftest_junit(all, &sb);
	ok = f && fwrite(sb.buf, 1, sb.len, f) == sb.len;
	if (f && fclose(f))
		ok = false;
	strbuf_release(&sb);
	if (!ok)
		error("cannot write '%s': %s", path, err_str(-errno));
	return ok ? 0 : -1;
}

/* Run the suites @runs times, the outcomes of all of which are written. */
static int run_suites(const struct selftest *t, unsigned int runs, const char *junit)
{
	struct selftest_results all = { 0 };
	struct err err = { 0 };
	int ret = 0;

	for (unsigned int i = 0; i < runs && !ret; i++)
		ret = selftest_run(t, &all, &err);

	if (ret) {
		error("%s", err.msg);
		return -1;
	}
	if (junit)
		ret = write_junit(junit, &all);
	if (all.failed)
		ret = 1;
	selftest_results_release(&all);
	return ret;
}

/* The tests are those of the binary, and scripts in the folder of programs that are commands. */
static int run_or_list(struct selftest *t, int argc, const char **argv, unsigned int runs,
		       const char *junit)
{
	bool list = argc && !strcmp(argv[0], "list");
	char *dir = xasprintf("%s/tests/shell", exec_path());
	struct test_suites suites;
	int ret;

	test_suites_init(&suites, test_suites, nr_test_suites, dir);
	t->suites = suites.v;
	t->nr_suites = suites.nr;
	t->words = argv + list;
	t->nr_words = (size_t)(argc - list);
	ret = list ? list_suites(t) : run_suites(t, runs, junit);
	test_suites_release(&suites);
	free(dir);
	return ret;
}

int cmd_test(int argc, const char **argv)
{
	struct selftest t = {
		.seconds = CASE_SECONDS,
		.color = isatty(STDERR_FILENO),
		.out = &stderr_notices,
	};
	const char *workload = NULL, *junit = NULL;
	bool list_workloads = false, sequential = false, parallel = false;
	unsigned int runs = 1;
	int verbose = 0;
	const struct option options[] = {
		OPT_STRING('s', "skip", &t.skip, "tests", "tests to skip"),
		OPT_INCR('v', "verbose", &verbose, "be more verbose (show symbol address, etc)"),
		OPT_BOOLEAN('F', "dont-fork", &t.here, "Do not fork for testcase"),
		OPT_BOOLEAN('p', "parallel", &parallel, "run several tests at the same time"),
		OPT_BOOLEAN('S', "sequential", &sequential,
			    "run the tests one after the other (default)"),
		OPT_UINTEGER('r', "runs-per-test", &runs, "run each test that many times"),
		OPT_STRING('w', "workload", &workload, "work", "workload to run for testing"),
		OPT_BOOLEAN(0, "list-workloads", &list_workloads,
			    "list the workloads that -w runs"),
		OPT_STRING('j', "junit", &junit, "file",
			   "write the results to a file as JUnit XML"),
		OPT_END(),
	};
	static const char *const usage[] = {
		"perf test [<options>] [{list <test-name-fragment>|[<test-name-fragments>|<test-numbers>]}]",
		NULL,
	};

	argc = parse_options(argc, argv, options, usage, PARSE_OPT_STOP_AT_NON_OPTION);
	if (list_workloads)
		return print_workloads();
	if (workload)
		return run_workload(workload, argc, argv);
	t.verbose = verbose;
	t.at_once = parallel && !sequential ? (u32)pool_workers() : 1;
	return run_or_list(&t, argc, argv, MAX(runs, 1U), junit);
}
