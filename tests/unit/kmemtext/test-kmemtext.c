// SPDX-License-Identifier: GPL-2.0-or-later
/* Test flags in words, keys of rows, and options that refer to those before them. */
#include "base/compat.h"
#include "kmemtext/kmemtext-internal.h"

#include <errno.h>
#include <setjmp.h>

#include <cmocka.h>

#define SYM(value, text)                                                                           \
	{                                                                                          \
		value, text, sizeof(text) - 1                                                      \
	}

static void test_flags(void **state)
{
	static const struct tf_sym syms[] = {
		SYM(0xcc0, "GFP_KERNEL"),
		SYM(0x800, "GFP_NOWAIT"),
		SYM(0x100, "__GFP_ZERO"),
		SYM(0x40, "__GFP_IO"),
		SYM(0, "none"),
		SYM(0x4000, "__GFP_NEW_THING"),
		SYM(0x8000, "__GFP_HANDY"),
		SYM(0x10000, "OTHER"),
	};
	static const struct gfp_words words = { syms, ARRAY_SIZE(syms) }, none = { 0 };
	static const struct {
		const struct gfp_words *words;
		u64 flags;
		const char *full, *brief;
	} rows[] = {
		{ &words, 0xcc0, "GFP_KERNEL", "K" },
		{ &words, 0xdc0, "GFP_KERNEL|__GFP_ZERO", "K|Z" },
		{ &words, 0x840, "GFP_NOWAIT|__GFP_IO", "NW|I" },
		{ &words, 0x4100, "__GFP_ZERO|__GFP_NEW_THING", "Z|NT" },
		/* The letter H means another flag. */
		{ &words, 0x8000, "__GFP_HANDY", "HANDY" },
		{ &words, 0x10000, "OTHER", "O" },
		{ &words, 0x200100, "__GFP_ZERO|0x200000", "Z|0x200000" },
		{ &words, 0, "0", "0" },
		{ &none, 0xcc0, "0xcc0", "0xcc0" },
	};
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		strbuf_reset(&out);
		gfp_put(rows[i].words, rows[i].flags, &out);
		assert_string_equal(strbuf_str(&out), rows[i].full);
		strbuf_reset(&out);
		gfp_put_short(rows[i].words, rows[i].flags, &out);
		assert_string_equal(strbuf_str(&out), rows[i].brief);
	}
	strbuf_release(&out);
}

static void test_order(void **state)
{
	struct kmem_use uses[] = {
		{ .ptr = 1, .requested = 10, .allocated = 20, .hits = 1 },
		{ .ptr = 2, .requested = 20, .allocated = 20, .hits = 5 },
		{ .ptr = 3, .requested = 10, .allocated = 20, .hits = 2 },
		{ .ptr = 4, .requested = 20, .allocated = 20, .hits = 5 },
	};
	struct kmem_pages pages[] = {
		{ .page = 1, .alloc_bytes = 1, .order = 2 },
		{ .page = 2, .alloc_bytes = 4, .order = 1 },
		{ .page = 3, .alloc_bytes = 1, .order = 3 },
	};
	struct kmem_order o;
	struct err err = { 0 };

	assert_int_equal(kmem_order_parse(&o, KMEM_SLAB, "frag, hit", &err), 0);
	kmem_sort_slab(&o, uses, ARRAY_SIZE(uses));
	assert_int_equal(uses[0].ptr, 3);
	assert_int_equal(uses[1].ptr, 1);
	assert_int_equal(uses[2].ptr, 2);
	assert_int_equal(uses[3].ptr, 4);
	assert_int_equal(kmem_order_parse(&o, KMEM_PAGE, "bytes,order", &err), 0);
	kmem_sort_pages(&o, pages, ARRAY_SIZE(pages));
	assert_int_equal(pages[0].page, 2);
	assert_int_equal(pages[1].page, 3);
	assert_int_equal(pages[2].page, 1);
	assert_int_equal(kmem_order_parse(&o, KMEM_PAGE, "hit,frag", &err), -EINVAL);
	assert_string_equal(err.msg, "Unknown page --sort key: 'frag'. There are callsite, bytes, "
				     "hit, page, order, migtype, gfp.");
}

/* -l and -s are about the table that was named last, and -s about the allocator named last, too. */
static void test_options(void **state)
{
	struct kmem_show s = { 0 };
	struct err err = { 0 };

	kmem_show_name_kind(&s, KMEM_SLAB);
	kmem_show_name_table(&s, KMEM_BY_SITE);
	assert_int_equal(kmem_show_limit(&s, "5", &err), 0);
	assert_int_equal(kmem_show_sort(&s, "hit", &err), 0);
	kmem_show_name_kind(&s, KMEM_PAGE);
	kmem_show_name_table(&s, KMEM_BY_MEMORY);
	assert_int_equal(kmem_show_sort(&s, "order,gfp", &err), 0);
	assert_int_equal(kmem_show_settle(&s, &err), 0);
	assert_int_equal(s.lines[KMEM_BY_SITE], 5);
	assert_int_equal(s.lines[KMEM_BY_MEMORY], 0);
	assert_int_equal(s.order[KMEM_SLAB][KMEM_BY_SITE].nr, 1);
	assert_int_equal(s.order[KMEM_SLAB][KMEM_BY_MEMORY].nr, 3);
	assert_int_equal(s.order[KMEM_PAGE][KMEM_BY_SITE].nr, 2);
	assert_int_equal(s.order[KMEM_PAGE][KMEM_BY_MEMORY].nr, 2);

	s = (struct kmem_show){ 0 };
	assert_int_equal(kmem_show_limit(&s, "7", &err), 0);
	assert_int_equal(kmem_show_default(&s, "page", &err), 0);
	assert_int_equal(s.lines[KMEM_BY_SITE], 7);
	assert_int_equal(s.lines[KMEM_BY_MEMORY], 7);
	assert_true(s.kinds[KMEM_PAGE] && !s.kinds[KMEM_SLAB]);
}

static void test_refused(void **state)
{
	static const char *const numbers[] = { "0", "-1", "x", "5x", "", "99999999999999999999999" };
	struct kmem_show s = { 0 };
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		assert_int_equal(kmem_show_limit(&s, numbers[i], &err), -EINVAL);
	assert_int_equal(kmem_show_default(&s, "slub", &err), -EINVAL);
	assert_int_equal(kmem_show_default(&s, NULL, &err), 0);
	assert_true(s.kinds[KMEM_SLAB]);
	s.live = true;
	assert_int_equal(kmem_show_settle(&s, &err), -EINVAL);
	for (int i = 0; i < KMEM_SORTS; i++)
		assert_int_equal(kmem_show_sort(&s, "hit", &err), 0);
	assert_int_equal(kmem_show_sort(&s, "hit", &err), -EINVAL);
	assert_int_equal(kmem_show_sort(&s, NULL, &err), 0);
	assert_int_equal(s.nr_sorts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
