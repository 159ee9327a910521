// SPDX-License-Identifier: GPL-2.0-or-later
/* The layout of lines that are kept on disk. */
#include "base/compat.h"
#include "base/alloc.h"
#include "resolve/line-cache-internal.h"

#include <setjmp.h>
#include <cmocka.h>

static void put_some(struct strbuf *out)
{
	static const struct inline_frame plain = { .file = "/src/a.c", .line = 12 }, none = { 0 };
	static const struct inline_frame nested[] = {
		{ .raw = "_Z1hi", .file = "/src/a.c", .line = 7 },
		{ .raw = "g", .file = "/src/b.h", .line = 3 },
		{ .file = "/src/a.c", .line = 0xffffffff },
	};
	struct line_cache_maker m = { 0 };

	line_cache_add(&m, 0x10, false, &plain, 0);
	line_cache_add(&m, 0x1000, true, nested, 2);
	line_cache_add(&m, 0xffffffff00000000, true, &none, 0);
	line_cache_finish(&m, out);
}

static void test_round_trip(void **state)
{
	struct strbuf out = STRBUF_INIT;
	const struct lc_place *p;
	struct inline_frame f;
	struct line_cache c;

	(void)state;
	put_some(&out);
	assert_true(line_cache_read(&c, out.buf, out.len));
	p = line_cache_find(&c, 0x10);
	assert_non_null(p);
	assert_int_equal(p->nr, 0);
	assert_false(p->whole);
	f = line_cache_frame(&c, p, 0);
	assert_null(f.raw);
	assert_string_equal(f.file, "/src/a.c");
	assert_int_equal(f.line, 12);
	p = line_cache_find(&c, 0x1000);
	assert_non_null(p);
	assert_int_equal(p->nr, 2);
	assert_true(p->whole);
	assert_string_equal(line_cache_frame(&c, p, 0).raw, "_Z1hi");
	assert_string_equal(line_cache_frame(&c, p, 1).raw, "g");
	assert_string_equal(line_cache_frame(&c, p, 1).file, "/src/b.h");
	assert_int_equal(line_cache_frame(&c, p, 2).line, 0xffffffff);
	/* Equal texts are kept once, so that what is made of a text is known by its place. */
	assert_ptr_equal(line_cache_frame(&c, p, 0).file, f.file);
	p = line_cache_find(&c, 0xffffffff00000000);
	assert_non_null(p);
	f = line_cache_frame(&c, p, 0);
	assert_null(f.file);
	assert_int_equal(f.line, 0);
	assert_null(line_cache_find(&c, 0));
	assert_null(line_cache_find(&c, 0x11));
	assert_null(line_cache_find(&c, UINT64_MAX));
	strbuf_release(&out);
}

static void test_empty(void **state)
{
	struct line_cache_maker m = { 0 };
	struct strbuf out = STRBUF_INIT;
	struct line_cache c;

	(void)state;
	line_cache_finish(&m, &out);
	assert_true(line_cache_read(&c, out.buf, out.len));
	assert_null(line_cache_find(&c, 0));
	assert_false(line_cache_read(&c, out.buf, out.len - 1));
	assert_null(line_cache_find(&c, 0));
	strbuf_release(&out);
}

/* Whatever a byte is changed to, what is found lies within the file. */
static void test_damage(void **state)
{
	struct strbuf out = STRBUF_INIT;
	struct line_cache c;

	(void)state;
	put_some(&out);
	for (size_t i = 0; i < out.len; i++) {
		char *copy = xmalloc(i + 1);

		memcpy(copy, out.buf, i);
		assert_false(line_cache_read(&c, copy, i));
		free(copy);
	}
	for (size_t i = 0; i < out.len; i++)
		for (int bit = 0; bit < 8; bit++) {
			char *copy = xmalloc(out.len);

			memcpy(copy, out.buf, out.len);
			copy[i] = (char)(copy[i] ^ 1 << bit);
			if (line_cache_read(&c, copy, out.len))
				for (size_t k = 0; k < c.nr_places; k++) {
					const struct lc_place *p =
						line_cache_find(&c, c.places[k].addr);

					for (u32 n = 0; p && n <= p->nr; n++) {
						struct inline_frame f = line_cache_frame(&c, p, n);

						assert_true(!f.raw || strlen(f.raw) < out.len);
						assert_true(!f.file || strlen(f.file) < out.len);
					}
				}
			free(copy);
		}
	strbuf_release(&out);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
