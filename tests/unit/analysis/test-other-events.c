// SPDX-License-Identifier: GPL-2.0-or-later
/* Test which marks of other events are kept, and what an engine knows of a recording's events. */
#include "base/compat.h"
#include "analysis/other-events.h"
#include "analyze/sched-events.h"
#include "analyze/timeline.h"
#include "sched-feed.h"

#include <setjmp.h>
#include <cmocka.h>

/* Feed an event; its place in the file is its time times ten. */
static void happen(struct other_events *o, u64 time, u32 event, u32 tid)
{
	other_events_engine()->feed(o, &(struct engine_input){ .time = time,
							       .place = 10 * time,
							       .cpu = 2,
							       .pid = tid,
							       .tid = tid,
							       .event = event,
							       .wanted = true,
							       .in_time = true });
}

static void test_marks(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct other_events *o = other_events_new(tasks, 0);
	const struct other_marks *r = other_events_result(o);
	struct engine_input skipped = { .time = 5, .event = 3, .in_time = true };

	other_events_engine()->feed(o, &skipped); /* on another CPU */
	skipped = (struct engine_input){ .time = 5, .event = 3, .wanted = true };
	other_events_engine()->feed(o, &skipped); /* at another time */
	happen(o, 10, 9, 7);
	happen(o, 20, 300, 0);
	happen(o, 30, 9, UINT32_MAX);
	assert_int_equal(r->nr, 3);
	assert_int_equal(r->seen, 3);
	assert_int_equal(r->nr_events, 2);
	assert_int_equal(r->events[0].event, 9);
	assert_int_equal(r->events[0].seen, 2);
	assert_int_equal(r->events[1].event, 300);
	assert_int_equal(r->v[0].task, task_table_at(tasks, 7, 7, 10)->id);
	assert_int_equal(r->v[1].task, OTHER_NO_TASK);
	assert_int_equal(r->v[2].task, OTHER_NO_TASK);
	assert_int_equal(r->v[1].time, 20);
	assert_int_equal(r->v[1].place, 200);
	assert_int_equal(r->v[1].cpu, 2);
	assert_int_equal(r->v[1].event, 1);
	assert_int_equal(sizeof(struct other_mark), 24);
	other_events_free(o);
	task_table_free(tasks);
}

/* An event that happens often loses marks, evenly; one that is rare keeps all of them. */
static void test_bounded(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct other_events *o = other_events_new(tasks, 100);
	const struct other_marks *r = other_events_result(o);
	u32 rare = 0;
	u64 last = 0, step;

	for (u64 i = 0; i < 100000; i++) {
		happen(o, i, i % 5000 ? 1 : 2, 7);
		assert_true(r->nr <= 100);
	}
	assert_true(r->nr > 50);
	assert_int_equal(r->seen, 100000);
	assert_int_equal(r->events[0].event, 2);
	assert_int_equal(r->events[0].kept, 20);
	assert_int_equal(r->events[0].shift, 0);
	assert_int_equal(r->events[1].kept, r->nr - 20);
	step = 1ULL << r->events[1].shift;
	for (u32 i = 0; i < r->nr; i++) {
		assert_true(!i || r->v[i - 1].time < r->v[i].time);
		rare += !r->v[i].event;
		if (!r->v[i].event)
			continue;
		/* The rare events are not counted. */
		assert_true(!last ||
			    (r->v[i].time - last >= step && r->v[i].time - last <= step + 1));
		last = r->v[i].time;
	}
	assert_int_equal(rare, 20);
	other_events_free(o);
	task_table_free(tasks);
}

static void test_known(void **state)
{
	static const struct {
		const char *name;
		bool known;
	} names[] = {
		{ "sched:sched_switch", true },       { "sched:sched_waking", true },
		{ "sched:sched_wakeup", true },       /* though sched_waking takes its place */
		{ "sched:sched_stat_runtime", true }, /* which the engine leaves out */
		{ "irq:irq_handler_entry", true },    { "irq:irq_handler", false },
		{ "signal:signal_generate", false },  { "cycles", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char name[64];
		struct evsel e = { .name = name };

		snprintf(name, sizeof(name), "%s", names[i].name);
		if (engine_knows(sched_timeline_engine(), &e) != names[i].known)
			fail_msg("%s", name);
		assert_false(engine_knows(other_events_engine(), &e));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
