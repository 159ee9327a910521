// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts for Prometheus: names, escapes, families, and totals that never go down. */
#include "base/compat.h"

#include "base/alloc.h"
#include "events/config.h"
#include "stattext/prometheus.h"
#include "stat/totals.h"

#include <setjmp.h>
#include <cmocka.h>

static void check_label(const char *s, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	prometheus_label(s, &sb);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void test_labels(void **state)
{
	check_label("", "");
	check_label("cycles:u", "cycles:u");
	check_label("a\"b\\c\nd", "a\\\"b\\\\c\\nd");
	check_label("t\tu\x7f", "t\\\\x09u\\\\x7f");
	check_label("gr\303\274n \342\202\254", "gr\303\274n \342\202\254");
	check_label("\303", "\\\\xc3");
	check_label("\377a\300\200", "\\\\xffa\\\\xc0\\\\x80");
}

static void test_names(void **state)
{
	struct strbuf sb = STRBUF_INIT;

	prometheus_name("cpu/event=0x3c,umask=1/u sched:x-y.\303\274", &sb);
	assert_string_equal(strbuf_str(&sb), "cpu_event_0x3c_umask_1_u_sched_x_y___");
	strbuf_release(&sb);
}

struct world {
	struct evlist l;
	struct aggr_map ids;
	bool unsupported[8];
	struct stat_result r;
};

static void start(struct world *w, const char *const names[], size_t nr)
{
	struct cpu_place places[2] = { { .cpu = 0 }, { .cpu = 3 } };
	struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT };

	memset(w, 0, sizeof(*w));
	for (size_t i = 0; i < nr; i++)
		evlist_add(&w->l, &attr, names[i]);
	aggr_map_init(&w->ids, AGGR_NONE, places, 2, 1);
	stat_result_init(&w->r, &w->l, &w->ids, w->unsupported);
}

static void end(struct world *w)
{
	stat_result_release(&w->r);
	aggr_map_release(&w->ids);
	evlist_release(&w->l);
}

static void set(struct world *w, size_t evsel, size_t id, double val, u64 enabled, u64 running)
{
	*stat_value_at(&w->r, evsel, id) =
		(struct stat_value){ .val = val, .enabled = enabled, .running = running };
}

/* Counts of one name stand together below one heading, and two equal ones are there once. Events
 * that were not counted have no value, and those that no PMU counts are not there. */
static void test_text(void **state)
{
	static const char *const names[] = { "s:b", "s:a", "s_b", "s:a", "s:gone", "s:never" };
	struct stat_view view = { 0 };
	struct strbuf sb = STRBUF_INIT;
	struct world w;
	const char *text;

	start(&w, names, 6);
	for (size_t i = 0; i < 4; i++)
		for (size_t id = 0; id < 2; id++)
			set(&w, i, id, 100 * (double)i + (double)id, 2000000000, 1000000000);
	w.unsupported[4] = true;
	set(&w, 5, 0, 0, 1000000000, 0);
	w.l.evsels[2]->cgroup = xstrdup("a/\"b\"");
	w.r.duration = 1500000000;
	prometheus_text(&view, &w.r, &sb);
	text = strbuf_str(&sb);
	assert_non_null(strstr(text, "# HELP perf_s_a_total Count of the event s:a.\n"
				     "# TYPE perf_s_a_total counter\n"
				     "perf_s_a_total{event=\"s:a\",cpu=\"0\"} 100\n"
				     "perf_s_a_total{event=\"s:a\",cpu=\"3\"} 101\n"
				     "# HELP perf_s_b_total "));
	assert_non_null(strstr(text, "perf_s_b_total{event=\"s:b\",cpu=\"0\"} 0\n"
				     "perf_s_b_total{event=\"s:b\",cpu=\"3\"} 1\n"
				     "perf_s_b_total{event=\"s_b\",cpu=\"0\","
				     "cgroup=\"a/\\\"b\\\"\"} 200\n"));
	assert_non_null(strstr(text, "# TYPE perf_elapsed_seconds gauge\n"
				     "perf_elapsed_seconds 1.5\n"));
	assert_non_null(strstr(text, "perf_event_running_seconds_total{event=\"s:b\",cpu=\"0\"} "
				     "1\n"));
	assert_null(strstr(text, "gone"));
	assert_null(strstr(text, "perf_s_never_total"));
	assert_non_null(strstr(text, "{event=\"s:never\",cpu=\"0\"} 0\n"));
	strbuf_release(&sb);
	end(&w);
}

static void test_totals(void **state)
{
	static const char *const names[] = { "s:a", "s:temperature" };
	struct stat_totals t = { 0 };
	struct world w;

	start(&w, names, 2);
	w.l.evsels[1]->snapshot = true;
	set(&w, 0, 0, 1000, 10, 1);
	set(&w, 1, 0, 50, 10, 10);
	totals_take(&t, &w.r);
	assert_true(stat_value_at(&w.r, 0, 0)->val == 1000);
	/* it was scaled up by less this time */
	set(&w, 0, 0, 550, 11, 2);
	set(&w, 1, 0, 40, 11, 11);
	totals_take(&t, &w.r);
	assert_true(stat_value_at(&w.r, 0, 0)->val == 1000);
	assert_int_equal(stat_value_at(&w.r, 0, 0)->enabled, 11);
	assert_true(stat_value_at(&w.r, 1, 0)->val == 40);
	/* the next run starts from nothing, the total does not */
	totals_next_run(&t, &w.r);
	set(&w, 0, 0, 5, 1, 1);
	totals_take(&t, &w.r);
	assert_true(stat_value_at(&w.r, 0, 0)->val == 1005);
	assert_int_equal(stat_value_at(&w.r, 0, 0)->running, 3);
	totals_release(&t);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_totals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
