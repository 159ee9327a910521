// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the build-id cache in a folder of its own: what goes in, what comes out, what is not
 * believed. */
#include "base/compat.h"
#include "base/alloc.h"
#include "elf-build.h"
#include "buildid/cache.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

#define HEX "0102030405060708090a0b0c0d0e0f1011121314"

struct world {
	char *dir, *cache, *object;
};

static void make_object(const char *path, u8 first)
{
	struct eb e = { .build_id_size = 20 };

	for (u8 i = 0; i < 20; i++)
		e.build_id[i] = (u8)(first + i);
	eb_write(&e, path);
}

static int setup(void **state)
{
	struct world *w = xzalloc(sizeof(*w));

	w->dir = tmp_dir();
	w->cache = xasprintf("%s/cache", w->dir);
	w->object = xasprintf("%s/bin/prog", w->dir);
	make_object(w->object, 1);
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	tmp_remove(w->dir);
	free(w->object);
	free(w->cache);
	free(w);
	return 0;
}

static void add(const struct world *w, const char *path, char **linked)
{
	struct cache_object o;
	struct err e = { 0 };

	assert_int_equal(cache_object_open(&o, path, 0, &e), 0);
	assert_int_equal(cache_add(w->cache, &o, CACHE_COPY, linked, &e), 0);
	cache_object_release(&o);
}

static bool there(const char *base, const char *fmt)
{
	char *path = xasprintf("%s/%s", base, fmt);
	bool yes = !access(path, F_OK);

	free(path);
	return yes;
}

static void test_add_list_remove(void **state)
{
	struct world *w = *state;
	struct cache_list l;
	char *entry, *want;

	cache_list(w->cache, NULL, &l);
	assert_int_equal(l.nr, 0);
	assert_false(cache_has(w->cache, HEX, NULL));
	add(w, w->object, NULL);
	assert_true(cache_has(w->cache, HEX, NULL));
	assert_true(cache_has(w->cache, HEX, "elf"));
	assert_false(cache_has(w->cache, HEX, "vdso"));
	entry = cache_entry_path(w->cache, HEX);
	want = xasprintf("%s/" HEX, w->object + 1);
	assert_string_equal(entry, want);
	cache_list(w->cache, NULL, &l);
	assert_int_equal(l.nr, 1);
	assert_string_equal(l.v[0].hex, HEX);
	assert_string_equal(l.v[0].name, w->object);
	cache_list_release(&l);
	cache_list(w->cache, "elf", &l);
	assert_int_equal(l.nr, 1);
	cache_list_release(&l);
	cache_list(w->cache, "nothing", &l);
	assert_int_equal(l.nr, 0);
	assert_int_equal(cache_remove(w->cache, HEX), 0);
	assert_false(there(w->cache, entry));
	assert_int_equal(cache_remove(w->cache, HEX), -ENOENT);
	free(entry);
	free(want);
}

static void test_second_name(void **state)
{
	struct world *w = *state;
	char *other = xasprintf("%s/bin/other", w->dir), *linked = NULL;
	struct cache_list ids;

	make_object(other, 1);
	add(w, w->object, NULL);
	add(w, w->object, &linked);
	assert_null(linked);
	add(w, other, &linked);
	assert_non_null(linked);
	free(linked);
	/* Dropping the second name leaves the first. */
	assert_int_equal(cache_ids(w->cache, other, &ids), 0);
	assert_int_equal(ids.nr, 1);
	assert_string_equal(ids.v[0].hex, HEX);
	cache_list_release(&ids);
	cache_drop(w->cache, other, HEX);
	assert_int_equal(cache_ids(w->cache, other, &ids), 0);
	assert_int_equal(ids.nr, 0);
	assert_true(cache_has(w->cache, HEX, "elf"));
	cache_drop(w->cache, w->object, HEX);
	assert_false(cache_has(w->cache, HEX, NULL));
	assert_int_equal(cache_ids(w->cache, "/none", &ids), -ENOENT);
	free(other);
}

/* A link that leads nowhere is replaced. */
static void test_dangling(void **state)
{
	struct world *w = *state;
	char *link = xasprintf("%s/.build-id/01/%s", w->cache, &HEX[2]);

	add(w, w->object, NULL);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(symlink("../../gone/" HEX, link), 0);
	assert_false(cache_has(w->cache, HEX, NULL));
	add(w, w->object, NULL);
	assert_true(cache_has(w->cache, HEX, "elf"));
	free(link);
}

static void test_foreign_links(void **state)
{
	static const char *const targets[] = { "/etc",       "../../../out", "../../a/../../out",
					       "../../a/..", "../..//etc",   "../../",
					       "x" };
	struct world *w = *state;
	char *link = xasprintf("%s/.build-id/01/%s", w->cache, &HEX[2]);
	char *keep = xasprintf("%s/out/elf", w->dir);

	file_write(keep, "keep", 4);
	add(w, w->object, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(targets); i++) {
		unlink(link);
		assert_int_equal(symlink(targets[i], link), 0);
		assert_null(cache_entry_path(w->cache, HEX));
		assert_int_equal(cache_remove(w->cache, HEX), 0);
		assert_int_equal(access(keep, F_OK), 0);
	}
	free(keep);
	free(link);
}

static void test_no_objects(void **state)
{
	struct world *w = *state;
	struct cache_object o;
	struct err e = { 0 };
	char *text = xasprintf("%s/text", w->dir), *bare = xasprintf("%s/bare", w->dir);
	struct eb none = { .build_id_size = 0 };

	file_write(text, "text", 4);
	eb_write(&none, bare);
	assert_int_equal(cache_object_open(&o, text, 0, &e), -ENOEXEC);
	assert_string_equal(e.msg, "not an ELF file");
	e = (struct err){ 0 };
	assert_int_equal(cache_object_open(&o, bare, 0, &e), -ENODATA);
	e = (struct err){ 0 };
	assert_int_equal(cache_object_open(&o, w->dir, 0, &e), -EISDIR);
	e = (struct err){ 0 };
	assert_int_equal(cache_object_open(&o, "/none", 0, &e), -ENOENT);
	free(bare);
	free(text);
}

static void test_fill(void **state)
{
	struct world *w = *state;
	u8 id[20], wrong[20] = { 9 };

	for (u8 i = 0; i < 20; i++)
		id[i] = (u8)(i + 1);
	assert_int_equal(cache_fill(w->cache, w->object, 0, wrong, 20, CACHE_COPY), -ENOENT);
	assert_int_equal(cache_fill(w->cache, "relative", 0, id, 20, CACHE_COPY), -ENOENT);
	assert_int_equal(cache_fill(w->cache, "[vdso]", 0, wrong, 20, CACHE_COPY), -ENOENT);
	assert_int_equal(cache_fill(w->cache, w->object, 0, id, 0, CACHE_COPY), -ENOENT);
	assert_int_equal(cache_fill(w->cache, w->object, 0, id, 20, CACHE_COPY), 0);
	assert_true(cache_has(w->cache, HEX, "elf"));
	/* It is there: the object is not asked for again. */
	assert_int_equal(unlink(w->object), 0);
	assert_int_equal(cache_fill(w->cache, w->object, 0, id, 20, CACHE_LINK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_add_list_remove, setup, teardown),
		cmocka_unit_test_setup_teardown(test_second_name, setup, teardown),
		cmocka_unit_test_setup_teardown(test_dangling, setup, teardown),
		cmocka_unit_test_setup_teardown(test_foreign_links, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_objects, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fill, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
