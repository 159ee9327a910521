// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs are found as execvp() finds them. */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/sysroot.h"
#include "tmp-tree.h"

#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

static void put_program(const char *root, const char *path)
{
	char *full = xasprintf("%s/%s", root, path);

	tree_put(root, path, "#!/bin/sh\n");
	assert_int_equal(chmod(full, 0755), 0);
	free(full);
}

static void test_folders(void **state)
{
	static const char list[] = "/a:b::/c/d:";
	const char *at = list, *none = NULL;
	size_t len = 0;

	assert_ptr_equal(next_folder(&at, &len), list);
	assert_int_equal(len, 2);
	assert_ptr_equal(next_folder(&at, &len), list + 3);
	assert_int_equal(len, 1);
	assert_non_null(next_folder(&at, &len));
	assert_int_equal(len, 0);
	assert_ptr_equal(next_folder(&at, &len), list + 6);
	assert_int_equal(len, 4);
	assert_null(next_folder(&at, &len));
	assert_null(next_folder(&none, &len));
}

static void assert_found(const struct sysroot *sr, const char *folders, const char *name,
			 const char *path)
{
	char *found = program_find(sr, folders, name);

	if (path)
		assert_string_equal(found, path);
	else
		assert_null(found);
	free(found);
	assert_int_equal(program_exists(sr, folders, name), path != NULL);
}

static void test_program(void **state)
{
	char *dir = tmp_dir();
	const struct sysroot sr = { dir };

	put_program(dir, "a/runs");
	put_program(dir, "b/runs");
	put_program(dir, "b/other");
	tree_put(dir, "a/other", "words\n");
	tree_put(dir, "a/folder/file", "");
	assert_found(&sr, "/none:/a:/b", "runs", "/a/runs");
	assert_found(&sr, "/b:/a", "runs", "/b/runs");
	assert_found(&sr, "/a:/b", "other", "/b/other");
	assert_found(&sr, "/a", "other", NULL);
	assert_found(&sr, "/a", "folder", NULL);
	assert_found(&sr, "/a", "missing", NULL);
	assert_found(&sr, "/a", "", NULL);
	assert_found(&sr, "", "runs", NULL);
	/* a path */
	assert_found(&sr, "/b", "/a/runs", "/a/runs");
	assert_found(&sr, "/b", "/a/other", NULL);
	assert_found(&sr, "/b", "/a/folder", NULL);
	tmp_remove(dir);
}

static void test_environment(void **state)
{
	char *dir = tmp_dir(), *before = xstrdup(getenv("PATH"));
	char *path = xasprintf("/nowhere:%s", dir), *full = xasprintf("%s/runs", dir);

	put_program(dir, "runs");
	assert_found(NULL, dir, "runs", full);
	setenv("PATH", path, 1);
	assert_found(NULL, NULL, "runs", full);
	setenv("PATH", "/nowhere", 1);
	assert_found(NULL, NULL, "runs", NULL);
	assert_found(NULL, NULL, full, full);
	/* An empty folder is the current one. */
	assert_int_equal(chdir(dir), 0);
	setenv("PATH", ":/nowhere", 1);
	assert_found(NULL, NULL, "runs", "./runs");
	unsetenv("PATH");
	assert_true(program_exists(NULL, NULL, "sh"));
	setenv("PATH", before, 1);
	assert_int_equal(chdir("/"), 0);
	free(full);
	free(path);
	free(before);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folders),
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
