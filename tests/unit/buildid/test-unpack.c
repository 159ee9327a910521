// SPDX-License-Identifier: GPL-2.0-or-later
/* Test archives of perf archive, unpacked into a cache: what is written, and what is refused. */
#include "base/compat.h"
#include "buildid/unpack.h"
#include "base/alloc.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

#define HEX "0123456789abcdef0123456789abcdef01234567"
#define OBJECT "usr/bin/x/" HEX "/kallsyms"

static char *root;

/* Append a member of a tar archive: a plain file with a few bytes. */
static void member(struct strbuf *tar, const char *name, const char *text)
{
	char h[512] = { 0 };
	unsigned int sum = 0;
	size_t i, len = strlen(text);

	memcpy(h, name, strlen(name));
	snprintf(h + 100, 8, "%07o", 0644);
	snprintf(h + 124, 12, "%011zo", len);
	memset(h + 148, ' ', 8);
	h[156] = '0';
	memcpy(h + 257, "ustar", 6);
	for (i = 0; i < sizeof(h); i++)
		sum += (u8)h[i];
	snprintf(h + 148, 8, "%06o", sum);
	strbuf_add(tar, h, sizeof(h));
	strbuf_add(tar, text, len);
	for (i = 0; i < -len % 512; i++)
		strbuf_addch(tar, '\0');
}

static int unpack(struct strbuf *tar, struct unpack_result *r, struct err *err)
{
	char *archive = xasprintf("%s/a.tar", root), *cache = xasprintf("%s/cache", root);
	int ret, i;

	for (i = 0; i < 1024; i++)
		strbuf_addch(tar, '\0');
	file_write(archive, tar->buf, tar->len);
	memset(r, 0, sizeof(*r));
	memset(err, 0, sizeof(*err));
	ret = unpack_archive(cache, archive, r, err);
	strbuf_release(&r->recording);
	strbuf_release(tar);
	free(archive);
	free(cache);
	return ret;
}

static bool in_cache(const char *name)
{
	char *path = xasprintf("%s/cache/%s", root, name);
	bool there = !access(path, F_OK);

	free(path);
	return there;
}

static int setup(void **state)
{
	root = tmp_dir();
	return 0;
}

static int teardown(void **state)
{
	tmp_remove(root);
	return 0;
}

static void test_refused(void **state)
{
	struct strbuf tar = STRBUF_INIT;
	struct unpack_result r;
	struct err err;

	member(&tar, OBJECT, "good");
	member(&tar, "../elsewhere/" HEX "/elf", "bad");
	assert_int_not_equal(unpack(&tar, &r, &err), 0);
	assert_non_null(strstr(err.msg, "a.tar: '../elsewhere/" HEX "/elf' does not belong"));
	assert_int_equal(r.taken, 0);
	assert_false(in_cache(OBJECT));
}

static void test_taken(void **state)
{
	struct strbuf tar = STRBUF_INIT;
	struct unpack_result r;
	struct err err;

	member(&tar, OBJECT, "good");
	assert_int_equal(unpack(&tar, &r, &err), 0);
	assert_int_equal(r.taken, 1);
	assert_int_equal(r.there, 0);
	assert_true(in_cache(OBJECT));

	member(&tar, OBJECT, "good");
	assert_int_equal(unpack(&tar, &r, &err), 0);
	assert_int_equal(r.taken, 0);
	assert_int_equal(r.there, 1);
}

/* An ELF file without the build-id that its folder names is removed again. */
static void test_wrong(void **state)
{
	struct strbuf tar = STRBUF_INIT;
	struct unpack_result r;
	struct err err;

	member(&tar, "usr/bin/y/" HEX "/elf", "no ELF file");
	assert_int_equal(unpack(&tar, &r, &err), 0);
	assert_int_equal(r.wrong, 1);
	assert_false(in_cache("usr/bin/y/" HEX "/elf"));
}

static void test_damaged(void **state)
{
	struct strbuf tar = STRBUF_INIT;
	struct unpack_result r;
	struct err err;

	strbuf_addstr(&tar, "this is no archive");
	assert_int_not_equal(unpack(&tar, &r, &err), 0);
	assert_non_null(strstr(err.msg, "a.tar: "));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
