// SPDX-License-Identifier: GPL-2.0-or-later
/* Test limits of changes: which changes of compared commands pass them. */
#include "base/compat.h"
#include "stat/compare-limits.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Three measurements of the same. */
static struct spread measured(double mean, double error)
{
	struct spread s = { 0 };

	spread_add(&s, mean - error);
	spread_add(&s, mean);
	spread_add(&s, mean + error);
	return s;
}

static void test_compared(void **state)
{
	char *const commands[] = { (char *)"old", (char *)"new" };
	struct compare_row rows[] = { { .name = "cs" }, { .name = "faults" } };
	const struct compare_table t = { .commands = commands,
					 .nr_commands = 2,
					 .rows = rows,
					 .nr_rows = 2,
					 .confidence = 0.95 };
	struct compare_limits c = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct err err = { 0 };

	rows[0].of[0] = measured(100, 1);
	rows[0].of[1] = measured(120, 1);
	rows[1].of[0] = measured(100, 50); /* what differs here is chance */
	rows[1].of[1] = measured(120, 50);

	assert_int_equal(compare_limits_add(&c, ">x", &err), -EINVAL);
	assert_int_equal(compare_limits_add(&c, ">30", &err), 0);
	assert_int_equal(compare_limits_add(&c, "faults:>1", &err), 0);
	assert_int_equal(compare_limits_check(&c, &t, &err), 0);
	assert_false(compare_limits_passed(&c, &t, &out));
	assert_int_equal(out.len, 0);
	assert_int_equal(compare_limits_add(&c, "cs:10%", &err), 0);
	assert_true(compare_limits_passed(&c, &t, &out));
	assert_string_equal(strbuf_str(&out),
			    "cs: 100 -> 120 (+20.00%) in 'new': more than 10% and than chance\n");
	assert_int_equal(compare_limits_add(&c, "nosuch:<3", &err), 0);
	assert_int_equal(compare_limits_check(&c, &t, &err), -EINVAL);
	assert_string_equal(err.msg, "--fail-if: 'nosuch' is not counted");
	compare_limits_release(&c);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
