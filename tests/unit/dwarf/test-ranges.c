// SPDX-License-Identifier: GPL-2.0-or-later
/* Ranges in each other, beside each other and across each other. */
#include "base/compat.h"
#include "base/alloc.h"
#include "dwarf/ranges-internal.h"

#include <setjmp.h>
#include <cmocka.h>

/* The owners of the addresses 0 to 31, a character each; '.' for nobody. */
static void expect(const struct addr_range *r, size_t nr, const char *want)
{
	struct range_list list = { 0 };
	struct range_map map;
	char got[33];

	for (size_t i = 0; i < nr; i++)
		range_add(&list, r[i].start, r[i].end, r[i].of);
	range_map_make(&map, &list);
	for (u64 addr = 0; addr < 32; addr++) {
		u32 of = range_map_at(&map, addr);

		got[addr] = of == RANGE_NONE ? '.' : (char)('a' + of);
	}
	got[32] = '\0';
	assert_string_equal(got, want);
	free(map.v);
	free(list.v);
}

static void test_nested(void **state)
{
	static const struct addr_range r[] = { { 2, 30, 0 }, { 6, 18, 1 }, { 10, 14, 2 } };

	(void)state;
	expect(r, 0, "................................");
	expect(r, 1, "..aaaaaaaaaaaaaaaaaaaaaaaaaaaa..");
	expect(r, 3, "..aaaabbbbccccbbbbaaaaaaaaaaaa..");
}

static void test_one_start(void **state)
{
	static const struct addr_range r[] = {
		{ 4, 8, 2 }, { 4, 20, 0 }, { 4, 12, 1 }, { 12, 12, 3 }, { 20, 10, 4 },
	};

	(void)state;
	expect(r, ARRAY_SIZE(r), "....ccccbbbbaaaaaaaa............");
}

static void test_side_by_side(void **state)
{
	static const struct addr_range r[] = {
		{ 8, 12, 1 }, { 0, 4, 0 }, { 4, 8, 0 }, { 16, 20, 2 }
	};

	(void)state;
	expect(r, ARRAY_SIZE(r), "aaaaaaaabbbb....cccc............");
}

/* A range that reaches past the one it is in. */
static void test_across(void **state)
{
	static const struct addr_range r[] = {
		{ 0, 10, 0 }, { 6, 16, 1 }, { 12, 14, 2 }, { 20, UINT64_MAX, 3 }, { 22, 24, 4 },
	};

	(void)state;
	expect(r, ARRAY_SIZE(r), "aaaaaabbbbbbccbb....ddeedddddddd");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_one_start),
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_across),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
