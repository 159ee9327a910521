// SPDX-License-Identifier: GPL-2.0-or-later
/* The owners of files, out of the lists of a made-up dpkg. */
#include "base/compat.h"
#include "objects/packages.h"

#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#define INFO "/var/lib/dpkg/info/"

/* Check who owns @path below @root. @want: NULL: nobody */
static void owned(const char *root, const char *path, const char *want)
{
	const struct sysroot sr = { root };
	const char *paths[] = { NULL, path };
	char *owners[] = { (char *)"left", (char *)"left" };

	packages_find(&sr, paths, 2, owners);
	assert_null(owners[0]);
	if (want)
		assert_string_equal(owners[1], want);
	else
		assert_null(owners[1]);
	free(owners[1]);
}

static void test_owners(void **state)
{
	char *root = tmp_dir();

	owned(root, "/usr/bin/tool", NULL); /* there is no dpkg */
	tree_put(root, INFO "tool.list", "/.\n/usr\n/usr/bin\n/usr/bin/tool\n");
	tree_put(root, INFO "libold6:amd64.list", "/lib/libold.so.6\n/lib/libold.so.7");
	tree_put(root, INFO "libnew.list", "/usr/lib/libnew.so\n");
	tree_put(root, INFO "tool.md5sums", "/usr/bin/other\n");
	tree_put(root, INFO "empty.list", "");
	owned(root, "/usr/bin/tool", "tool");
	owned(root, "/usr/bin/too", NULL);
	owned(root, "/usr/bin/tool2", NULL);
	owned(root, "/usr/bin/other", NULL);
	owned(root, "usr/bin/tool", NULL);
	owned(root, "[vdso]", NULL);
	owned(root, "", NULL);
	/* Folders of the root were merged with those of /usr: lists have either. */
	owned(root, "/lib/libold.so.6", "libold6");
	owned(root, "/usr/lib/libold.so.6", "libold6");
	owned(root, "/usr/lib/libold.so.7", "libold6"); /* the last line has no end */
	owned(root, "/lib/libnew.so", "libnew");
	owned(root, "/usr/lib/libnew.so", "libnew");
	tmp_remove(root);
}

static void test_many(void **state)
{
	char *root = tmp_dir(), *owners[4];
	const struct sysroot sr = { root };
	const char *paths[] = { "/usr/bin/b", "/usr/bin/a", NULL, "/usr/bin/b" };

	tree_put(root, INFO "one.list", "/usr/bin/a\n");
	tree_put(root, INFO "two.list", "/usr/bin/b\n");
	packages_find(&sr, paths, 3, owners);
	assert_string_equal(owners[0], "two");
	assert_string_equal(owners[1], "one");
	assert_null(owners[2]);
	free(owners[0]);
	free(owners[1]);
	packages_find(&sr, NULL, 0, owners);
	tmp_remove(root);
}

static void debug_is(const char *owner, const char *want)
{
	char *have = package_debug(owner);

	assert_string_equal(have, want);
	free(have);
}

static void test_debug(void **state)
{
	debug_is("coreutils", "coreutils-dbgsym");
	debug_is("libc6", "libc6-dbg");
	debug_is("libc6-dev", "libc6-dev-dbgsym");
	debug_is("linux-image-6.1.0-18-amd64", "linux-image-6.1.0-18-amd64-dbg");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_debug),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
