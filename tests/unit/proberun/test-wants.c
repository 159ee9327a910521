// SPDX-License-Identifier: GPL-2.0-or-later
/* Test definitions that are lines of a text, and markers whose objects a build-id cache knows. */
#include "base/compat.h"
#include "base/alloc.h"
#include "elf-build.h"
#include "proberun/wants.h"
#include "symbol/symbol.h"
#include "tmp-tree.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

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

/* A cache, and objects that it knows, all below one folder. */
struct world {
	char *dir;
	char *a, *b; /* paths of objects */
	struct probe_run run;
	struct probe_wants wants;
	struct err err;
};

/* Make an object, with a build-id of one byte repeated, and a file with markers for the build-id of
 * @kept in the cache. Return: its path, which the caller frees. */
static char *object(struct world *w, const char *name, u8 id, u8 kept, const char *text)
{
	char *path = xasprintf("%s/%s", w->dir, name), *probes, *beside, *target, *link;
	struct eb e = { .build_id_size = 20 };
	char hex[41];

	memset(e.build_id, id, sizeof(e.build_id));
	eb_write(&e, path);
	memset(e.build_id, kept, sizeof(e.build_id));
	build_id_hex(e.build_id, 20, hex);
	probes = xasprintf("%s/%s/probes", path + 1, hex);
	beside = xasprintf(".build-id/%.2s/unused", hex);
	target = xasprintf("../..%s/%s", path, hex);
	link = xasprintf("%s/.build-id/%.2s/%s", w->run.cache_dir, hex, hex + 2);
	tree_put(w->run.cache_dir, probes, text);
	tree_put(w->run.cache_dir, beside, "");
	assert_int_equal(symlink(target, link), 0);
	free(probes);
	free(beside);
	free(target);
	free(link);
	return path;
}

static int setup(void **state)
{
	struct world *w = xzalloc(sizeof(*w));

	w->dir = tmp_dir();
	w->run.cache_dir = xasprintf("%s/cache", w->dir);
	w->a = object(w, "a", 0x0a, 0x0a,
		      "%sdt_p:m=m\n%sdt_p:n=n\n#probe_a:mine=work+4\np:x/y /a:0x1\n");
	w->b = object(w, "b", 0x0b, 0x0b, "%sdt_p:m=m\n#work\np:probe_b/work_1 /b:0x1\n");
	free(object(w, "changed", 0x0c, 0x0d, "%sdt_p:old=old\n"));
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	tmp_remove(w->dir);
	free((char *)w->run.cache_dir);
	free(w->a);
	free(w->b);
	free(w);
	return 0;
}

static void finds(struct world *w, const char *text, const char *first, const char *second)
{
	const char *const paths[] = { first, second };
	size_t nr = 1 + (second != NULL);

	add(&w->wants, text, NULL);
	assert_int_equal(probe_wants_markers(&w->wants, &w->run, &w->err), 0);
	assert_int_equal(w->wants.nr, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_string_equal(w->wants.v[i].exec, paths[i]);
		assert_int_equal(w->wants.v[i].again, i > 0);
	}
	probe_wants_release(&w->wants);
}

static void finds_none(struct world *w, const char *text, const char *words)
{
	add(&w->wants, text, NULL);
	assert_int_equal(probe_wants_markers(&w->wants, &w->run, &w->err), -ENOENT);
	assert_non_null(strstr(w->err.msg, words));
	probe_wants_release(&w->wants);
}

static void test_markers(void **state)
{
	struct world *w = *state;

	finds(w, "%sdt_p:m", w->a, w->b);
	finds(w, "%p:m", w->a, w->b);
	finds(w, "%n", w->a, NULL);
	/* a pattern that several markers of an object match names it once */
	finds(w, "%p:*", w->a, w->b);
	/* definitions that are kept have the names that users gave, or those of their events */
	finds(w, "%mine", w->a, NULL);
	finds(w, "%probe_a:mine", w->a, NULL);
	finds(w, "%work_1", w->b, NULL);
	finds_none(w, "%p:nosuch", "perf buildid-cache --add");
	finds_none(w, "%x:y", "perf buildid-cache --add");
	finds_none(w, "%p:old", "another build of");
}

/* Definitions that name an object, or need none of the cache, stay. */
static void test_kept(void **state)
{
	struct world *w = *state;

	add(&w->wants, "function", NULL);
	add(&w->wants, "%p:m@/bin/c", NULL);
	add(&w->wants, "%p:m", "/bin/d");
	assert_int_equal(probe_wants_markers(&w->wants, &w->run, &w->err), 0);
	assert_int_equal(w->wants.nr, 3);
	assert_null(w->wants.v[0].exec);
	assert_string_equal(w->wants.v[1].exec, "/bin/c");
	assert_string_equal(w->wants.v[2].exec, "/bin/d");
	probe_wants_release(&w->wants);
	free((char *)w->run.cache_dir);
	w->run.cache_dir = NULL;
	finds_none(w, "%p:m", "perf buildid-cache --add");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test_setup_teardown(test_markers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_kept, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
