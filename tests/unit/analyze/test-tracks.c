// SPDX-License-Identifier: GPL-2.0-or-later
/* Test counts over time in tracks: slices at round times, times outside, the order of tracks. */
#include "base/compat.h"

#include "analyze/tracks.h"

#include <setjmp.h>
#include <cmocka.h>

static void test_nothing(void **state)
{
	struct tracks l;

	tracks_init(&l, 5000, 5000);
	assert_int_equal(l.nr_slices, 1);
	tracks_sort(&l, true);
	assert_int_equal(l.nr, 0);
	tracks_release(&l);
}

/* All slices together have the first and the last time in them, whatever these are. */
static void test_slices(void **state)
{
	static const struct {
		u64 first, last, start, step;
		u32 nr_slices;
	} rows[] = {
		{ 0, 0, 0, 1, 1 },
		{ 1003, 2000, 1003, 1, 998 },
		{ 1003, 2201, 1003, 1, 1199 },
		{ 1003, 2203, 1002, 2, 601 },
		{ 1000000000, 2000000000, 1000000000, 1000000, 1001 },
		{ 1000999999, 2199999998, 1000000000, 1000000, 1200 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct tracks l;

		tracks_init(&l, rows[i].first, rows[i].last);
		assert_int_equal(l.start, rows[i].start);
		assert_int_equal(l.step, rows[i].step);
		assert_int_equal(l.nr_slices, rows[i].nr_slices);
		assert_true(l.nr_slices <= TRACKS_SLICES);
		tracks_release(&l);
	}
}

static void test_counts(void **state)
{
	struct tracks l;

	tracks_init(&l, 100, 109);
	tracks_add(&l, 7, 1, 100);
	tracks_add(&l, 7, 2, 103);
	tracks_add(&l, 3, 9, 109);
	tracks_add(&l, 3, 9, 50);         /* before all */
	tracks_add(&l, 3, 9, UINT64_MAX); /* behind all */
	tracks_sort(&l, false);
	assert_int_equal(l.nr, 2);
	assert_int_equal(l.v[0].id, 3);
	assert_int_equal(l.v[0].nr, 3);
	assert_int_equal(tracks_count(&l.v[0], 0, 1), 1);
	assert_int_equal(tracks_count(&l.v[0], 1, 9), 0);
	assert_int_equal(tracks_count(&l.v[0], 9, 10), 2);
	assert_int_equal(tracks_count(&l.v[0], 0, UINT32_MAX), 3);
	assert_int_equal(l.all.nr, 5);
	assert_int_equal(tracks_count(&l.all, 0, 4), 3);
	assert_int_equal(l.v[1].id, 7);
	assert_int_equal(l.v[1].name, 2);
	assert_int_equal(tracks_count(&l.v[1], 0, 4), 2);
	assert_int_equal(tracks_count(&l.v[1], 4, 10), 0);
	tracks_release(&l);
}

static void test_busiest(void **state)
{
	static const u32 ids[] = { 5, 9, 2, 9, 4, 9, 4 }, order[] = { 9, 4, 2, 5 };
	struct tracks l;

	tracks_init(&l, 0, 10);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		tracks_add(&l, ids[i], 0, i);
	tracks_sort(&l, true);
	assert_int_equal(l.nr, ARRAY_SIZE(order));
	for (size_t i = 0; i < ARRAY_SIZE(order); i++)
		assert_int_equal(l.v[i].id, order[i]);
	tracks_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_busiest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
