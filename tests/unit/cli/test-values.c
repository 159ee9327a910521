// SPDX-License-Identifier: GPL-2.0-or-later
/* Test values of options: what is read of them, and what is said of those that make no sense. */
#include "base/compat.h"
#include "cli/values.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_limit(void **state)
{
	static const struct {
		const char *text;
		bool grown, shrunk; /* does a change by 6 % pass, up and down? */
	} table[] = {
		{ "5", true, true },    { "5%", true, true },   { ">5", true, false },
		{ "<5%", false, true }, { ">6", false, false }, { "0", true, true },
	};
	static const char *const wrong[] = { "", ">", "-1", "5%%", "5 %", "x", "<>5" };
	struct err err = { 0 };
	struct limit l;

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		assert_int_equal(limit_parse(&l, table[i].text, &err), 0);
		assert_true(l.set);
		if (limit_passed(&l, 6) != table[i].grown ||
		    limit_passed(&l, -6) != table[i].shrunk)
			fail_msg("%s", table[i].text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(limit_parse(&l, wrong[i], &err), -EINVAL);
	assert_string_equal(err.msg, "invalid limit '<>5': say '>5%' (grew by more), '<5%' (shrank "
				     "by more) or '5%'");
}

static void test_percent(void **state)
{
	struct err err = { 0 };
	double percent;

	assert_int_equal(percent_parse(&percent, "2.5%", &err), 0);
	assert_true(percent == 2.5);
	assert_int_equal(percent_parse(&percent, ">5", &err), -EINVAL);
	assert_string_equal(err.msg, "invalid limit '>5': give a number of percent");
}

static void test_percentage(void **state)
{
	struct err err = { 0 };
	bool relative = false;

	assert_int_equal(percentage_parse(&relative, "relative", &err), 0);
	assert_true(relative);
	assert_int_equal(percentage_parse(&relative, "absolute", &err), 0);
	assert_false(relative);
	assert_int_equal(percentage_parse(&relative, "relativ", &err), -EINVAL);
	assert_string_equal(err.msg, "invalid --percentage 'relativ': say relative or absolute");
}

static void test_quantum(void **state)
{
	static const char *const wrong[] = { "", "0ms", "10", "ms", "10m", "20000000000s" };
	struct err err = { 0 };
	u64 ns;

	assert_int_equal(quantum_parse(&ns, "10ms", &err), 0);
	assert_int_equal(ns, 10000000);
	assert_int_equal(quantum_parse(&ns, "3s", &err), 0);
	assert_int_equal(ns, 3000000000);
	assert_int_equal(quantum_parse(&ns, "7ns", &err), 0);
	assert_int_equal(ns, 7);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(quantum_parse(&ns, wrong[i], &err), -EINVAL);
		assert_int_equal(ns, 0);
	}
}

static void test_widths(void **state)
{
	struct err err = { 0 };
	u16 w[3] = { 1, 1, 1 };

	assert_int_equal(widths_parse(w, 3, "8,,4096", &err), 0);
	assert_int_equal(w[0], 8);
	assert_int_equal(w[1], 0);
	assert_int_equal(w[2], 4096);
	assert_int_equal(widths_parse(w, 2, "5,6,none", &err), 0);
	assert_int_equal(w[1], 6);
	assert_int_equal(w[2], 4096);
	assert_int_equal(widths_parse(w, 3, "8,4097", &err), -EINVAL);
	assert_string_equal(err.msg, "invalid column width '4097'");
	assert_int_equal(widths_parse(w, 3, "8;9", &err), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limit),      cmocka_unit_test(test_percent),
		cmocka_unit_test(test_percentage), cmocka_unit_test(test_quantum),
		cmocka_unit_test(test_widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
