// SPDX-License-Identifier: GPL-2.0-or-later
/* Test filters of users: what is no filter is refused, folders without any are an empty list. */
#include "base/compat.h"
#include "script/dlfilter.h"
#include "tmp-tree.h"

#include <errno.h>

#include <setjmp.h>
#include <cmocka.h>

static void test_no_filter(void **state)
{
	struct err err = { 0 };
	char *dir = tmp_dir();

	tree_put(dir, "text.so", "no object at all");
	assert_null(dlfilter_open("text.so", dir, NULL, 0, &err));
	assert_int_equal(err.code, -ENOENT);
	assert_string_equal(err.msg, "dlopen failed for: 'text.so'");
	assert_int_equal(dlfilter_close(NULL), 0);
	tmp_remove(dir);
}

static void test_list(void **state)
{
	struct strbuf out = STRBUF_INIT;
	char *dir = tmp_dir();

	tree_put(dir, "text.so", "no object at all");
	dlfilter_list(dir, true, &out);
	assert_null(strstr(strbuf_str(&out), "text.so"));
	assert_int_equal(strncmp(strbuf_str(&out), "List of available dlfilters:\n", 29), 0);
	strbuf_reset(&out);
	dlfilter_list("/nonexistent", false, &out);
	assert_string_equal(strbuf_str(&out), "List of available dlfilters:\n");
	strbuf_release(&out);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_filter),
		cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
