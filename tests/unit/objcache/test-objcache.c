// SPDX-License-Identifier: GPL-2.0-or-later
/* Results come back as they were put, or not at all: when they are damaged, of another version, or
 * while others write. The folder stays within its size. */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/pool.h"
#include "objcache/objcache.h"
#include "tmp-tree.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

static struct objcache *open_at(const char *dir, u64 size)
{
	return objcache_new(
		&(struct objcache_conf){ .on = { true, true }, .dir = dir, .size = size });
}

static struct objcache_key key_of(u8 number)
{
	struct objcache_key k = { .kind = OBJCACHE_LINES, .version = 3, .id_size = 20 };

	memset(k.id, number, sizeof(k.id));
	return k;
}

/* Tell what is kept: 1 when it is @want, 0 when there is nothing, and -1 when it is another. */
static int found(const struct objcache *c, struct objcache_key k, const void *want, size_t len)
{
	struct objcache_file f;
	int same;

	if (!objcache_get(c, &k, &f)) {
		assert_null(f.data);
		return 0;
	}
	same = f.len == len && !memcmp(f.data, want, len) ? 1 : -1;
	assert_int_equal((uintptr_t)f.data % 8, 0);
	objcache_file_release(&f);
	return same;
}

static char *path_of(const char *dir, u8 number)
{
	char hex[39];

	for (int i = 0; i < 19; i++)
		snprintf(hex + 2 * i, 3, "%02x", number);
	return xasprintf("%s/%02x/%s.lines", dir, number, hex);
}

static void test_put_and_get(void **state)
{
	char *dir = tmp_dir(), *below = xasprintf("%s/a/b", dir);
	struct objcache *c = open_at(below, 0);
	struct objcache_key k = key_of(1), other = k;

	(void)state;
	assert_int_equal(found(c, k, "text", 4), 0);
	assert_false(objcache_has(c, &k));
	objcache_put(c, &k, "text", 4);
	assert_true(objcache_has(c, &k));
	assert_int_equal(found(c, k, "text", 4), 1);
	objcache_put(c, &k, "another", 7);
	assert_int_equal(found(c, k, "another", 7), 1);
	other.version = 4;
	assert_int_equal(found(c, other, "another", 7), 0);
	other = k;
	other.kind = OBJCACHE_SYMBOLS;
	assert_int_equal(found(c, other, "another", 7), 0);
	assert_false(objcache_has(c, &other));
	other = k;
	other.id[19] = 9;
	assert_int_equal(found(c, other, "another", 7), 0);
	other = k;
	other.id_size = 16; /* the bytes of a longer one are not those of a shorter one */
	assert_int_equal(found(c, other, "another", 7), 0);
	objcache_put(c, &k, "", 0);
	assert_int_equal(found(c, k, "", 0), 1);
	objcache_free(c);
	free(below);
	tmp_remove(dir);
}

static void test_nothing_is_kept(void **state)
{
	struct objcache_key k = key_of(1), none = k;
	char *dir = tmp_dir(), *file = xasprintf("%s/file", dir);
	struct objcache *c = open_at(NULL, 0);

	(void)state;
	assert_null(c);
	objcache_put(c, &k, "text", 4);
	assert_int_equal(found(c, k, "text", 4), 0);
	objcache_free(c);

	file_write(file, "x", 1);
	c = open_at(file, 0); /* no folder */
	objcache_put(c, &k, "text", 4);
	assert_int_equal(found(c, k, "text", 4), 0);
	objcache_free(c);

	c = objcache_new(
		&(struct objcache_conf){ .on = { [OBJCACHE_SYMBOLS] = true }, .dir = dir });
	objcache_put(c, &k, "text", 4);
	assert_int_equal(found(c, k, "text", 4), 0);
	objcache_free(c);

	c = open_at(dir, 0);
	none.id_size = 0;
	assert_false(objcache_wants(c, &none));
	objcache_put(c, &none, "text", 4);
	assert_int_equal(found(c, none, "text", 4), 0);
	objcache_free(c);
	free(file);
	tmp_remove(dir);
}

/* Each byte of a file counts, and so does its length. */
static void test_damage(void **state)
{
	static const char data[] = "source lines of a program";
	char *dir = tmp_dir(), *path = path_of(dir, 1);
	struct objcache *c = open_at(dir, 0);
	struct objcache_key k = key_of(1);
	u8 bytes[64 + sizeof(data)];
	int fd;

	(void)state;
	objcache_put(c, &k, data, sizeof(data));
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, bytes, sizeof(bytes)), sizeof(bytes));
	close(fd);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] ^= 0x10;
		file_write(path, bytes, sizeof(bytes));
		assert_int_equal(found(c, k, data, sizeof(data)), 0);
		bytes[i] ^= 0x10;
		file_write(path, bytes, i);
		assert_int_equal(found(c, k, data, sizeof(data)), 0);
	}
	file_write(path, bytes, sizeof(bytes));
	assert_int_equal(found(c, k, data, sizeof(data)), 1);
	objcache_free(c);
	free(path);
	tmp_remove(dir);
}

static void set_age(const char *path, time_t seconds)
{
	struct timespec t[2] = { { .tv_sec = time(NULL) - seconds }, { 0 } };

	t[1] = t[0];
	assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

/* Those that were not used for the longest time go, and nothing that is not of the cache does. */
static void test_size(void **state)
{
	char *dir = tmp_dir(), *paths[8], *left, *mine;
	struct objcache *c = open_at(dir, 3500);
	char data[936] = { 0 }; /* and the header: 1000 bytes */

	(void)state;
	left = xasprintf("%s/01/0101.lines.part-abc", dir);
	mine = xasprintf("%s/01/notes", dir);
	for (u8 i = 0; i < 8; i++) {
		struct objcache_key k = key_of(i);

		paths[i] = path_of(dir, i);
		objcache_put(c, &k, data, sizeof(data));
		set_age(paths[i], i == 3 ? 10 : 2 * 24 * 3600 - 100 * i);
	}
	file_write(left, data, sizeof(data));
	set_age(left, 7200);
	file_write(mine, data, sizeof(data));
	assert_int_equal(found(c, key_of(0), data, sizeof(data)), 1); /* which marks it as used */
	objcache_free(c);
	assert_int_equal(access(paths[0], F_OK), 0);
	assert_int_equal(access(paths[3], F_OK), 0);
	for (u8 i = 1; i < 8; i++)
		if (i != 3)
			assert_int_not_equal(access(paths[i], F_OK), 0);
	assert_int_not_equal(access(left, F_OK), 0);
	assert_int_equal(access(mine, F_OK), 0);

	c = open_at(dir, 100);
	struct objcache_key k = key_of(20);
	objcache_put(c, &k, data, sizeof(data)); /* more than all may have */
	assert_int_equal(found(c, k, data, sizeof(data)), 0);
	objcache_free(c);
	for (u8 i = 0; i < 8; i++)
		free(paths[i]);
	free(left);
	free(mine);
	tmp_remove(dir);
}

struct both {
	struct objcache *c;
	char *text[2];
	size_t len;
};

/* Some write one text or the other, and some read. */
static void use(void *ctx, int worker, size_t item)
{
	struct both *b = ctx;
	struct objcache_key k = key_of(1);
	struct objcache_file f;

	(void)worker;
	if (item % 3) {
		objcache_put(b->c, &k, b->text[item % 2], b->len);
		return;
	}
	if (!objcache_get(b->c, &k, &f))
		return;
	assert_true(f.len == b->len);
	assert_true(!memcmp(f.data, b->text[0], f.len) || !memcmp(f.data, b->text[1], f.len));
	objcache_file_release(&f);
}

static void test_together(void **state)
{
	char *dir = tmp_dir();
	struct both b = { .c = open_at(dir, 0), .len = 100000 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		b.text[i] = xmalloc(b.len);
		memset(b.text[i], 'a' + i, b.len);
	}
	pool_run(4, 300, use, &b);
	assert_int_not_equal(found(b.c, key_of(1), b.text[0], b.len), 0);
	objcache_free(b.c);
	free(b.text[0]);
	free(b.text[1]);
	tmp_remove(dir);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_put_and_get), cmocka_unit_test(test_nothing_is_kept),
		cmocka_unit_test(test_damage),      cmocka_unit_test(test_size),
		cmocka_unit_test(test_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
