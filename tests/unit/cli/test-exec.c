// SPDX-License-Identifier: GPL-2.0-or-later
/* Test programs that are commands, lists of names, and the viewer of manual pages. */
#include "base/compat.h"
#include "base/alloc.h"
#include "cli/config.h"
#include "cli/exec.h"
#include "cli/man.h"
#include "tmp-tree.h"

#include <sys/stat.h>

#include <setjmp.h>
#include <cmocka.h>

static void program(const char *dir, const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", dir, name);

	tree_put(dir, name, text);
	chmod(path, 0755);
	free(path);
}

static void test_names(void **state)
{
	struct names n = { 0 };

	names_split(&n, "b,,a,c,b,");
	assert_int_equal(n.nr, 4);
	assert_string_equal(n.v[0], "b");
	names_sort(&n);
	assert_int_equal(n.nr, 3);
	assert_string_equal(n.v[0], "a");
	assert_string_equal(n.v[2], "c");
	names_release(&n);
	names_split(&n, "");
	assert_int_equal(n.nr, 0);
	names_release(&n);
}

static void test_table(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct names n = { 0 };

	names_table(&n, "none", 80, &out);
	assert_int_equal(out.len, 0);
	names_split(&n, "a,bcd,ef");
	names_table(&n, "Title", 12, &out); /* two of six characters, and the gap */
	assert_string_equal(strbuf_str(&out), "Title\n-----\n  a    bcd\n  ef\n\n");
	strbuf_reset(&out);
	names_table(&n, "T", 1, &out);
	assert_string_equal(strbuf_str(&out), "T\n-\n  a\n  bcd\n  ef\n\n");
	names_release(&n);
	strbuf_release(&out);
}

static void test_list(void **state)
{
	char *dir = tmp_dir();
	struct names n = { 0 };

	program(dir, "perf-one", "");
	program(dir, "other", "");
	tree_put(dir, "perf-two", "cannot be run");
	exec_list_dir(&n, dir);
	assert_int_equal(n.nr, 1);
	assert_string_equal(n.v[0], "one");
	names_release(&n);
	tmp_remove(dir);
}

static void test_page(void **state)
{
	char *dir = tmp_dir(), *page = man_page_of("record"), *path;

	assert_string_equal(page, "perf-record");
	free(page);
	page = man_page_of("perf-stat");
	assert_string_equal(page, "perf-stat");
	free(page);
	assert_true(man_page_is_plain("perf-c2c_1.x+"));
	assert_false(man_page_is_plain(""));
	assert_false(man_page_is_plain("a;b"));
	tree_put(dir, "perf-nosuch.1.gz", "");
	path = man_page_path("perf-nosuch", dir);
	assert_non_null(strstr(path, "/perf-nosuch.1.gz"));
	free(path);
	assert_null(man_page_path("perf-none", dir));
	assert_null(man_page_path("../x", dir));
	tmp_remove(dir);
}

static void test_viewer(void **state)
{
	char *dir = tmp_dir(), *viewer = xasprintf("%s/view", dir), *text;
	unsigned int line = 0;
	struct err err = { 0 };
	struct config c;

	program(dir, "view", "#!/bin/sh\ntest \"$1\" = page && exit 3\n");
	config_init(&c);
	text = xasprintf("[man]\n\tviewer = %s\n", viewer);
	assert_int_equal(config_parse(&c, text, strlen(text), &line), 0);
	free(text);
	assert_int_equal(man_show(&c, "page", &err), 3);
	assert_int_equal(man_show(&c, "other", &err), 1);
	config_release(&c);
	config_init(&c);
	text = xstrdup("[man]\n\tviewer = none\n[man.none]\n\tcmd = test y =\n");
	assert_int_equal(config_parse(&c, text, strlen(text), &line), 0);
	free(text);
	assert_int_equal(man_show(&c, "y", &err), 0);
	assert_int_equal(man_show(&c, "n", &err), 1);
	config_release(&c);
	config_init(&c);
	text = xstrdup("[man]\n\tviewer = /nonexistent/viewer\n");
	assert_int_equal(config_parse(&c, text, strlen(text), &line), 0);
	free(text);
	assert_int_equal(man_show(&c, "page", &err), 127);
	assert_string_equal(err.msg, "cannot run man: No such file or directory");
	config_release(&c);
	free(viewer);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),  cmocka_unit_test(test_table),
		cmocka_unit_test(test_list),   cmocka_unit_test(test_page),
		cmocka_unit_test(test_viewer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
