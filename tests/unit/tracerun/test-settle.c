// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what follows from options of perf trace together. */
#include "base/compat.h"
#include "tracerun/settle.h"

#include "sysargs/sysargs.h"

#include <errno.h>

#include <setjmp.h>
#include <cmocka.h>

static void assert_refused(const struct trace_asked *a, bool stacks, const char *why)
{
	struct sysargs_abi abi = trace_programs("x86_64");
	struct sysargs *sa = sysargs_new(&abi, NULL);
	struct err err = { 0 };

	assert_int_equal(trace_check(a, sa, stacks, &err), why ? -EINVAL : 0);
	if (why)
		assert_string_equal(err.msg, why);
	sysargs_free(sa);
}

static void test_check(void **state)
{
	struct trace_asked a = { .errnos = true };

	assert_refused(&a, false, "--errno-summary: use it with -s or -S");
	a.summary = true;
	assert_refused(&a, false, NULL);
	a = (struct trace_asked){ .interval_ms = 100 };
	assert_refused(&a, false, "-I: use it with -s or -S");
	a = (struct trace_asked){ .hist = "read" };
	assert_refused(&a, false, "--hist: use it with -s or -S");
	a.summary = true;
	assert_refused(&a, false, NULL);
	a.hist = "nothing";
	assert_refused(&a, false, "--hist: there is no system call 'nothing'");
	a = (struct trace_asked){ .look.json = true };
	assert_refused(&a, false, NULL);
	assert_refused(&a, true,
		       "--json: use it without --print-sample, --call-graph and --tool_stats");
	a = (struct trace_asked){ .form = TABLE_CSV, .summary = true };
	assert_refused(&a, false, NULL);
	a.lines = true;
	assert_refused(&a, false, "--csv: it is about the tables of -s alone");
}

static void test_leave_out(void **state)
{
	struct int_list named = { 0 }, out = { 0 };
	const struct sysroot here = { 0 };
	struct err err = { 0 };

	assert_int_equal(trace_leave_out(&named, NULL, false, &here, &out, &err), 0);
	assert_int_equal(out.nr, 0);
	assert_int_equal(trace_leave_out(&named, "12,7", false, &here, &out, &err), 0);
	assert_int_equal(out.nr, 2);
	assert_int_equal(out.v[0], 12);
	assert_int_equal(out.v[1], 7);
	assert_int_not_equal(trace_leave_out(&named, "x", false, &here, &out, &err), 0);
	int_list_release(&named);
	int_list_release(&out);
}

static void test_sampling(void **state)
{
	struct trace_asked a = { .faults = 1, .min_stack = 3 };
	struct sample_opts s = { 0 };

	trace_settle_sampling(&a, &s);
	assert_true(s.raw && s.time && s.addr && !s.cpu && !s.cgroups);
	assert_int_equal(s.count, 1);
	assert_int_equal(s.callgraph, CALLGRAPH_DWARF);
	assert_true(a.chains);
	a = (struct trace_asked){ .summary = true, .mode = TRACE_BY_CGROUP, .look.json = true };
	s = (struct sample_opts){ 0 };
	trace_settle_sampling(&a, &s);
	assert_true(s.cgroups && s.cpu && !s.addr && !a.chains);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_leave_out),
		cmocka_unit_test(test_sampling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
