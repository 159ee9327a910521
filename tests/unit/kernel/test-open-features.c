// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "kernel/open-features.h"

static void test_used(void **state)
{
	struct perf_event_attr a = { .size = ATTR_SIZE };

	(void)state;
	for (u32 bit = 1; bit < MISSING_LAST; bit <<= 1)
		assert_int_equal(features_used(&a, bit), bit == MISSING_CLOEXEC);
	a.ksymbol = 1;
	assert_true(features_used(&a, MISSING_KSYMBOL));
	assert_false(features_used(&a, MISSING_BPF_EVENT));
	a.sample_type = PERF_SAMPLE_CODE_PAGE_SIZE;
	assert_true(features_used(&a, MISSING_PAGE_SIZE));
	a.exclude_host = 1;
	assert_true(features_used(&a, MISSING_EXCLUDE_GUEST));
}

static void test_left_out_alone(void **state)
{
	struct perf_event_attr a = { .mmap = 1,
				     .mmap2 = 1,
				     .comm_exec = 1,
				     .use_clockid = 1,
				     .clockid = 1,
				     .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CGROUP,
				     .cgroup = 1 };

	(void)state;
	features_leave_out(&a, MISSING_MMAP2 | MISSING_CLOCKID | MISSING_CGROUP);
	assert_true(a.mmap && a.comm_exec);
	assert_false(a.mmap2 || a.use_clockid || a.clockid || a.cgroup);
	assert_int_equal(a.sample_type, PERF_SAMPLE_IP);
}

static void test_weight_becomes_the_plain_one(void **state)
{
	struct perf_event_attr a = { .sample_type = PERF_SAMPLE_WEIGHT_STRUCT };

	(void)state;
	features_leave_out(&a, MISSING_WEIGHT_STRUCT);
	assert_int_equal(a.sample_type, PERF_SAMPLE_WEIGHT);
	a.sample_type = PERF_SAMPLE_IP;
	features_leave_out(&a, MISSING_WEIGHT_STRUCT);
	assert_int_equal(a.sample_type, PERF_SAMPLE_IP);
}

static void test_identifier_of_counts(void **state)
{
	struct perf_event_attr a = { .sample_type = PERF_SAMPLE_IDENTIFIER };

	(void)state;
	assert_true(features_used(&a, MISSING_IDENTIFIER));
	features_leave_out(&a, MISSING_IDENTIFIER);
	assert_int_equal(a.sample_type, 0);
	a.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
	a.sample_period = 1;
	assert_false(features_used(&a, MISSING_IDENTIFIER));
	features_leave_out(&a, MISSING_IDENTIFIER);
	assert_int_equal(a.sample_type, PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP);
}

static void test_told(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	(void)state;
	features_told(MISSING_KSYMBOL | MISSING_CLOEXEC | MISSING_BUILD_ID, &sb);
	assert_string_equal(strbuf_str(&sb), "");
	features_told(MISSING_CGROUP | MISSING_KSYMBOL | MISSING_NAMESPACES, &sb);
	assert_string_equal(strbuf_str(&sb),
			    "--all-cgroups (since Linux 5.7), --namespaces (since Linux 4.12)");
	strbuf_release(&sb);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_used),
		cmocka_unit_test(test_left_out_alone),
		cmocka_unit_test(test_weight_becomes_the_plain_one),
		cmocka_unit_test(test_identifier_of_counts),
		cmocka_unit_test(test_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
