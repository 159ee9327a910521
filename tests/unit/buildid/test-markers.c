// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the markers of a build-id cache: which lines count, in which order, each once. */
#include "base/compat.h"
#include "base/alloc.h"
#include "buildid/markers.h"
#include "tmp-tree.h"

#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

#define A "0123456789abcdef0123456789abcdef01234567"
#define B "fedcba9876543210fedcba9876543210fedcba98"

/* DIR/usr/bin/NAME/HEX with that text as its markers, and the link of the build-id. */
static void object(const char *root, const char *name, const char *hex, const char *text)
{
	char *probes = xasprintf("usr/bin/%s/%s/probes", name, hex);
	char *link = xasprintf("%s/.build-id/%.2s/%s", root, hex, hex + 2);
	char *target = xasprintf("../../usr/bin/%s/%s", name, hex);
	char *beside = xasprintf(".build-id/%.2s/unused", hex);

	tree_put(root, probes, text);
	tree_put(root, beside, "");
	assert_int_equal(symlink(target, link), 0);
	free(beside);
	free(target);
	free(link);
	free(probes);
}

static void test_read(void **state)
{
	char *root = tmp_dir();
	struct sdt_cache c;

	(void)state;
	object(root, "two", B, "%sdt_x:go=go\np:sdt_x/go /usr/bin/two:0x10\n");
	object(root, "one", A,
	       "%sdt_x:go=go\np:sdt_x/go /usr/bin/one:0x10\np:sdt_x/go_1 /usr/bin/one:0x20\n"
	       "%sdt_x:go=go\n%sdt_a:stop=stop\nno marker\n%\n");
	sdt_cache_read(&c, root);
	assert_int_equal(c.nr, 3);
	assert_string_equal(c.v[0].event, "sdt_a:stop");
	assert_string_equal(c.v[0].path, "/usr/bin/one");
	assert_string_equal(c.v[1].event, "sdt_x:go");
	assert_string_equal(c.v[1].hex, A);
	assert_string_equal(c.v[2].event, "sdt_x:go");
	assert_string_equal(c.v[2].hex, B);
	assert_string_equal(c.v[2].path, "/usr/bin/two");
	sdt_cache_release(&c);
	tmp_remove(root);
}

static void test_none(void **state)
{
	struct sdt_cache c;

	(void)state;
	sdt_cache_read(&c, "/nonexistent");
	assert_int_equal(c.nr, 0);
	sdt_cache_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
