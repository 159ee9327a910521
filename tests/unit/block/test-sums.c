// SPDX-License-Identifier: GPL-2.0-or-later
/* Test sums of I/O, their latencies, sizes of requests and distances between them. */
#include "base/compat.h"
#include "block/places.h"

#include <setjmp.h>
#include <cmocka.h>

static struct block_io request(u32 kind, u64 q, u64 g, u64 i, u64 d, u64 c, u64 e)
{
	const u64 at[BLOCK_MOMENTS] = { q, g, i, d, c, e };
	struct block_io io = {
		.dev = 5, .sector = 100, .sectors = 8, .done = 8, .rw = { (u8)kind, BLOCK_SYNC }
	};

	for (u32 m = 0; m < BLOCK_MOMENTS; m++) {
		io.at[m] = at[m];
		io.seen |= at[m] ? 1U << m : 0;
	}
	return io;
}

static const struct block_key first = { .dev = 5, .task = 1, .rwbs = "WS" };
static const struct block_key second = { .dev = 5, .task = 2, .rwbs = "WS" };

static void test_rows(void **state)
{
	struct block_sums s = { .by = BLOCK_BY_DEV | BLOCK_BY_TASK }, all = { .by = BLOCK_BY_DEV };
	struct block_io queued = request(BLOCK_WRITE, 1, 3, 6, 10, 20, 20);
	struct block_io direct = request(BLOCK_WRITE, 1, 3, 0, 10, 20, 50);
	struct block_io bio = request(BLOCK_WRITE, 2, 4, 0, 0, 0, 20);

	block_sums_end(&s, &first, &queued);
	block_sums_end(&s, &second, &direct);
	block_sums_merge(&s, &second, BLOCK_WRITE);
	block_sums_member(&s, &second, &bio);
	assert_int_equal(s.nr, 3);
	assert_int_equal(s.rows[1].key.task, 1);
	assert_string_equal(s.rows[1].key.rwbs, ""); /* rows do not differ in it */
	assert_int_equal(s.rows[1].times[BLOCK_I2D]->sum, 4);
	assert_null(s.rows[1].times[BLOCK_G2D]);
	assert_null(s.rows[1].times[BLOCK_C2E]);
	assert_int_equal(s.rows[2].times[BLOCK_G2D]->sum, 7);
	assert_int_equal(s.rows[2].times[BLOCK_C2E]->sum, 30);
	assert_int_equal(s.rows[2].times[BLOCK_Q2C]->nr, 1);
	assert_int_equal(s.rows[2].times[BLOCK_Q2M]->sum, 2);
	assert_int_equal(s.rows[2].times[BLOCK_M2C]->sum, 16);
	block_sums_fold(&all, &s);
	assert_int_equal(all.nr, 2);
	assert_int_equal(all.rows[1].requests[BLOCK_WRITE], 2);
	assert_int_equal(all.rows[1].merges[BLOCK_WRITE], 1);
	assert_int_equal(all.rows[1].sectors[BLOCK_WRITE], 16);
	assert_int_equal(all.rows[1].sync, 2);
	assert_int_equal(all.rows[1].times[BLOCK_Q2C]->sum, 19 + 49);
	assert_int_equal(all.rows[1].times[BLOCK_Q2C]->min, 19);
	assert_int_equal(all.rows[1].times[BLOCK_Q2C]->max, 49);
	block_sums_release(&s);
	block_sums_release(&all);
}

/* The latencies of a request that are parts of its whole way are all of it. */
static void test_parts(void **state)
{
	struct block_sums s = { 0 };
	const struct block_io ios[] = {
		request(BLOCK_WRITE, 1, 3, 6, 10, 20, 20),
		request(BLOCK_WRITE, 5, 8, 0, 10, 20, 50),
		request(BLOCK_WRITE, 5, 9, 0, 0, 0, 70),
		request(BLOCK_FLUSH, 0, 0, 0, 9, 70, 70),
	};
	u64 parts = 0;

	for (size_t i = 0; i < ARRAY_SIZE(ios); i++)
		block_sums_end(&s, &first, &ios[i]);
	for (u32 span = 0; span < BLOCK_Q2C; span++)
		parts += s.rows[1].times[span] ? s.rows[1].times[span]->part : 0;
	assert_int_equal(s.rows[1].times[BLOCK_D2C]->nr, 3);
	assert_int_equal(parts, s.rows[1].times[BLOCK_Q2C]->sum);
	block_sums_release(&s);
}

static void test_quantiles(void **state)
{
	struct block_times t = { .min = UINT64_MAX };

	assert_int_equal(block_times_quantile(&t, 500000), 0);
	assert_int_equal(block_times_mean(&t), 0);
	for (u64 i = 1; i <= 1000; i++)
		block_times_add(&t, i * 1000);
	assert_in_range(block_times_quantile(&t, 500000), 500000, 562500);
	assert_in_range(block_times_quantile(&t, 990000), 990000, 1000000);
	assert_int_equal(block_times_quantile(&t, 1000000), 1000000);
}

static void test_places(void **state)
{
	static const struct {
		u64 sector;
		u32 sectors;
	} steps[] = {
		{ 100, 8 }, { 108, 8 }, { 1116, 1 }, { 117, 8 }, { 5, 0 }, { 125, 8192 << 3 }
	};
	struct block_places p = { 0 };
	const struct block_place *at;

	assert_null(block_place_of(&p, 5));
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		struct block_io io = { .dev = 5,
				       .sector = steps[i].sector,
				       .sectors = steps[i].sectors,
				       .done = steps[i].sectors };

		block_places_issue(&p, &io);
		block_places_end(&p, &io);
	}
	at = block_place_of(&p, 5);
	assert_int_equal(at->sequential, 2);
	assert_int_equal(at->seek.nr, 2);
	assert_int_equal(at->seek.sum, 1000 + 1000);
	assert_int_equal(at->sizes[BLOCK_READ][0], 1);
	assert_int_equal(at->sizes[BLOCK_READ][3], 3);
	assert_int_equal(at->sizes[BLOCK_READ][BLOCK_SIZES - 1], 1);
	block_places_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
