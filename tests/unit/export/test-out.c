// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which outputs can be written. */
#include "base/compat.h"
#include "export/export.h"
#include "tmp-tree.h"

#include "base/alloc.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

static void test_check(void **state)
{
	char *dir = tmp_dir(), *there = xasprintf("%s/there", dir), *new = xasprintf("%s/new", dir);
	char *below = xasprintf("%s/there/file", dir);

	tree_put(dir, "there", "text");
	assert_int_equal(export_check("-"), 0);
	assert_int_equal(export_check(there), 0);
	assert_int_equal(export_check(new), 0);
	assert_int_equal(export_check(dir), -EISDIR);
	assert_int_equal(export_check("/nonexistent/file"), -ENOENT);
	assert_int_not_equal(export_check(below), 0);
	free(there);
	free(new);
	free(below);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_check) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
