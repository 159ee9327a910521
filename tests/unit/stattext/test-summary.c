// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the lines around the rows: times of one run and of several, the table of runs, advice. */
#include "base/compat.h"
#include "stattext/summary.h"

#include <setjmp.h>

#include <cmocka.h>

static void check(const struct stat_summary *s, const char *head, const char *foot)
{
	struct strbuf sb = STRBUF_INIT;

	stat_head_text(s, &sb);
	assert_string_equal(strbuf_str(&sb), head);
	strbuf_reset(&sb);
	stat_foot_text(s, &sb);
	assert_string_equal(strbuf_str(&sb), foot);
	strbuf_release(&sb);
}

static void test_one_run(void **state)
{
	const struct spread none = { 0 };
	struct stat_summary s = { .target = "'sleep 1",
				  .durations = &none,
				  .times = { 1500000000, 250000000, 125000000 } };

	(void)state;
	check(&s, "\n Performance counter stats for 'sleep 1':\n\n",
	      "\n       1.500000000 seconds time elapsed\n\n");
	s.command_alone = s.no_rows = true;
	check(&s, "\n Performance counter stats for 'sleep 1':\n\n",
	      "       1.500000000 seconds time elapsed\n\n       0.250000000 seconds user\n"
	      "       0.125000000 seconds sys\n\n\n");
}

static void test_several_runs(void **state)
{
	const u64 walls[] = { 1000000000, 3000000000 };
	struct spread d = { 0 };
	struct stat_summary s = {
		.target = "'x", .several = true, .command_alone = true, .durations = &d
	};

	(void)state;
	spread_add(&d, 1e9);
	spread_add(&d, 3e9);
	check(&s, "\n Performance counter stats for 'x' (2 runs):\n\n",
	      "\n              2.00 +- 1.00 seconds time elapsed  ( +- 50.00% )\n\n");
	s.walls = walls;
	s.nr_walls = ARRAY_SIZE(walls);
	check(&s, "\n Performance counter stats for 'x' (2 runs):\n\n",
	      "\n              # Table of individual measurements:\n"
	      "              1.00 (-1.00) #####################\n"
	      "              3.00 (+1.00) #######\n"
	      "\n              # Final result:\n"
	      "              2.00 +- 1.00 seconds time elapsed  ( +- 50.00% )\n\n");
}

/* An event of type @type in a group with one of type @other, neither of which was counted. */
static void check_advice(u32 type, u32 other, bool watchdog, const char *want)
{
	struct perf_event_attr attr = { .type = type }, attr2 = { .type = other };
	const struct cpu_place place = { 0 };
	bool unsupported[2] = { false, false };
	struct strbuf sb = STRBUF_INIT;
	struct stat_result r;
	struct evlist l = { 0 };
	struct aggr_map ids;

	evlist_add(&l, &attr, "a");
	evlist_add(&l, &attr2, "b");
	evlist_group(&l, 0, 2);
	aggr_map_init(&ids, AGGR_GLOBAL, &place, 1, 1);
	stat_result_init(&r, &l, &ids, unsupported);
	stat_advice_text(&r, watchdog, &sb);
	assert_int_equal(!*want, !sb.len);
	assert_non_null(strstr(strbuf_str(&sb), want));
	strbuf_release(&sb);
	stat_result_release(&r);
	aggr_map_release(&ids);
	evlist_release(&l);
}

static void test_advice(void **state)
{
	(void)state;
	check_advice(PERF_TYPE_HARDWARE, PERF_TYPE_HARDWARE, true,
		     "Try disabling the NMI watchdog");
	check_advice(PERF_TYPE_HARDWARE, PERF_TYPE_HARDWARE, false, "");
	check_advice(PERF_TYPE_SOFTWARE, PERF_TYPE_TRACEPOINT, true, "");
	check_advice(PERF_TYPE_HARDWARE, 20, false, "have to be from the same PMU");
	check_advice(PERF_TYPE_HARDWARE, PERF_TYPE_SOFTWARE, false, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_run),
		cmocka_unit_test(test_several_runs),
		cmocka_unit_test(test_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
