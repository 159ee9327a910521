// SPDX-License-Identifier: GPL-2.0-or-later
/* Test values of options of perf trace. */
#include "base/compat.h"
#include "tracerun/values.h"

#include <errno.h>

#include <setjmp.h>
#include <cmocka.h>

static void assert_refused(trace_read_fn *read, const char *text, const char *why)
{
	struct trace_asked a = { 0 };
	struct err err = { 0 };

	assert_int_equal(read(&a, text, &err), -EINVAL);
	assert_string_equal(err.msg, why);
}

static void test_columns(void **state)
{
	struct trace_asked a = { 0 };
	struct err err = { 0 };

	assert_int_equal(trace_read_columns(&a, "p50,wall,p99.9", &err), 0);
	assert_int_equal(a.nr_quantiles, 2);
	assert_int_equal(a.quantiles[0], 500000);
	assert_int_equal(a.quantiles[1], 999000);
	assert_true(a.wall);
	assert_int_equal(trace_read_columns(&a, NULL, &err), 0);
	assert_int_equal(a.nr_quantiles, 0);
	assert_false(a.wall);
	assert_refused(trace_read_columns, "p50,50",
		       "--summary: '50' is no list of at most 8 parts like p50,p99.9,wall");
	assert_refused(trace_read_columns, "p101",
		       "--summary: 'p101' is no list of at most 8 parts like p50,p99.9,wall");
	assert_refused(trace_read_columns, "p1,p2,p3,p4,p5,p6,p7,p8,p9",
		       "--summary: 'p9' is no list of at most 8 parts like p50,p99.9,wall");
	assert_refused(trace_read_columns, "walls",
		       "--summary: 'walls' is no list of at most 8 parts like p50,p99.9,wall");
}

static void test_words(void **state)
{
	struct trace_asked a = { 0 };
	struct err err = { 0 };

	assert_int_equal(trace_read_faults(&a, "all", &err), 0);
	assert_int_equal(a.faults, TRACE_FAULTS_MAJOR | TRACE_FAULTS_MINOR);
	assert_int_equal(trace_read_faults(&a, NULL, &err), 0);
	assert_int_equal(a.faults, 0);
	assert_refused(trace_read_faults, "both", "-F: 'both' is none of all, maj, min");
	assert_int_equal(trace_read_mode(&a, "cgroup", &err), 0);
	assert_int_equal(a.mode, TRACE_BY_CGROUP);
	assert_int_equal(trace_read_mode(&a, NULL, &err), 0);
	assert_int_equal(a.mode, TRACE_BY_THREAD);
	assert_refused(trace_read_mode, "task",
		       "--summary-mode: 'task' is none of thread, total, cgroup");
}

static void test_numbers(void **state)
{
	const struct sysargs_view usual = SYSARGS_VIEW_DEFAULT;
	struct trace_asked a = { 0 };
	struct err err = { 0 };

	assert_int_equal(trace_read_duration(&a, "1.5", &err), 0);
	assert_int_equal(a.least_ns, 1500000);
	assert_int_equal(trace_read_duration(&a, NULL, &err), 0);
	assert_int_equal(a.least_ns, 0);
	assert_refused(trace_read_duration, "-1", "--duration: '-1' is no number of milliseconds");
	assert_refused(trace_read_duration, "1s", "--duration: '1s' is no number of milliseconds");
	assert_int_equal(trace_read_string_len(&a, "7", &err), 0);
	assert_int_equal(a.look.view.string_len, 7);
	assert_int_equal(trace_read_string_len(&a, NULL, &err), 0);
	assert_int_equal(a.look.view.string_len, usual.string_len);
	assert_refused(trace_read_string_len, "-1", "--string-len: '-1' is no number of bytes");
	assert_refused(trace_read_string_len, "4294967296",
		       "--string-len: '4294967296' is no number of bytes");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
