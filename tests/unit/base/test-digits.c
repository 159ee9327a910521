// SPDX-License-Identifier: GPL-2.0-or-later
/* Test numbers as text, beside what printf() makes of them. */
#include "base/compat.h"
#include "base/units.h"

#include <setjmp.h>
#include <cmocka.h>

static void check(u64 v)
{
	char text[DIGITS_DEC + 1], hex[DIGITS_HEX + 1], want[32];

	*digits_dec(text, v) = '\0';
	snprintf(want, sizeof(want), "%" PRIu64, v);
	assert_string_equal(text, want);
	*digits_hex(hex, v) = '\0';
	snprintf(want, sizeof(want), "%" PRIx64, v);
	assert_string_equal(hex, want);
}

static void test_all_small(void **state)
{
	for (u64 v = 0; v < 70000; v++)
		check(v);
}

/* Numbers around each change of the number of digits come out right. */
static void test_edges(void **state)
{
	u64 v = 1;

	for (int i = 0; i < 64; i++)
		for (u64 d = 0; d < 5; d++)
			check((1ULL << i) + d - 2);
	for (int i = 0; i < 20; i++, v *= 10)
		for (u64 d = 0; d < 5; d++)
			check(v + d - 2);
	check(UINT64_MAX);
}

static void test_any(void **state)
{
	u64 v = 88172645463325252ULL;

	for (int i = 0; i < 100000; i++) {
		v ^= v << 13;
		v ^= v >> 7;
		v ^= v << 17;
		check(v >> (i & 63));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_small),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
