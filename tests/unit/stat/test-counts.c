// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts, and what becomes of them: differences, scaling, sums by aggregation id, runs. */
#include "base/compat.h"
#include "stat/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

#define CLOSE(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* Two events on four CPUs of two sockets. */
struct bed {
	struct evlist l;
	struct counts c;
	struct cpu_place places[4];
	struct aggr_map ids;
	struct stat_result r;
	bool unsupported[2];
};

static void bed_init(struct bed *b, enum aggr_mode mode)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE };

	*b = (struct bed){ 0 };
	evlist_add(&b->l, &attr, "a");
	evlist_add(&b->l, &attr, "b");
	for (int i = 0; i < 4; i++)
		b->places[i] = (struct cpu_place){ .cpu = i, .socket = i / 2, .core = i };
	counts_init(&b->c, 2, 4, 1);
	aggr_map_init(&b->ids, mode, b->places, 4, 1);
	stat_result_init(&b->r, &b->l, &b->ids, b->unsupported);
}

static void bed_release(struct bed *b)
{
	stat_result_release(&b->r);
	aggr_map_release(&b->ids);
	counts_release(&b->c);
	evlist_release(&b->l);
}

static void set(struct bed *b, size_t evsel, size_t cpu, u64 val, u64 enabled, u64 running)
{
	size_t i = counts_index(&b->c, evsel, cpu, 0);

	b->c.now[i] = (struct count){ val, enabled, running };
	b->c.there[i] = true;
}

static double value(const struct bed *b, size_t evsel, size_t id)
{
	return stat_value_at(&b->r, evsel, id)->val;
}

/* A single number: times are added up, then it is scaled. */
static void test_global(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, AGGR_GLOBAL);
	set(&b, 0, 0, 100, 1000, 1000);
	set(&b, 0, 1, 100, 1000, 500);
	set(&b, 0, 2, 0, 1000, 0);
	stat_sum(&b.r, &b.c, b.places, true);
	CLOSE(value(&b, 0, 0), 400);
	assert_int_equal(stat_value_at(&b.r, 0, 0)->places, 3);
	assert_true(stat_counted(&b.r, 0, 0) && !stat_counted(&b.r, 1, 0));
	stat_sum(&b.r, &b.c, b.places, false);
	CLOSE(value(&b, 0, 0), 200);
	bed_release(&b);
}

/* By socket: each CPU is scaled by itself. */
static void test_sockets(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, AGGR_SOCKET);
	set(&b, 0, 0, 100, 1000, 1000);
	set(&b, 0, 1, 100, 1000, 250);
	set(&b, 0, 2, 7, 1000, 1000);
	set(&b, 0, 3, 50, 1000, 0);
	stat_sum(&b.r, &b.c, b.places, true);
	CLOSE(value(&b, 0, 0), 500);
	CLOSE(value(&b, 0, 1), 7);
	bed_release(&b);
}

/* For events of a whole socket, the first CPU of each socket that is there counts. */
static void test_per_pkg(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, AGGR_GLOBAL);
	b.l.evsels[1]->per_pkg = true;
	set(&b, 1, 1, 10, 5, 5);
	set(&b, 1, 2, 100, 5, 5);
	set(&b, 1, 3, 1000, 5, 5);
	stat_sum(&b.r, &b.c, b.places, true);
	CLOSE(value(&b, 1, 0), 110);
	bed_release(&b);
}

/* Since a mark, but not of an event whose value is that of a moment. */
static void test_marks(void **state)
{
	struct bed b;

	(void)state;
	bed_init(&b, AGGR_NONE);
	b.l.evsels[1]->snapshot = true;
	set(&b, 0, 3, 10, 100, 100);
	set(&b, 1, 3, 10, 100, 100);
	counts_mark(&b.c);
	set(&b, 0, 3, 13, 200, 150);
	set(&b, 1, 3, 13, 200, 200);
	stat_sum(&b.r, &b.c, b.places, true);
	CLOSE(value(&b, 0, 3), 6);
	CLOSE(value(&b, 1, 3), 13);
	counts_unmark(&b.c);
	stat_sum(&b.r, &b.c, b.places, false);
	CLOSE(value(&b, 0, 3), 13);
	counts_clear(&b.c);
	stat_sum(&b.r, &b.c, b.places, false);
	assert_int_equal(stat_value_at(&b.r, 0, 3)->places, 0);
	bed_release(&b);
}

static void test_runs(void **state)
{
	static const u64 vals[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct stat_runs runs = { 0 };
	struct bed b;

	(void)state;
	bed_init(&b, AGGR_GLOBAL);
	for (size_t i = 0; i < ARRAY_SIZE(vals); i++) {
		set(&b, 0, 0, vals[i], 10, 10);
		stat_sum(&b.r, &b.c, b.places, true);
		b.r.duration = vals[i] * 10;
		stat_runs_add(&runs, &b.r);
	}
	stat_runs_result(&runs, &b.r);
	CLOSE(value(&b, 0, 0), 5);
	/* variance of the sample 32 / 7, of the mean an eighth of it */
	CLOSE(stat_value_at(&b.r, 0, 0)->spread, 100 * sqrt(32.0 / 7 / 8) / 5);
	assert_int_equal(b.r.duration, 50);
	assert_int_equal(b.r.runs, 8);
	assert_int_equal(runs.duration.min, 20);
	assert_int_equal(runs.duration.max, 90);
	stat_runs_release(&runs);
	bed_release(&b);
}

static void test_spread_of_few(void **state)
{
	struct spread s = { 0 };

	(void)state;
	CLOSE(spread_error(&s), 0);
	CLOSE(spread_percent(&s), 0);
	spread_add(&s, 3);
	CLOSE(spread_error(&s), 0);
	CLOSE(s.mean, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_global),  cmocka_unit_test(test_sockets),
		cmocka_unit_test(test_per_pkg), cmocka_unit_test(test_marks),
		cmocka_unit_test(test_runs),    cmocka_unit_test(test_spread_of_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
