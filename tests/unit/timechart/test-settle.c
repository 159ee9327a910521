// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what users' options become: forms and names of outputs, values, and what is refused. */
#include "base/compat.h"
#include "timechart/timechart.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define USUAL .width = TIMECHART_NOT_GIVEN, .least = TIMECHART_NOT_GIVEN

static void test_forms(void **state)
{
	static const struct {
		struct timechart_wish w;
		enum timechart_form form;
		const char *output;
	} rows[] = {
		{ { USUAL }, TIMECHART_SVG, "output.svg" },
		{ { USUAL, .output = "-" }, TIMECHART_SVG, "-" },
		{ { USUAL, .output = "a.html" }, TIMECHART_PAGE, "a.html" },
		{ { USUAL, .output = "dir.ctf/a.htm" }, TIMECHART_PAGE, "dir.ctf/a.htm" },
		{ { USUAL, .output = "html" }, TIMECHART_SVG, "html" },
		{ { USUAL, .page = true, .output = "a.svg" }, TIMECHART_PAGE, "a.svg" },
		{ { USUAL, .page = true }, TIMECHART_PAGE, "output.html" },
		{ { USUAL, .pftrace = true }, TIMECHART_PFTRACE, "output.pftrace" },
		{ { USUAL, .output = "a.perfetto-trace" }, TIMECHART_PFTRACE, "a.perfetto-trace" },
		{ { USUAL, .ctf = true }, TIMECHART_CTF, "output.ctf" },
		{ { USUAL, .output = "a.ctf" }, TIMECHART_CTF, "a.ctf" },
	};
	struct timechart_options o;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(timechart_settle(&rows[i].w, &o, &err), 0);
		assert_int_equal(o.form, rows[i].form);
		assert_string_equal(o.output, rows[i].output);
	}
}

static void test_values(void **state)
{
	const struct timechart_wish w = { .width = 300,
					  .least = 0,
					  .highlight = "5ms",
					  .io_least = "20",
					  .io_merge = "3us",
					  .tasks_only = true,
					  .skip_eagain = true };
	struct timechart_wish named = { USUAL, .highlight = "cc1", .power_only = true };
	struct timechart_options o;
	struct err err;

	assert_int_equal(timechart_settle(&w, &o, &err), 0);
	assert_int_equal(o.conf.width, 300);
	assert_int_equal(o.conf.least, 0);
	assert_int_equal(o.conf.long_run, 5000000);
	assert_null(o.conf.highlight);
	assert_int_equal(o.io.least, 20);
	assert_int_equal(o.io.merge, 3000);
	assert_true(o.io.skip_eagain && o.conf.processes && !o.conf.cpus);
	assert_int_equal(timechart_settle(&named, &o, &err), 0);
	assert_int_equal(o.conf.width, TIMECHART_WIDTH);
	assert_int_equal(o.conf.least, TIMECHART_TASKS);
	assert_true(o.conf.long_run == UINT64_MAX);
	assert_string_equal(o.conf.highlight, "cc1");
	assert_int_equal(o.io.merge, TIMECHART_IO_MERGE);
	assert_true(!o.conf.processes && o.conf.cpus);
}

static void test_refused(void **state)
{
	static const char *const some[] = { "sh" };
	static const struct {
		struct timechart_wish w;
		const char *says;
	} rows[] = {
		{ { USUAL, .page = true, .ctf = true }, "exclude each other" },
		{ { USUAL, .power_only = true, .tasks_only = true }, "-P and -T exclude" },
		{ { .width = 500, .least = TIMECHART_NOT_GIVEN, .page = true }, "--html writes" },
		{ { .width = TIMECHART_NOT_GIVEN, .least = 3, .ctf = true }, "has all tasks" },
		{ { USUAL, .ctf = true, .selected = some, .nr_selected = 1 }, "-p: " },
		{ { USUAL, .ctf = true, .output = "-" }, "a directory" },
		{ { .width = 99, .least = 0 }, "-w: 99 is not between 100" },
		{ { USUAL, .io_least = "x" }, "--io-min-time: 'x'" },
		{ { USUAL, .io_merge = "" }, "--io-merge-dist: ''" },
	};
	struct timechart_options o;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(timechart_settle(&rows[i].w, &o, &err), -EINVAL);
		if (!strstr(err.msg, rows[i].says))
			fail_msg("'%s' lacks '%s'", err.msg, rows[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
