// SPDX-License-Identifier: GPL-2.0-or-later
/* Test ranges of lines, and the text of source files. */
#include "base/compat.h"
#include "base/alloc.h"
#include "dwarf/source.h"
#include "probe/lines-text.h"
#include "probe/source-text.h"
#include "tmp-tree.h"

#include <stdlib.h>

#include <setjmp.h>
#include <cmocka.h>

static void range_is(const char *text, const char *want)
{
	struct line_range r;
	struct err err = { 0 };
	char out[200];
	int rc = line_range_parse(&r, text, &err);

	if (rc && want)
		fail_msg("%s: %s", text, err.msg);
	assert_int_equal(rc != 0, !want);
	snprintf(out, sizeof(out), "%s %s %u %d", r.function ? r.function : "-",
		 r.file ? r.file : "-", r.first, (int)r.last);
	if (want)
		assert_string_equal(out, want);
	line_range_release(&r);
}

static void test_ranges(void **state)
{
	(void)state;
	range_is("work", "work - 0 -1");
	range_is("work:3", "work - 3 -1");
	range_is("work:3-5", "work - 3 5");
	range_is("work:3+5", "work - 3 7");
	range_is("work@a/b.c:0-2", "work a/b.c 0 2");
	range_is("t.c", "- t.c 0 -1");
	range_is("dir/t.c:10-20", "- dir/t.c 10 20");
	range_is("ns::f:2", "ns::f - 2 -1");
	range_is("we\\:ird.c:4", "- we:ird.c 4 -1");
	range_is("work:99999999999-999999999999", "work - 2147483647 2147483647");
	range_is("work:5-3", NULL);
	range_is("work:5+0", NULL);
	range_is("work:x", NULL);
	range_is("work:3-", NULL);
	range_is("work:3-4x", NULL);
	range_is("w*k", NULL);
	range_is("@t.c", NULL);
	range_is(":3", NULL);
}

static void test_source(void **state)
{
	char *dir = tmp_dir(), *path = xasprintf("%s/src/t.c", dir);
	struct probe_target here = { 0 }, moved = { .source = dir };
	struct source_text t;
	struct err err;
	const char *line;
	size_t len;

	(void)state;
	tree_put(dir, "src/t.c", "one();\n\ttwo = a [ 1 ] ;\r\nlast");
	assert_int_equal(source_text_read(&t, &here, path, &err), 0);
	line = source_text_line(&t, 2, &len);
	assert_int_equal(len, strlen("\ttwo = a [ 1 ] ;"));
	assert_memory_equal(line, "\ttwo = a [ 1 ] ;", len);
	line = source_text_line(&t, 3, &len);
	assert_memory_equal(line, "last", len);
	assert_null(source_text_line(&t, 0, &len));
	assert_null(source_text_line(&t, 4, &len));
	assert_true(source_text_matches(&t, 2, "two=a\\[1\\];"));
	assert_true(source_text_matches(&t, 2, "two = *"));
	assert_false(source_text_matches(&t, 2, "two"));
	assert_true(source_text_matches(&t, 1, "*()*"));
	assert_false(source_text_matches(&t, 9, "*"));
	source_text_release(&t);
	/* the compiler had it elsewhere: the longest tail of its path that is there */
	assert_int_equal(source_text_read(&t, &moved, "/build/x/src/t.c", &err), 0);
	source_text_release(&t);
	assert_true(source_text_read(&t, &here, "/build/x/src/t.c", &err) < 0);
	assert_non_null(strstr(err.msg, "--source"));
	free(path);
	tmp_remove(dir);
}

static void test_paths(void **state)
{
	(void)state;
	assert_true(source_path_ends("/a/b/t.c", "t.c"));
	assert_true(source_path_ends("/a/b/t.c", "b/t.c"));
	assert_true(source_path_ends("/a/b/t.c", "/b/t.c"));
	assert_true(source_path_ends("t.c", "t.c"));
	assert_false(source_path_ends("/a/b/xt.c", "t.c"));
	assert_false(source_path_ends("/a/b/t.c", ""));
	assert_false(source_path_ends("t.c", "a/t.c"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
