// SPDX-License-Identifier: GPL-2.0-or-later
/* Test amounts with units: sizes, spans of time, durations, seconds. */
#include "base/compat.h"
#include "base/units.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_sizes(void **state)
{
	u64 n = 0;

	assert_true(size_parse("4K", &n));
	assert_int_equal(n, 4096);
	assert_true(size_parse("3G", &n));
	assert_int_equal(n, 3ULL << 30);
	assert_true(size_parse("7B", &n));
	assert_int_equal(n, 7);
	assert_false(size_parse("7", &n));
	assert_false(size_parse("K", &n));
	assert_false(size_parse("-1K", &n));
	assert_false(size_parse("1KB", &n));
	assert_false(size_parse("99999999999999999999G", &n));
	/* a size that has no room in 64 bits */
	assert_false(size_parse("17179869184G", &n));
	assert_true(bytes_parse("7", &n));
	assert_int_equal(n, 7);
	assert_true(bytes_parse("2M", &n));
	assert_int_equal(n, 2 << 20);
	assert_false(bytes_parse("", &n));
}

static void test_spans(void **state)
{
	static const char *const none[] = { "",
					    "s",
					    "10",
					    "-1s",
					    "1.5h",
					    "1ms",
					    "10s ",
					    "99999999999999999999d",
					    "213503982335d" };
	u64 ms = 0;

	assert_true(span_parse("10s", &ms));
	assert_int_equal(ms, 10000);
	assert_true(span_parse("2m", &ms));
	assert_int_equal(ms, 120000);
	assert_true(span_parse("1h", &ms));
	assert_int_equal(ms, 3600000);
	assert_true(span_parse("0d", &ms));
	assert_int_equal(ms, 0);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		assert_false(span_parse(none[i], &ms));
}

static void test_durations(void **state)
{
	static const char *const none[] = { "", "x", "ms", "-1", "1m", "1 ms", "1e30", "5ms5" };
	u64 ns = 0;

	assert_true(duration_parse("2", &ns));
	assert_int_equal(ns, 2000000);
	assert_true(duration_parse("0.5ms", &ns));
	assert_int_equal(ns, 500000);
	assert_true(duration_parse("30us", &ns));
	assert_int_equal(ns, 30000);
	assert_true(duration_parse("7ns", &ns));
	assert_int_equal(ns, 7);
	assert_true(duration_parse("1s", &ns));
	assert_int_equal(ns, 1000000000);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		assert_false(duration_parse(none[i], &ns));
}

static void test_seconds(void **state)
{
	static const char *const none[] = { "", "s", "1s", "0", "-1", "10.5", "nan", "inf" };
	double s = 0;

	assert_true(seconds_parse("0.5", 0.5, 10, &s));
	assert_true(s == 0.5);
	assert_true(seconds_parse("10", 0.5, 10, &s));
	assert_true(s == 10);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		assert_false(seconds_parse(none[i], 0.5, 10, &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
