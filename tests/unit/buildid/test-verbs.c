// SPDX-License-Identifier: GPL-2.0-or-later
/* Test verbs of the build-id cache: what they do, and what is told about it. */
#include "base/compat.h"
#include "base/alloc.h"
#include "buildid/running.h"
#include "buildid/verbs.h"
#include "elf-build.h"

#include <errno.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

#define HEX "0102030405060708090a0b0c0d0e0f1011121314"

typedef void verb_fn(const struct buildid_cache *c, const char *name, struct cache_result *r);

struct world {
	char *dir, *cache, *object;
	struct buildid_cache c;
};

static void start(struct world *w)
{
	struct eb e = { .build_id_size = 20 };

	for (u8 i = 0; i < 20; i++)
		e.build_id[i] = (u8)(1 + i);
	*w = (struct world){ .dir = tmp_dir() };
	w->cache = xasprintf("%s/cache", w->dir);
	w->object = xasprintf("%s/bin/prog", w->dir);
	w->c.dir = w->cache;
	eb_write(&e, w->object);
	tree_put(w->dir, "text", "no object");
}

static void stop(struct world *w)
{
	tmp_remove(w->dir);
	free(w->cache);
	free(w->object);
}

/* @want: what is told; "@" in it stands for @name */
static void tells(const struct world *w, verb_fn *verb, const char *name, bool verbose,
		  const char *want)
{
	struct strbuf have = STRBUF_INIT, full = STRBUF_INIT;
	struct cache_result r;

	for (const char *p = want; *p; p++)
		if (*p == '@')
			strbuf_addstr(&full, name);
		else
			strbuf_addch(&full, *p);
	verb(&w->c, name, &r);
	cache_result_text(&r, verbose, &have);
	assert_string_equal(strbuf_str(&have), strbuf_str(&full));
	cache_result_release(&r);
	strbuf_release(&have);
	strbuf_release(&full);
}

static bool has(const struct world *w)
{
	return cache_has(w->cache, HEX, "elf");
}

static void test_object(void **state)
{
	struct world w;

	start(&w);
	tells(&w, cache_add_object, w.object, true, "Adding " HEX " @: Ok\n");
	assert_true(has(&w));
	tells(&w, cache_update_object, w.object, true, "Updating " HEX " @: Ok\n");
	assert_true(has(&w));
	tells(&w, cache_remove_object, w.object, true, "Removing " HEX " @: Ok\n");
	assert_false(has(&w));
	tells(&w, cache_remove_object, w.object, true,
	      "Removing " HEX " @: FAIL\n@ wasn't in the cache\n");
	tells(&w, cache_remove_object, w.object, false, "");
	tells(&w, cache_update_object, w.object, false, "");
	assert_true(has(&w));
	stop(&w);
}

static void test_no_object(void **state)
{
	struct world w;
	char *text;

	start(&w);
	text = xasprintf("%s/text", w.dir);
	tells(&w, cache_add_object, text, true,
	      "Couldn't read a build-id in @\nCouldn't add @: not an ELF file\n");
	tells(&w, cache_update_object, text, false, "Couldn't update @: not an ELF file\n");
	tells(&w, cache_remove_object, "/nonexistent", false,
	      "Couldn't remove @: No such file or directory\n");
	free(text);
	stop(&w);
}

static void test_purge(void **state)
{
	struct world w;

	start(&w);
	tells(&w, cache_add_object, w.object, false, "");
	unlink(w.object); /* its name is enough */
	tells(&w, cache_purge_object, w.object, true, "Removing " HEX " @: Ok\nPurging @: Ok\n");
	assert_false(has(&w));
	tells(&w, cache_purge_object, "/nonexistent", true,
	      "Purging @: FAIL\n@ wasn't in the cache\n");
	stop(&w);
}

static void test_all(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct cache_list l;
	struct cache_result r;
	struct world w;
	char *want;

	start(&w);
	tells(&w, cache_add_object, w.object, false, "");
	tree_put(w.cache, "[vdso]/1234abcd/vdso", "x");
	tree_put(w.cache, ".build-id/12/none", "x"); /* makes the folder */
	want = xasprintf("%s/.build-id/12/34abcd", w.cache);
	assert_int_equal(symlink("../../[vdso]/1234abcd", want), 0);
	free(want);
	cache_list_objects(&w.c, &l);
	cache_list_text(&l, &text);
	want = xasprintf(HEX " %s\n", w.object);
	assert_string_equal(strbuf_str(&text), want);
	free(want);
	cache_list_release(&l);
	strbuf_reset(&text);
	cache_purge_all(&w.c, NULL, &r);
	assert_int_equal(r.removed.nr, 2); /* the vdso too */
	cache_result_text(&r, true, &text);
	want = xasprintf("Removing %s (" HEX "): Ok\nRemoving [vdso] (1234abcd): Ok\n"
			 "Purged all: Ok\n",
			 w.object);
	assert_string_equal(strbuf_str(&text), want);
	strbuf_reset(&text);
	/* The result is changed to that of an entry that could not be removed. */
	r.removed.v[0].ret = r.ret = -EACCES;
	cache_result_text(&r, false, &text);
	assert_string_equal(strbuf_str(&text),
			    "Couldn't remove some caches. Error: Permission denied.\n");
	free(want);
	cache_result_release(&r);
	strbuf_release(&text);
	stop(&w);
}

static void test_kcore(void **state)
{
	struct cache_result r = { .verb = CACHE_KCORE, .name = "k", .place = xstrdup("/c/x") };
	struct strbuf text = STRBUF_INIT;
	struct world w;

	cache_result_text(&r, true, &text);
	r.ret = 1;
	cache_result_text(&r, true, &text);
	cache_result_text(&r, false, &text);
	assert_string_equal(strbuf_str(&text), "kcore added to build-id cache directory /c/x\n"
					       "same kcore found in /c/x\n");
	strbuf_reset(&text);
	cache_result_release(&r);
	start(&w);
	cache_kcore(&w.c, "/nonexistent/kcore", &r);
	assert_true(r.ret < 0);
	cache_result_text(&r, false, &text);
	assert_int_equal(strncmp(strbuf_str(&text), "Couldn't add /nonexistent/kcore: ", 33), 0);
	cache_result_release(&r);
	strbuf_release(&text);
	stop(&w);
}

/* The kernel and modules of a made-up /proc. */
static void test_running(void **state)
{
	static const char id[] = "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\xaa\xbb\xcc\xdd";
	char *dir = tmp_dir(), *notes = xasprintf("%s/sys/kernel/notes", dir);
	const struct sysroot sr = { .prefix = dir };
	struct running_objects l = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	u8 bytes[20];

	assert_true(running_objects_read(&sr, &l, &err) < 0);
	assert_non_null(strstr(err.msg, "cannot read /proc/kallsyms: "));
	assert_true(running_kernel_id(&sr, bytes, &err) < 0);
	assert_non_null(strstr(err.msg, "cannot read the build-id of the kernel from "));
	file_write(notes, id, sizeof(id) - 1);
	assert_int_equal(running_kernel_id(&sr, bytes, &err), 4);
	assert_int_equal(bytes[0], 0xaa);
	tree_put(dir, "proc/kallsyms", "ffffffff81000000 T _stext\nffffffff82000000 T _etext\n");
	tree_put(dir, "proc/modules", "foo 4096 0 - Live 0xffffffffc0001000\nodd line\n");
	assert_int_equal(running_objects_read(&sr, &l, &err), 0);
	running_objects_text(&l, &text);
	assert_string_equal(strbuf_str(&text),
			    "aabbccdd ffffffff81000000 ffffffff82000000 [kernel.kallsyms]\n"
			    " ffffffffc0001000 ffffffffc0002000 [foo]\n");
	running_objects_release(&l);
	strbuf_release(&text);
	free(notes);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_object), cmocka_unit_test(test_no_object),
		cmocka_unit_test(test_purge),  cmocka_unit_test(test_all),
		cmocka_unit_test(test_kcore),  cmocka_unit_test(test_running),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
