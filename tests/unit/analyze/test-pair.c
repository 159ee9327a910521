// SPDX-License-Identifier: GPL-2.0-or-later
/* Test pairs of events by tables of them, their histogram and grid; keys of samples. */
#include "base/compat.h"
#include "analyze/density.h"
#include "analyze/pair-key.h"

#include <setjmp.h>
#include <cmocka.h>

struct step {
	char what; /* s: start, e: end */
	u64 key, time;
};

static struct pairs *play(const struct step *steps)
{
	struct pairs *p = pairs_new(1, 10, GRID_BEGIN, 1);

	for (; steps->what; steps++)
		(steps->what == 's' ? pairs_start : pairs_end)(p, &steps->key, steps->time);
	return p;
}

static const u64 no_key;

static void test_tables(void **state)
{
	static const struct {
		const char *name;
		struct step steps[8];
		u64 pairs, sum, min, max, max_time, replaced, open, alone, backwards;
	} rows[] = {
		{ "none", { { 0 } }, 0, 0, 0, 0, 0, 0, 0, 0, 0 },
		{ "one", { { 's', 1, 10 }, { 'e', 1, 15 } }, 1, 5, 5, 5, 15, 0, 0, 0, 0 },
		{ "crossed",
		  { { 's', 1, 10 }, { 's', 2, 11 }, { 'e', 1, 15 }, { 'e', 2, 31 } },
		  2,
		  25,
		  5,
		  20,
		  31,
		  0,
		  0,
		  0,
		  0 },
		{ "no end",
		  { { 's', 1, 10 }, { 's', 2, 11 }, { 'e', 2, 12 } },
		  1,
		  1,
		  1,
		  1,
		  12,
		  0,
		  1,
		  0,
		  0 },
		{ "no start",
		  { { 'e', 1, 10 }, { 's', 1, 11 }, { 'e', 2, 12 } },
		  0,
		  0,
		  0,
		  0,
		  0,
		  0,
		  1,
		  2,
		  0 },
		{ "the later start counts, the outer end has none",
		  { { 's', 1, 10 }, { 's', 1, 20 }, { 'e', 1, 23 }, { 'e', 1, 40 } },
		  1,
		  3,
		  3,
		  3,
		  23,
		  1,
		  0,
		  1,
		  0 },
		{ "the clock goes back",
		  { { 's', 1, 10 }, { 'e', 1, 9 }, { 'e', 1, 12 }, { 's', 1, 5 }, { 'e', 1, 5 } },
		  1,
		  0,
		  0,
		  0,
		  5,
		  0,
		  0,
		  1,
		  1 },
		{ "keys of zero", { { 's', 0, 0 }, { 'e', 0, 7 } }, 1, 7, 7, 7, 7, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pairs *p = play(rows[i].steps);
		const struct pair_result *r = pairs_result(p);

		if (r->pairs != rows[i].pairs || r->sum != rows[i].sum || r->min != rows[i].min ||
		    r->max != rows[i].max || r->max_time != rows[i].max_time ||
		    r->replaced != rows[i].replaced || r->open != rows[i].open ||
		    r->alone != rows[i].alone || r->backwards != rows[i].backwards)
			fail_msg("%s", rows[i].name);
		assert_int_equal(r->starts, r->pairs + r->backwards + r->replaced + r->open);
		assert_int_equal(r->ends, r->pairs + r->backwards + r->alone);
		pairs_free(p);
	}
}

/* Many keys, in an order that makes holes everywhere: every pair is found again. */
static void test_many(void **state)
{
	enum { N = 20000 };
	struct pairs *p = pairs_new(2, 100, 0, 1);
	u64 sum = 0;

	for (u64 i = 0; i < N; i++) {
		const u64 key[2] = { i % 7, i };

		pairs_start(p, key, i);
	}
	for (u64 i = 0; i < N; i++) {
		u64 n = i * 7919 % N;
		const u64 key[2] = { n % 7, n }, other[2] = { n % 7 + 1, n };

		pairs_end(p, other, N + i);
		pairs_end(p, key, N + i);
		sum += N + i - n;
	}
	assert_int_equal(pairs_result(p)->pairs, N);
	assert_int_equal(pairs_result(p)->alone, N);
	assert_int_equal(pairs_result(p)->open, 0);
	assert_int_equal(pairs_result(p)->sum, sum);
	pairs_free(p);
}

static void test_quantiles(void **state)
{
	static const u32 parts[] = { 1, 500000, 900000, 990000, 999000, 1000000 };
	struct pairs *p = pairs_new(0, 10, 0, 1);

	assert_int_equal(pairs_quantile(p, 500000), 0);
	for (u64 i = 1; i <= 100000; i++) {
		pairs_start(p, &no_key, 0);
		pairs_end(p, &no_key, i * 1000);
	}
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		u64 want = MAX(parts[i] / 10, 1u) * 1000ULL, got = pairs_quantile(p, parts[i]);

		assert_in_range(got, want - want / 100, want + want / 100);
	}
	pairs_free(p);
}

static void test_scales(void **state)
{
	static const struct {
		u64 latency, low, high;
	} rows[] = {
		{ 0, 0, 1 },
		{ 1, 1, 2 },
		{ 3, 2, 4 },
		{ 511, 256, 512 },
		{ 999, 512, 1000 },
		{ 1000, 1000, 2000 },
		{ 1999, 1000, 2000 },
		{ 999999, 512000, 1000000 },
		{ 3000000, 2000000, 4000000 },
		{ 1000000000, 1000000000, 2000000000 },
		{ 100000000000, 64000000000, 128000000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct pairs *p = pairs_new(0, 1, 0, 1);
		const struct pair_result *r;
		u32 step = 0, row = 0;

		pairs_start(p, &no_key, 0);
		pairs_end(p, &no_key, rows[i].latency);
		r = pairs_result(p);
		while (!r->steps[step])
			step++;
		assert_int_equal(pair_step_low(step), rows[i].low);
		assert_int_equal(pair_step_low(step + 1), rows[i].high);
		while (!r->grid.cells[row])
			row++;
		assert_in_range(rows[i].latency, pair_row_low(row), pair_row_low(row + 1) - 1);
		pairs_free(p);
	}
	for (u32 row = 0; row < PAIR_ROWS; row++)
		assert_true(pair_row_low(row) < pair_row_low(row + 1));
}

static void test_grid(void **state)
{
	struct grid g;
	u64 sum = 0;

	grid_init(&g, 4, 2, GRID_BEGIN, 10);
	grid_add(&g, 105, 0);
	assert_int_equal(g.start, 100);
	grid_add(&g, 50, 1); /* before the first column */
	grid_add(&g, 139, 1);
	assert_int_equal(g.used, 4);
	grid_add(&g, 140, 1);
	assert_int_equal(g.step, 20);
	assert_int_equal(g.used, 3);
	assert_int_equal(g.cells[0 * 2 + 0], 1);
	assert_int_equal(g.cells[0 * 2 + 1], 1);
	assert_int_equal(g.cells[1 * 2 + 1], 1);
	assert_int_equal(g.cells[2 * 2 + 1], 1);
	grid_add(&g, UINT64_MAX, 0);
	for (u32 i = 0; i < 8; i++)
		sum += g.cells[i];
	assert_int_equal(sum, 5);
	grid_release(&g);
	assert_int_equal(grid_step(0, 100), 1);
	assert_int_equal(grid_step(99, 100), 1);
	assert_int_equal(grid_step(100, 100), 2);
	assert_int_equal(grid_step(499, 100), 5);
	assert_int_equal(grid_step(1000000000, 100), 20000000);
	assert_true(grid_step(UINT64_MAX, 1) > 0);
	density_init(&g, GRID_BEGIN);
	density_add(&g, 5000000007); /* seconds count from here */
	density_add(&g, 6020000007);
	assert_int_equal(g.start, 5000000007);
	assert_int_equal(g.cells[0], 1);
	assert_int_equal(g.cells[DENSITY_ROWS + 1], 1);
	grid_release(&g);
}

/* ---- keys ---- */

static const char format[] = "name: probe\nID: 77\nformat:\n"
			     "\tfield:int pid;\toffset:4;\tsize:4;\tsigned:1;\n"
			     "\tfield:char name[8];\toffset:8;\tsize:8;\tsigned:0;\n\n"
			     "print fmt: \"%d\", REC->pid\n";

static void refused(const struct evlist *l, const char *key, const char *start, const char *end)
{
	struct pair_keys k = { 0 };
	struct err err = { 0 };
	int ret = pair_keys_parse(&k, key, &err);

	if (!ret)
		ret = pair_keys_bind(&k, l, NULL, start, end, &err);
	assert_true(ret < 0 && err.msg[0]);
	pair_keys_release(&k);
}

static void test_keys(void **state)
{
	const struct perf_event_attr tp = { .type = PERF_TYPE_TRACEPOINT,
					    .config = 77,
					    .size = sizeof(tp),
					    .sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_TID };
	const struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE,
					       .size = sizeof(clock),
					       .sample_type = PERF_SAMPLE_TID };
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct pair_keys k = { 0 };
	struct evlist l = { 0 };
	struct evsel *probe = evlist_add(&l, &tp, "sys:probe:u");
	struct evsel *plain = evlist_add(&l, &clock, "cpu-clock");
	u8 raw[16] = { 77, 0, 0, 0, 5, 0, 0, 0, 'a', 'b', 0, 'x' };
	struct sample s = { .pid = 8, .tid = 5, .raw = raw, .raw_size = sizeof(raw) };
	u64 a[3], b[3];

	assert_non_null(tracefmt_add(tf, "sys", format, sizeof(format) - 1, NULL));
	assert_int_equal(pair_keys_parse(&k, "pid=tid,sample.pid=pid,comm", NULL), 0);
	assert_int_equal(pair_keys_bind(&k, &l, tf, "sys:probe", "cpu-clock", NULL), 0);
	assert_true(pair_keys_role(&k, probe, PAIR_START));
	assert_false(pair_keys_role(&k, probe, PAIR_END));
	assert_true(pair_keys_role(&k, plain, PAIR_END));
	assert_true(pair_keys_get(&k, probe, PAIR_START, &s, 9, a));
	assert_true(pair_keys_get(&k, plain, PAIR_END, &s, 9, b));
	assert_int_equal(a[0], 5);
	assert_int_equal(a[1], 8);
	assert_int_equal(a[2], 9);
	assert_memory_equal(a, b, sizeof(a));
	pair_keys_release(&k);
	/* text is compared up to its end; what was cut off has no key */
	assert_int_equal(pair_keys_parse(&k, "name", NULL), 0);
	assert_int_equal(pair_keys_bind(&k, &l, tf, "sys:probe", "sys:probe", NULL), 0);
	assert_true(pair_keys_get(&k, probe, PAIR_START, &s, 0, a));
	raw[11] = 'y';
	assert_true(pair_keys_get(&k, probe, PAIR_END, &s, 0, b));
	assert_int_equal(a[0], b[0]);
	raw[9] = 'c';
	assert_true(pair_keys_get(&k, probe, PAIR_END, &s, 0, b));
	assert_int_not_equal(a[0], b[0]);
	pair_keys_release(&k);
	assert_int_equal(pair_keys_parse(&k, "pid", NULL), 0);
	assert_int_equal(pair_keys_bind(&k, &l, tf, "sys:probe", "sys:probe", NULL), 0);
	s.raw_size = 6;
	assert_false(pair_keys_get(&k, probe, PAIR_START, &s, 0, a));
	pair_keys_release(&k);
	refused(&l, "", "cpu-clock", "cpu-clock");
	refused(&l, "pid=", "cpu-clock", "cpu-clock");
	refused(&l, "pid,", "cpu-clock", "cpu-clock");
	refused(&l, "a,b,c,d,e,f,g,h,i", "cpu-clock", "cpu-clock");
	refused(&l, "name", "sys:probe", "cpu-clock");
	refused(&l, "cpu", "cpu-clock", "cpu-clock");
	refused(&l, "pid", "cpu-clock", "cpu");
	evlist_release(&l);
	tracefmt_free(tf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),    cmocka_unit_test(test_many),
		cmocka_unit_test(test_quantiles), cmocka_unit_test(test_scales),
		cmocka_unit_test(test_grid),      cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
