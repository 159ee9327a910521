// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the values of options of perf ftrace: sizes of buffers, words of the tracers. */
#include "base/compat.h"
#include "ftracerun/ftracerun.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_buffer_size(void **state)
{
	static const char *const wrong[] = { "", "0K", "64", "1.5M", "64k", "K" };
	struct ftrace_conf c = { .buffer_kb = 7 };
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(ftrace_buffer_size(&c, wrong[i], &err), -EINVAL);
		assert_non_null(strstr(err.msg, "is no size, which has a B, K, M or G behind it"));
		assert_int_equal(c.buffer_kb, 7);
	}
	assert_int_equal(ftrace_buffer_size(&c, "64K", &err), 0);
	assert_int_equal(c.buffer_kb, 64);
	assert_int_equal(ftrace_buffer_size(&c, "1025B", &err), 0);
	assert_int_equal(c.buffer_kb, 2);
	assert_int_equal(ftrace_buffer_size(&c, "2M", &err), 0);
	assert_int_equal(c.buffer_kb, 2048);
	ftrace_conf_release(&c);
}

/* A word that the tracer does not have is told with the option. */
static void test_words(void **state)
{
	struct ftrace_conf c = { 0 };
	struct err err;

	assert_int_equal(ftrace_graph_options(&c, "depth=5,noirqs", &err), 0);
	assert_int_equal(ftrace_graph_options(&c, "no-such-word", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "--graph-opts"));
	assert_int_equal(ftrace_func_options(&c, "no-such-word", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "--func-opts"));
	ftrace_conf_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buffer_size),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
