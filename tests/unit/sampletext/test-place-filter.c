// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the filter of addresses that perf script is asked for. */
#include "base/compat.h"
#include "sampletext/place-filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void test_addresses(void **state)
{
	struct place_filter f = { 0 };
	struct err err = { 0 };

	(void)state;
	assert_false(place_filter_any(&f));
	assert_int_equal(place_filter_symbols(&f, "2000,0x1000,add,main", &err), 0);
	assert_true(place_filter_any(&f));
	assert_int_equal(f.nr_addrs, 3);
	assert_true(place_filter_addr(&f, 0x1000) && place_filter_addr(&f, 0xadd));
	assert_false(place_filter_addr(&f, 0x1001) || place_filter_addr(&f, 0xadc));
	f.range = 0x10;
	assert_true(place_filter_addr(&f, 0x100f) && place_filter_addr(&f, 0x200f));
	assert_false(place_filter_addr(&f, 0x1010) || place_filter_addr(&f, 0x1fff));
	assert_false(place_filter_addr(&f, 0) || place_filter_addr(&f, UINT64_MAX));
	place_filter_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
