// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the line above a live profile. */
#include "base/compat.h"
#include "toprun/title.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void check(const struct toprun_title *t, const struct toprun_numbers *n, const char *want)
{
	struct strbuf sb = STRBUF_INIT;

	toprun_title(t, n, &sb);
	assert_string_equal(strbuf_str(&sb), want);
	strbuf_release(&sb);
}

static void test_title(void **state)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.sample_freq = 4000,
					.freq = 1 };
	struct perf_event_attr dummy = { .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_DUMMY };
	struct target target = { .all_cpus = true };
	struct evlist l = { 0 };
	struct toprun_title t = { .target = &target, .events = &l, .nr_cpus = 2 };
	struct toprun_numbers n = { .seconds = 2,
				    .cpu = 0.012,
				    .samples = 16000,
				    .kernel = 4000,
				    .exact = 8,
				    .lost = 1,
				    .lost_total = 12,
				    .dropped = 3,
				    .dropped_total = 34 };
	const struct toprun_numbers none = { 0 };

	(void)state;
	evlist_add(&l, &attr, "cpu-clock");
	evlist_add(&l, &dummy, "dummy:HG");
	check(&t, &n,
	      "   PerfTop:    8000 irqs/sec  kernel:25.0%  exact:  0.1% lost: 1/12 drop: 3/34 "
	      "[4000Hz cpu-clock],  (all, 2 CPUs), perf: 0.6%");
	target = (struct target){ .pids = "1,2" };
	check(&t, &none,
	      "   PerfTop:       0 irqs/sec  kernel: 0.0%  exact:  0.0% lost: 0/0 drop: 0/0 "
	      "[4000Hz cpu-clock],  (target_pid: 1,2, 2 CPUs), perf: 0.0%");
	target = (struct target){ .cpus = "1" };
	t.nr_cpus = 1;
	attr.freq = 0;
	attr.sample_period = 7;
	evlist_add(&l, &attr, "faults");
	t.shown = 2;
	t.guests = true;
	check(&t, &none,
	      "   PerfTop:       0 irqs/sec  kernel: 0.0% us: 0.0% guest kernel: 0.0% guest us: 0.0%"
	      "  exact:  0.0% lost: 0/0 drop: 0/0 [faults],  (all, CPU: 1), perf: 0.0%");
	evlist_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_title) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
