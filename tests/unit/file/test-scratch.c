// SPDX-License-Identifier: GPL-2.0-or-later
/* Test folders for what does not stay: made where they should be, and gone with all that is in
 * them. */
#include "base/compat.h"
#include "file/scratch.h"
#include "tmp-tree.h"

#include "base/alloc.h"

#include <errno.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static void test_make(void **state)
{
	char *dir = tmp_dir(), *path = NULL;
	struct err err = { 0 };
	struct stat st;

	setenv("TMPDIR", dir, 1);
	assert_int_equal(scratch_make("here", &path, &err), 0);
	assert_memory_equal(path, dir, strlen(dir));
	assert_memory_equal(path + strlen(dir), "/here-", 6);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	unsetenv("TMPDIR");
	scratch_remove(path);
	assert_int_equal(access(path, F_OK), -1);
	free(path);
	tmp_remove(dir);
}

static void test_nowhere(void **state)
{
	struct err err = { 0 };
	char *path;

	setenv("TMPDIR", "/nonexistent", 1);
	assert_int_equal(scratch_make("here", &path, &err), -ENOENT);
	unsetenv("TMPDIR");
	assert_null(path);
	assert_non_null(strstr(err.msg, "cannot make a folder for the recording: "
					"/nonexistent/here-"));
	assert_non_null(strstr(err.msg, ": No such file or directory"));
}

/* Folders in it go, too; what links lead to stays. */
static void test_remove(void **state)
{
	char *dir = tmp_dir(), *inner = xasprintf("%s/inner", dir);
	char *link = xasprintf("%s/link", inner), *kept = xasprintf("%s/kept", dir);

	tree_put(dir, "kept/file", "text");
	tree_put(dir, "inner/a/b/c/file", "text");
	for (int i = 0; i < 300; i++) {
		char *name = xasprintf("inner/many/a-file-with-a-long-name-%d", i);

		tree_put(dir, name, "");
		free(name);
	}
	assert_int_equal(symlink(kept, link), 0);
	scratch_remove(inner);
	assert_int_equal(access(inner, F_OK), -1);
	assert_int_equal(access(kept, F_OK), 0);
	scratch_remove(inner);
	free(inner);
	free(link);
	free(kept);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_make),
		cmocka_unit_test(test_nowhere),
		cmocka_unit_test(test_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
