// SPDX-License-Identifier: GPL-2.0-or-later
/* Test members of tar archives: ustar, long names of GNU and pax, damage. */
#include "base/compat.h"
#include "codec/untar.h"

#include <errno.h>

#include <setjmp.h>
#include <cmocka.h>

struct source {
	struct strbuf bytes;
	size_t at;
};

static ssize_t take(void *ctx, void *buf, size_t len)
{
	struct source *s = ctx;

	len = MIN(MIN(len, s->bytes.len - s->at), (size_t)100); /* a pipe gives less than asked */
	memcpy(buf, s->bytes.buf + s->at, len);
	s->at += len;
	return (ssize_t)len;
}

/* A header, and the contents padded to blocks. */
static void put(struct source *s, char type, const char *magic, const char *name,
		const char *target, const void *data, size_t size)
{
	char h[512] = { 0 };
	unsigned int sum = 0;
	size_t i;

	memcpy(h, name, MIN(strlen(name), (size_t)100));
	snprintf(h + 100, 8, "%07o", 0644);
	snprintf(h + 124, 12, "%011zo", size);
	memset(h + 148, ' ', 8);
	h[156] = type;
	memcpy(h + 157, target, MIN(strlen(target), (size_t)100));
	memcpy(h + 257, magic, 6);
	for (i = 0; i < sizeof(h); i++)
		sum += (u8)h[i];
	snprintf(h + 148, 8, "%06o", sum);
	strbuf_add(&s->bytes, h, sizeof(h));
	strbuf_add(&s->bytes, data, size);
	for (i = 0; i < -size % 512; i++)
		strbuf_addch(&s->bytes, '\0');
}

static void end(struct source *s)
{
	for (int i = 0; i < 1024; i++)
		strbuf_addch(&s->bytes, '\0');
}

static void next(struct untar *t, const char *name, enum tar_kind kind, const char *contents)
{
	struct tar_member m;
	struct err err = { 0 };
	char buf[600] = "";

	assert_int_equal(untar_next(t, &m, &err), 1);
	assert_string_equal(m.name, name);
	assert_int_equal(m.kind, kind);
	assert_int_equal(m.size, strlen(contents));
	assert_int_equal(untar_read(t, buf, sizeof(buf)), strlen(contents));
	assert_string_equal(buf, contents);
	assert_int_equal(untar_read(t, buf, sizeof(buf)), 0);
}

#define LONG_PART "a-folder-whose-name-takes-up-a-lot-of-room/"
#define LONG_NAME LONG_PART LONG_PART LONG_PART "file"

static void test_members(void **state)
{
	struct source s = { 0 };
	struct tar_member m;
	struct untar t;

	(void)state;
	put(&s, '5', "ustar", "dir/", "", "", 0);
	put(&s, '0', "ustar", "dir/one", "", "contents", 8);
	put(&s, '2', "ustar", "dir/link", "one", "", 0);
	put(&s, '1', "ustar", "dir/hard", "dir/one", "", 0);
	put(&s, 'L', "ustar ", "././@LongLink", "", LONG_NAME, sizeof(LONG_NAME));
	put(&s, '0', "ustar ", "cut", "", "long", 4);
	put(&s, 'x', "ustar", "PaxHeaders/x", "", "25 path=named/by/records\n18 linkpath=x/y/z\n",
	    43);
	put(&s, '2', "ustar", "short", "t", "", 0);
	put(&s, 'g', "ustar", "PaxHeaders/g", "", "19 comment=nothing\n", 19);
	put(&s, '6', "ustar", "fifo", "", "", 0);
	put(&s, '\0', "\0\0\0\0\0", "old", "", "x", 1);
	end(&s);
	untar_init(&t, take, &s);
	next(&t, "dir/", TAR_DIR, "");
	next(&t, "dir/one", TAR_FILE, "contents");
	assert_int_equal(untar_next(&t, &m, NULL), 1);
	assert_int_equal(m.kind, TAR_SYMLINK);
	assert_string_equal(m.target, "one");
	assert_int_equal(untar_next(&t, &m, NULL), 1);
	assert_int_equal(m.kind, TAR_HARDLINK);
	assert_string_equal(m.target, "dir/one");
	next(&t, LONG_NAME, TAR_FILE, "long");
	assert_int_equal(untar_next(&t, &m, NULL), 1);
	assert_string_equal(m.name, "named/by/records");
	assert_string_equal(m.target, "x/y/z");
	next(&t, "fifo", TAR_OTHER, "");
	next(&t, "old", TAR_FILE, "x");
	assert_int_equal(untar_next(&t, &m, NULL), 0);
	untar_release(&t);
	strbuf_release(&s.bytes);
}

/* Cut off anywhere it is either told, or what is there was whole. */
static void test_damage(void **state)
{
	struct source s = { 0 };
	struct err err = { 0 };
	struct tar_member m;
	struct untar t;
	size_t len;
	int ret;

	(void)state;
	put(&s, '0', "ustar", "one", "", "contents", 8);
	put(&s, '0', "ustar", "two", "", "more", 4);
	for (len = s.bytes.len; len; len -= 64) {
		s.bytes.len = len;
		s.at = 0;
		untar_init(&t, take, &s);
		do
			ret = untar_next(&t, &m, &err);
		while (ret > 0);
		assert_int_equal(ret, len % 1024 ? -EINVAL : 0);
		untar_release(&t);
	}
	s.bytes.len = 2048;
	s.bytes.buf[3] ^= 1;
	s.at = 0;
	untar_init(&t, take, &s);
	assert_int_equal(untar_next(&t, &m, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "damaged"));
	untar_release(&t);
	strbuf_release(&s.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
