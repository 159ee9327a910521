// SPDX-License-Identifier: GPL-2.0-or-later
/* Test delays by tables of events, the steps of their distribution, and the binding of fields. */
#include "base/compat.h"
#include "analyze/sched-latency.h"
#include "sched-feed.h"

#include <setjmp.h>
#include <cmocka.h>

#define SWITCH(t, c, from, state, to)                                                              \
	{                                                                                          \
		SCHED_SWITCH, t, c, from, state, to                                                \
	}
#define WAKE(t, c, who)                                                                            \
	{                                                                                          \
		SCHED_WAKEUP, t, c, who                                                            \
	}

static const struct {
	const char *name;
	bool some_cpus;
	struct sched_step steps[8];
	u32 task; /* whose row it is; 0: there is no row */
	struct sched_delays row;
	struct sched_counts counts;
} rows[] = {
	{ "nothing", false, { { 0 } }, 0, { 0 }, { 0 } },
	{ "first seen when it runs", false, { SWITCH(10, 0, 0, 0, 7) }, 7, { .switches = 1 }, { 0 } },
	{ "woken up, then put on a CPU",
	  false,
	  { WAKE(10, 0, 7), SWITCH(14, 0, 0, 0, 7) },
	  7,
	  { .switches = 1, .total = 4, .max = 4, .max_start = 10, .max_end = 14 },
	  { .times = 1 } },
	{ "the second wakeup does not count",
	  false,
	  { WAKE(10, 0, 7), WAKE(12, 0, 7), SWITCH(14, 0, 0, 0, 7) },
	  7,
	  { .switches = 1, .total = 4, .max = 4, .max_start = 10, .max_end = 14 },
	  { .times = 1 } },
	{ "preempted",
	  false,
	  { SWITCH(10, 0, 7, 0x100, 8), SWITCH(15, 0, 8, 1, 7) },
	  7,
	  { .switches = 1, .total = 5, .max = 5, .max_start = 10, .max_end = 15 },
	  { 0 } },
	{ "asleep and never woken up",
	  false,
	  { SWITCH(10, 0, 7, 1, 8), SWITCH(15, 0, 8, 1, 7) },
	  7,
	  { 0 },
	  { 0 } },
	{ "the longest of two",
	  false,
	  { WAKE(10, 0, 7), SWITCH(13, 0, 0, 0, 7), SWITCH(20, 0, 7, 1, 0), WAKE(30, 0, 7),
	    SWITCH(31, 0, 0, 0, 7) },
	  7,
	  { .switches = 2, .total = 4, .max = 3, .max_start = 10, .max_end = 13 },
	  { .times = 2 } },
	{ "time runs back",
	  false,
	  { SWITCH(20, 0, 7, 1, 8), WAKE(10, 1, 7) },
	  7,
	  { 0 },
	  { .times = 1, .unordered = 1 } },
	{ "a switch from another task than the one that ran",
	  false,
	  { SWITCH(10, 0, 0, 0, 7), SWITCH(12, 0, 8, 1, 9) },
	  7,
	  { .switches = 1 },
	  { .bugs = 1 } },
	{ "runtime is the kernel's",
	  false,
	  { { SCHED_RUNTIME, 10, 0, 7, 100 }, { SCHED_RUNTIME, 11, 0, 7, 23 } },
	  7,
	  { .runtime = 123 },
	  { 0 } },
	{ "events are lost while it waits",
	  false,
	  { WAKE(10, 0, 7), { SCHED_STEP_LOST, 12, 1 }, SWITCH(14, 0, 0, 0, 7) },
	  7,
	  { .switches = 1, .total = 4, .max = 4, .max_start = 10, .max_end = 14, .gaps = 1 },
	  { .times = 1, .gaps = 1 } },
	{ "filtered out", false, { { SCHED_SWITCH, 10, 0, 0, 0, 7, true } }, 0, { 0 }, { 0 } },
	{ "woken up while it ran, as far as this CPU shows",
	  true,
	  { SWITCH(10, 0, 0, 0, 7), WAKE(20, 0, 7), SWITCH(25, 0, 0, 0, 7) },
	  7,
	  { .switches = 2, .total = 5, .max = 5, .max_start = 20, .max_end = 25 },
	  { .times = 1, .bugs = 1 } },
	{ "no CPU has such a number",
	  false,
	  { SWITCH(10, UINT32_MAX, 0, 0, 7) },
	  7,
	  { .switches = 1 },
	  { 0 } },
};

static void compare(size_t i, const struct sched_delays *got, const struct sched_delays *want)
{
	if (got->switches != want->switches || got->total != want->total || got->max != want->max ||
	    got->max_start != want->max_start || got->max_end != want->max_end ||
	    got->runtime != want->runtime || got->gaps != want->gaps)
		fail_msg("%s: %" PRIu64 " switches, total %" PRIu64 ", max %" PRIu64
			 " from %" PRIu64 " to %" PRIu64 ", runtime %" PRIu64,
			 rows[i].name, got->switches, got->total, got->max, got->max_start,
			 got->max_end, got->runtime);
}

static void test_delays(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct task_table *tasks = sched_feed_tasks();
		struct sched_latency *l = sched_latency_new(tasks, rows[i].some_cpus, true);
		const struct sched_counts *c = sched_latency_counts(l);
		struct sched_delays *found;
		u32 seen = 0;
		size_t nr;

		sched_feed(sched_latency_engine(), l, rows[i].steps);
		found = sched_latency_rows(l, SCHED_BY_TASK, NULL, NULL, &nr);
		for (size_t n = 0; n < nr; n++) {
			if (found[n].tid != rows[i].task)
				continue;
			seen++;
			compare(i, &found[n], &rows[i].row);
		}
		if (seen != !!rows[i].task || c->times != rows[i].counts.times ||
		    c->unordered != rows[i].counts.unordered || c->bugs != rows[i].counts.bugs ||
		    c->gaps != rows[i].counts.gaps)
			fail_msg("%s: %u rows, %" PRIu64 " times, %" PRIu64 " unordered, %" PRIu64
				 " bugs",
				 rows[i].name, seen, c->times, c->unordered, c->bugs);
		sched_delays_free(found, nr);
		sched_latency_free(l);
		task_table_free(tasks);
	}
}

/* Tasks 7 and 8 leave their CPU in one cgroup, 9 in another one. */
static void test_cgroups(void **state)
{
	static const struct sched_step steps[] = {
		SWITCH(10, 0, 0, 0, 7),
		{ SCHED_SWITCH, 12, 0, 7, 1, 8, .cgroup = 5 },
		{ SCHED_SWITCH, 14, 0, 8, 1, 9, .cgroup = 5 },
		{ SCHED_SWITCH, 16, 0, 9, 1, 0, .cgroup = 6 },
		{ 0 },
	};
	struct task_table *tasks = sched_feed_tasks();
	struct sched_latency *l = sched_latency_new(tasks, false, true);
	struct sched_delays *rows;
	size_t nr;

	sched_feed(sched_latency_engine(), l, steps);
	for (u32 twice = 0; twice < 2; twice++) { /* the engine keeps what it has */
		rows = sched_latency_rows(l, SCHED_BY_CGROUP, NULL, NULL, &nr);
		assert_int_equal(nr, 2);
		assert_int_equal(rows[0].cgroup, 5);
		assert_int_equal(rows[0].merged, 2);
		assert_int_equal(rows[0].switches, 2);
		assert_int_equal(rows[0].steps[0], 2);
		assert_int_equal(rows[1].cgroup, 6);
		assert_int_equal(rows[1].merged, 1);
		sched_delays_free(rows, nr);
	}
	sched_latency_free(l);
	task_table_free(tasks);
}

static void test_quantiles(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct sched_latency *l = sched_latency_new(tasks, false, true);
	struct sched_delays *found;
	u64 time = 1;
	size_t nr;

	for (u64 delay = 1; delay <= 100; delay++, time += 1000) {
		const struct sched_step steps[] = { SWITCH(time, 0, 7, 1, 0),
						    WAKE(time + 200, 0, 7),
						    SWITCH(time + 200 + delay * 4, 0, 0, 0, 7),
						    { 0 } };

		sched_feed(sched_latency_engine(), l, steps);
	}
	found = sched_latency_rows(l, SCHED_BY_TASK, NULL, NULL, &nr);
	assert_int_equal(nr, 1);
	assert_in_range(sched_delays_quantile(found, 500000), 200, 225);
	assert_in_range(sched_delays_quantile(found, 990000), 396, 400);
	assert_int_equal(sched_delays_quantile(found, 1000000), 400);
	sched_delays_free(found, nr);
	sched_latency_free(l);
	task_table_free(tasks);
}

/* Each step begins where the one before it ends, up to the largest number. */
static void test_steps(void **state)
{
	assert_int_equal(step_of(0), 0);
	assert_int_equal(step_of(UINT64_MAX), STEPS - 1);
	for (u32 step = 1; step < STEPS; step++) {
		u64 low = step_low(step);

		assert_int_equal(step_of(low), step);
		assert_int_equal(step_of(low - 1), step - 1);
	}
}

/* The letters of states come from the format; states of preempted tasks have none. */
static void test_states(void **state)
{
	static const struct {
		u64 state;
		char letter;
	} letters[] = {
		{ 0, 'R' },     { 1, 'S' },     { 2, 'D' },          { 0x20, 'Z' },
		{ 0x102, 'D' }, { 0x100, 'R' }, { 1ULL << 40, 'R' },
	};
	const struct tf_event none = { 0 };
	struct sched_states s;

	sched_states_init(&s, &none);
	for (size_t i = 0; i < ARRAY_SIZE(letters); i++)
		assert_int_equal(sched_state_letter(&s, letters[i].state), letters[i].letter);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delays),    cmocka_unit_test(test_cgroups),
		cmocka_unit_test(test_quantiles), cmocka_unit_test(test_steps),
		cmocka_unit_test(test_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
