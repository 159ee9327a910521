// SPDX-License-Identifier: GPL-2.0-or-later
/* Test that items are sorted by their keys, and that those with equal keys stay in their order. */
#include "base/compat.h"
#include "symbol/radix.h"

#include <setjmp.h>
#include <cmocka.h>

#define MANY 3000

static void sort_and_check(struct radix_item *v, size_t nr)
{
	u64 before = 0, after = 0;

	for (size_t i = 0; i < nr; i++) {
		v[i].of = (u32)i;
		before += v[i].key;
	}
	radix_sort(v, nr);
	for (size_t i = 0; i < nr; i++) {
		after += v[i].key;
		if (!i)
			continue;
		assert_true(v[i - 1].key <= v[i].key);
		if (v[i - 1].key == v[i].key)
			assert_true(v[i - 1].of < v[i].of);
	}
	assert_int_equal(before, after);
}

static void test_few(void **state)
{
	struct radix_item v[] = { { UINT64_MAX, 0 }, { 0, 0 }, { 1ULL << 56, 0 }, { 0, 0 } };

	(void)state;
	sort_and_check(v, 0);
	sort_and_check(v, 1);
	sort_and_check(v, 2);
	sort_and_check(v, ARRAY_SIZE(v));
	assert_int_equal(v[0].key, 0);
	assert_int_equal(v[1].key, 0);
	assert_int_equal(v[2].key, 1ULL << 56);
	assert_int_equal(v[3].key, UINT64_MAX);
}

/* Keys differ in all bytes, in one, in two or in none. */
static void test_many(void **state)
{
	static const u64 masks[] = { UINT64_MAX, 0xff00, 0xff0000ff, 0xf000000000000000, 0 };
	static struct radix_item v[MANY];
	u64 x = 88172645463325252ULL;

	(void)state;
	for (size_t k = 0; k < ARRAY_SIZE(masks); k++) {
		for (size_t i = 0; i < MANY; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			v[i].key = x & masks[k];
		}
		sort_and_check(v, MANY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
