// SPDX-License-Identifier: GPL-2.0-or-later
/* Test definitions that are lines of a text, and markers whose objects a build-id cache knows. */
#include "base/compat.h"
#include "base/alloc.h"
#include "proberun/wants.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

#define HEX_A "0123456789abcdef0123456789abcdef01234567"
#define HEX_B "fedcba9876543210fedcba9876543210fedcba98"

static void add(struct probe_wants *w, const char *text, const char *exec)
{
	probe_wants_add(w, (struct probe_want){ .text = xstrdup(text), .exec = exec });
}

static void test_lines(void **state)
{
	static const char text[] = "# a comment\n\n  one two \r\nthree";
	struct probe_wants w = { 0 };
	struct err err = { 0 };

	(void)state;
	add(&w, "before", "/bin/a");
	assert_false(probe_wants_input(&w));
	add(&w, "-", "/bin/b");
	assert_true(probe_wants_input(&w));
	assert_int_equal(probe_wants_lines(&w, text, strlen(text), &err), 0);
	assert_int_equal(w.nr, 3);
	assert_string_equal(w.v[0].text, "before");
	assert_string_equal(w.v[1].text, "one two");
	assert_string_equal(w.v[1].exec, "/bin/b");
	assert_int_equal(w.v[1].line, 3);
	assert_string_equal(w.v[2].text, "three");
	assert_int_equal(w.v[2].line, 4);
	err_set(&err, -EINVAL, "why");
	probe_want_failed(&w.v[0], &err);
	assert_string_equal(err.msg, "why");
	probe_want_failed(&w.v[2], &err);
	assert_string_equal(err.msg, "Line 4 of standard input: why");
	probe_wants_release(&w);

	add(&w, "-", NULL);
	assert_int_equal(probe_wants_lines(&w, "#\n", 2, &err), -EINVAL);
	probe_wants_release(&w);
}

/* Put a file with markers into the cache, as DIR/usr/bin/NAME/HEX/probes. */
static void cached(const char *dir, const char *name, const char *hex, const char *text)
{
	char *probes = xasprintf("usr/bin/%s/%s/probes", name, hex);
	char *beside = xasprintf(".build-id/%.2s/unused", hex);
	char *target = xasprintf("../../usr/bin/%s/%s", name, hex);
	char *link = xasprintf("%s/.build-id/%.2s/%s", dir, hex, hex + 2);

	tree_put(dir, probes, text);
	tree_put(dir, beside, "");
	assert_int_equal(symlink(target, link), 0);
	free(probes);
	free(beside);
	free(target);
	free(link);
}

static void test_markers(void **state)
{
	char *dir = tmp_dir();
	struct probe_wants w = { 0 };
	struct err err = { 0 };

	(void)state;
	cached(dir, "a", HEX_A, "%sdt_p:m=m\n%sdt_p:n=n\n");
	cached(dir, "b", HEX_B, "%sdt_p:m=m\n");
	add(&w, "%sdt_p:m", NULL);
	add(&w, "function", NULL);
	add(&w, "%p:m@/bin/c", NULL);
	add(&w, "%p:m", "/bin/d");
	assert_int_equal(probe_wants_markers(&w, dir, &err), 0);
	assert_int_equal(w.nr, 5);
	assert_string_equal(w.v[0].exec, "/usr/bin/a");
	assert_false(w.v[0].again);
	assert_string_equal(w.v[1].exec, "/usr/bin/b");
	assert_true(w.v[1].again);
	assert_null(w.v[2].exec);
	assert_string_equal(w.v[3].exec, "/bin/c");
	assert_string_equal(w.v[4].exec, "/bin/d");
	probe_wants_release(&w);

	/* a pattern that several markers of an object match names it once */
	add(&w, "%p:*", NULL);
	assert_int_equal(probe_wants_markers(&w, dir, &err), 0);
	assert_int_equal(w.nr, 2);
	probe_wants_release(&w);

	add(&w, "%p:nosuch", NULL);
	assert_int_equal(probe_wants_markers(&w, dir, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "perf buildid-cache --add"));
	probe_wants_release(&w);
	add(&w, "%p:m", NULL);
	assert_int_equal(probe_wants_markers(&w, NULL, &err), -ENOENT);
	probe_wants_release(&w);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_markers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
