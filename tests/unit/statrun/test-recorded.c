// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts that are recorded and read again: intervals, the whole run, what is missing. Time is
 * counted, which perf measures itself. */
#include "base/compat.h"
#include "base/alloc.h"
#include "events/parse.h"
#include "statrun/recorded.h"
#include "statrun/statrun.h"
#include "tmp-tree.h"

#include <setjmp.h>

#include <cmocka.h>

/* The results that a listener has heard of. */
struct heard {
	const struct stat_results *results;
	double values[16];
	u64 times[16];
	size_t nr, runs;
	double whole;
	u64 wall;
};

static void on_interval(void *ctx, u64 time)
{
	struct heard *h = ctx;

	h->times[h->nr % 16] = time;
	h->values[h->nr % 16] = stat_value_at(&h->results->last, 0, 0)->val;
	h->nr++;
}

static void on_run_end(void *ctx)
{
	struct heard *h = ctx;

	h->whole = stat_value_at(&h->results->last, 0, 0)->val;
	h->wall = h->results->times.wall;
	h->runs++;
}

static char *recording(const char *dir)
{
	return xasprintf("%s/perf.data", dir);
}

static void record(const char *dir, unsigned int interval, struct heard *h)
{
	static const char *const argv[] = { "stat", "record", "sleep" };
	static char *const words[] = { (char *)(uintptr_t) "sleep", (char *)(uintptr_t) "60",
				       NULL };
	const struct sysroot sr = { .prefix = dir };
	const struct stat_listener to = { .ctx = h, .interval = on_interval };
	char *path = recording(dir);
	struct stat_options o = { .sysroot = &sr,
				  .command = words,
				  .scale = true,
				  .repeat = 1,
				  .interval = interval,
				  .interval_count = interval ? 3 : 0,
				  .timeout = interval ? 0 : 20,
				  .file = { path, argv, 3 } };
	const struct parse_env env = { .sr = &sr };
	struct evlist l = { 0 };
	struct parse_error pe;
	struct err err = { 0 };
	struct stat_run *run;

	assert_int_equal(parse_events(&l, "duration_time,user_time", &env, &pe), 0);
	run = stat_run_new(&o, &l, &to, &err);
	assert_non_null(run);
	h->results = stat_run_results(run);
	assert_int_equal(stat_run_all(run, &err), 0);
	h->whole = stat_value_at(&h->results->last, 0, 0)->val;
	h->wall = h->results->times.wall;
	assert_int_equal(stat_run_finish(run, &err), 0);
	stat_run_free(run);
	evlist_release(&l);
	free(path);
}

static void read_back(const char *dir, const struct stat_recorded_options *how, struct heard *h,
		      struct stat_recorded *r)
{
	const struct stat_listener to = { .ctx = h,
					  .interval = on_interval,
					  .run_end = on_run_end };
	struct stat_recorded_options o = *how;
	char *path = recording(dir);
	struct err err = { 0 };

	o.path = path;
	assert_int_equal(stat_recorded_open(r, &o, &err), 0);
	h->results = &r->results;
	assert_int_equal(stat_recorded_read(r, &to, &err), 0);
	assert_int_equal(r->bad, 0);
	free(path);
}

static void test_intervals(void **state)
{
	const struct stat_recorded_options how = { 0 };
	struct heard written = { 0 }, got = { 0 };
	struct stat_recorded r;
	char *dir = tmp_dir();

	(void)state;
	record(dir, 15, &written);
	assert_int_equal(written.nr, 3);
	read_back(dir, &how, &got, &r);
	assert_int_equal(r.interval, 15);
	assert_true(r.any_round);
	assert_string_equal(r.command[2], "record");
	assert_int_equal(got.nr, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(got.times[i], written.times[i]);
		assert_true(got.values[i] == written.values[i]);
	}
	stat_recorded_close(&r);
	tmp_remove(dir);
}

static void test_whole_run(void **state)
{
	const struct stat_recorded_options how = { 0 };
	struct heard written = { 0 }, got = { 0 };
	struct stat_recorded r;
	char *dir = tmp_dir();

	(void)state;
	record(dir, 0, &written);
	read_back(dir, &how, &got, &r);
	assert_int_equal(got.nr, 0);
	assert_int_equal(got.runs, 1);
	assert_int_equal(got.wall, written.wall);
	assert_true(got.whole == written.whole);
	stat_recorded_close(&r);
	tmp_remove(dir);
}

/* Counts that were not made by CPU cannot be told apart by CPU. */
static void test_other_mode(void **state)
{
	const struct stat_recorded_options how = { .mode_given = true, .mode = AGGR_CORE };
	struct heard written = { 0 }, got = { 0 };
	struct stat_recorded r;
	char *dir = tmp_dir();

	(void)state;
	record(dir, 0, &written);
	read_back(dir, &how, &got, &r);
	assert_int_equal(r.results.last.ids->mode, AGGR_GLOBAL);
	assert_true(got.whole == written.whole);
	stat_recorded_close(&r);
	tmp_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_whole_run),
		cmocka_unit_test(test_other_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
