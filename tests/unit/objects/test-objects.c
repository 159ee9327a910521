// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the objects of a recording: which a listing has, which are packed, which a cache lacks. */
#include "base/compat.h"
#include "base/alloc.h"
#include "buildid/cache.h"
#include "buildid/unpack.h"
#include "objects/archive.h"
#include "objects/objects.h"
#include "elf-build.h"
#include "pdata-build.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)
#define FEATURE_BUILD_ID 2

struct world {
	struct recording r;
	struct recording_options o;
	struct pb file;
	int fd;
	char path[64];
};

/* An entry of the table: its build-id is @first, @first + 1 and so on. */
static void add_id(struct pb *b, u8 first, const char *name)
{
	size_t at = pb_begin(b, 0, PERF_RECORD_MISC_USER);

	pb_u32(b, UINT32_MAX); /* of no process */
	for (u8 i = 0; i < 20; i++)
		pb_u8(b, (u8)(first + i));
	pb_u32(b, 0);
	pb_str(b, name);
	pb_end(b, at);
}

/* Three objects are mapped; samples are in /no/a and @hit. @table: a table of build-ids names
 * /no/a, twice, and /no/c. */
static void start(struct world *w, const char *hit, bool table)
{
	const struct pb_event ev = {
		.attr = { .type = PERF_TYPE_SOFTWARE, .sample_type = ST, .sample_id_all = true },
		.ids = { 7 },
		.nr_ids = 1,
	};
	struct pb_id id = { 10, 10, 900, 7, 0, 0 };
	struct err err = { 0 };
	struct pb body;

	*w = (struct world){ .o.buildid_dir = "" };
	pb_start(&w->file, false, false, &ev, 1);
	pb_mmap2(&w->file, 10, 0x400000, 0x1000, "/no/a", ST, &id);
	pb_mmap2(&w->file, 10, 0x500000, 0x1000, hit, ST, &id);
	pb_mmap2(&w->file, 10, 0x600000, 0x1000, "/no/c", ST, &id);
	for (u64 i = 0; i < 10; i++) {
		id.time = 1000 + i;
		pb_sample(&w->file, ST, (i & 1 ? 0x400000 : 0x500000) + i, &id, 1);
	}
	if (table) {
		pb_init(&body, false);
		add_id(&body, 0x10, "/no/a");
		add_id(&body, 0x30, "/no/a");
		add_id(&body, 0x50, "/no/c");
		pb_feature(&w->file, FEATURE_BUILD_ID, &body);
		pb_release(&body);
	}
	pb_finish(&w->file);
	w->o.input = pb_save(w->file.out.buf, w->file.out.len, &w->fd, w->path);
	assert_int_equal(recording_open(&w->r, &w->o, NULL, &err), 0);
}

static void stop(struct world *w)
{
	recording_close(&w->r);
	pb_unsave(w->fd);
	pb_release(&w->file);
}

/* "NAME:first byte of the id" of each. */
static char *names(struct recorded_objects *l)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < l->nr; i++)
		strbuf_addf(&sb, "%s:%02x ", l->v[i].name, l->v[i].id_size ? l->v[i].id[0] : 0);
	recorded_objects_release(l);
	return strbuf_detach(&sb);
}

static void lists(bool table, bool hit, int ret, const char *want)
{
	struct recorded_objects l = { 0 };
	struct err err = { 0 };
	struct world w;
	char *have;

	start(&w, "/no/b", table);
	assert_int_equal(objects_to_list(&w.r, hit, &l, &err), ret);
	have = names(&l);
	assert_string_equal(have, want);
	free(have);
	stop(&w);
}

static void test_list(void **state)
{
	lists(true, false, 0, "/no/a:10 /no/c:50 ");
	lists(true, true, 1, "/no/a:10 /no/b:00 ");
	lists(false, false, 1, "/no/a:00 /no/b:00 ");
}

static void packs(bool all, const char *want)
{
	struct recorded_objects l = { 0 };
	struct err err = { 0 };
	struct world w;
	char *have;

	start(&w, "/no/b", true);
	assert_int_equal(objects_to_pack(&w.r, all, &l, &err), 0);
	have = names(&l);
	assert_string_equal(have, want);
	free(have);
	stop(&w);
}

static void test_pack(void **state)
{
	packs(false, "/no/a:10 /no/a:30 ");
	packs(true, "/no/a:10 /no/a:30 /no/c:50 ");
}

static void test_text(void **state)
{
	static const u8 id[20] = { 0xab, 1 };
	struct strbuf out = STRBUF_INIT;
	struct world w;

	object_line(id, 20, NULL, &out);
	object_line(id, 2, "a\x1b", &out);
	assert_string_equal(strbuf_str(&out), "ab01000000000000000000000000000000000000\n"
					      "ab01                                     a\\x1b\n");
	strbuf_reset(&out);
	start(&w, "/no/b", true);
	object_table_text(&w.r.session.file->env, &out);
	assert_int_equal(strncmp(strbuf_str(&out), "build id event received for /no/a: 1011", 39),
			 0);
	assert_non_null(strstr(strbuf_str(&out), "6263 [20]\n"));
	strbuf_release(&out);
	stop(&w);
}

static void test_missing(void **state)
{
	struct cache_list l = { 0 };
	struct err err = { 0 };
	char *dir = tmp_dir();
	struct world w;

	start(&w, "/no/b", true);
	tree_put(dir, ".build-id/50/5152535455565758595a5b5c5d5e5f60616263/elf", "x");
	assert_int_equal(objects_missing(w.path, true, dir, &l, &err), 0);
	assert_int_equal(l.nr, 2);
	assert_string_equal(l.v[0].name, "/no/a");
	assert_string_equal(l.v[0].hex, "101112131415161718191a1b1c1d1e1f20212223");
	assert_string_equal(l.v[1].hex, "303132333435363738393a3b3c3d3e3f40414243");
	cache_list_release(&l);
	assert_true(objects_missing("/nonexistent", true, dir, &l, &err) < 0);
	assert_true(*err.msg);
	stop(&w);
	tmp_remove(dir);
}

static void take_notice(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

/* The cache has one of two builds. That one is packed, the other is told. */
static void test_archive(void **state)
{
	static const char hex[] = "101112131415161718191a1b1c1d1e1f20212223";
	struct strbuf told = STRBUF_INIT;
	const struct notices notices = { take_notice, &told };
	char *dir = tmp_dir(), *cache = xasprintf("%s/cache", dir);
	char *away = xasprintf("%s/away", dir), *object = xasprintf("%s/prog", dir);
	char *out = xasprintf("%s/out.tar.bz2", dir);
	struct archive a = { .dir = cache, .notices = &notices };
	struct unpack_result u = { .recording = STRBUF_INIT };
	struct eb e = { .build_id_size = 20 };
	struct err err = { 0 };
	struct world w;
	int fd, stderr_fd, null, ret;

	for (u8 i = 0; i < 20; i++)
		e.build_id[i] = (u8)(0x10 + i);
	eb_write(&e, object);
	fd = open(object, O_RDONLY | O_CLOEXEC);
	assert_int_equal(cache_put(cache, "/no/a", hex, "elf", fd), 0);
	close(fd);
	start(&w, "/no/b", true);
	a.data = w.path;
	assert_int_equal(archive_find(&a, &err), 0);
	assert_int_equal(a.nr, 2);
	assert_int_equal(a.missing, 1);
	assert_string_equal(strbuf_str(&told), "not in the build-id cache: "
					       "303132333435363738393a3b3c3d3e3f40414243 /no/a\n"
					       "1 of 2 objects are left out\n");
	strbuf_reset(&told);
	if (!access("/usr/bin/bzip2", X_OK) || !access("/bin/bzip2", X_OK)) {
		assert_int_equal(archive_write(&a, out, &err), 0);
		assert_int_equal(told.len, 0);
		assert_int_equal(unpack_archive(away, out, &u, &err), 0);
		assert_true(cache_has(away, hex, "elf"));
	}
	a.dir = "/nonexistent"; /* tar fails, and says so on a stream that nobody reads */
	stderr_fd = dup(STDERR_FILENO);
	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	dup2(null, STDERR_FILENO);
	ret = archive_write(&a, out, &err);
	dup2(stderr_fd, STDERR_FILENO);
	close(stderr_fd);
	close(null);
	assert_int_equal(ret, 1);
	assert_int_equal(access(out, F_OK), -1);
	assert_non_null(strstr(strbuf_str(&told), " could not be made\n"));
	archive_release(&a);
	stop(&w);
	strbuf_release(&u.recording);
	strbuf_release(&told);
	free(out);
	free(object);
	free(away);
	free(cache);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),    cmocka_unit_test(test_pack),
		cmocka_unit_test(test_text),    cmocka_unit_test(test_missing),
		cmocka_unit_test(test_archive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
