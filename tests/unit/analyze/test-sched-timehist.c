// SPDX-License-Identifier: GPL-2.0-or-later
/* Test rows and sums of the history of CPUs by made-up events. */
#include "base/compat.h"
#include "analyze/sched-timehist.h"
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
#define MAX_ROWS 8

struct want {
	enum sched_row_kind kind;
	u64 time;
	u32 tid, other;
	u64 wait, delay, run, moving;
	bool gap;
};

struct got {
	struct want rows[MAX_ROWS];
	u32 nr;
	u64 start, end;
	u32 only; /* the one task that is wanted; 0: all */
};

static void take(void *ctx, const struct sched_row *row)
{
	struct got *g = ctx;

	assert_in_range(g->nr, 0, MAX_ROWS - 1);
	g->rows[g->nr++] = (struct want){ row->kind,      row->time,   row->task.tid,
					  row->other.tid, row->wait,   row->delay,
					  row->run,       row->moving, row->gap };
}

static bool wants(void *ctx, const struct task_at *task)
{
	const struct got *g = ctx;

	return !g->only || g->only == task->tid;
}

static void window(void *ctx, u64 *start, u64 *end)
{
	const struct got *g = ctx;

	*start = g->start;
	*end = g->end ? g->end : UINT64_MAX;
}

static const struct {
	const char *name;
	u64 start, end;
	u32 only;
	int prio;
	bool idle_only;
	struct sched_step steps[8];
	struct want rows[MAX_ROWS]; /* up to one of time 0 */
	u64 span, idle;             /* of CPU 0 */
} rows[] = {
	{ .name = "nothing" },
	{ .name = "the first switch does not tell how long the task ran",
	  .steps = { SWITCH(10, 0, 7, 1, 8) },
	  .rows = { { SCHED_ROW_SWITCH, 10, 7, 8, 0, 0, 0 } } },
	{ .name = "a task that is woken up and runs",
	  .steps = { SWITCH(10, 0, 7, 1, 8), WAKE(12, 0, 7), SWITCH(15, 0, 8, 0, 7),
		     SWITCH(19, 0, 7, 1, 8) },
	  .rows = { { SCHED_ROW_SWITCH, 10, 7, 8, 0, 0, 0 },
		    { SCHED_ROW_WAKEUP, 12, 7, 7, 0, 0, 0 },
		    { SCHED_ROW_SWITCH, 15, 8, 7, 0, 0, 5 },
		    { SCHED_ROW_SWITCH, 19, 7, 8, 5, 3, 4 } },
	  .span = 9 },
	{ .name = "each CPU has its own idle time",
	  .steps = { SWITCH(10, 0, 7, 1, 0), SWITCH(11, 1, 8, 1, 0), SWITCH(20, 1, 0, 0, 8),
		     SWITCH(13, 0, 0, 0, 7) },
	  .idle_only = true,
	  .rows = { { SCHED_ROW_SWITCH, 20, 0, 8, 0, 0, 9 },
		    { SCHED_ROW_SWITCH, 13, 0, 7, 0, 0, 3 } },
	  .span = 3,
	  .idle = 3 },
	{ .name = "runs count as far as they are in the span",
	  .start = 12,
	  .end = 18,
	  .steps = { SWITCH(10, 0, 7, 1, 8), SWITCH(15, 0, 8, 0, 7), SWITCH(25, 0, 7, 1, 8),
		     SWITCH(30, 0, 8, 1, 7) },
	  .rows = { { SCHED_ROW_SWITCH, 15, 8, 7, 0, 0, 3 },
		    { SCHED_ROW_SWITCH, 18, 7, 8, 5, 0, 3 } },
	  .span = 3 },
	{ .name = "only one task",
	  .only = 8,
	  .steps = { SWITCH(10, 0, 7, 1, 8), SWITCH(15, 0, 8, 0, 7), WAKE(16, 0, 9) },
	  .rows = { { SCHED_ROW_SWITCH, 15, 8, 7, 0, 0, 5 } },
	  .span = 5 },
	{ .name = "a migration",
	  .steps = { { SCHED_MIGRATE, 10, 0, 7, 0, 1 } },
	  .rows = { { SCHED_ROW_MIGRATION, 10, 7, 7, 0, 0, 0 } } },
	{ .name = "a task that is moved while it waits",
	  .steps = { SWITCH(10, 0, 7, 1, 8),
		     WAKE(12, 0, 7),
		     { SCHED_MIGRATE, 14, 0, 7, 0, 1 },
		     SWITCH(15, 1, 9, 1, 7),
		     SWITCH(19, 1, 7, 1, 9) },
	  .only = 7,
	  .rows = { { SCHED_ROW_SWITCH, 10, 7, 8 },
		    { SCHED_ROW_WAKEUP, 12, 7, 7 },
		    { SCHED_ROW_MIGRATION, 14, 7, 7 },
		    { SCHED_ROW_SWITCH, 19, 7, 9, 5, 3, 4, .moving = 2 } },
	  .span = 9 },
	{ .name = "events that are lost concern the CPU, and tasks that were away",
	  .steps = { SWITCH(10, 0, 7, 1, 8),
		     SWITCH(11, 1, 9, 1, 0),
		     { SCHED_STEP_LOST, 12, 0 },
		     SWITCH(15, 1, 0, 1, 7),
		     SWITCH(16, 1, 7, 1, 9),
		     SWITCH(17, 1, 9, 1, 0),
		     SWITCH(18, 0, 8, 1, 0) },
	  .rows = { { SCHED_ROW_SWITCH, 10, 7, 8 },
		    { SCHED_ROW_SWITCH, 11, 9, 0 },
		    { SCHED_ROW_SWITCH, 15, 0, 7, 0, 0, 4 },
		    { SCHED_ROW_SWITCH, 16, 7, 9, 5, 0, 1, .gap = true },
		    { SCHED_ROW_SWITCH, 17, 9, 0, 5, 0, 1, .gap = true },
		    { SCHED_ROW_SWITCH, 18, 8, 0, 0, 0, 8, .gap = true } },
	  .span = 8 },
	{ .name = "tasks of one priority",
	  .prio = 3,
	  .steps = { SWITCH(10, 0, 7, 1, 8),
		     { SCHED_SWITCH, 12, 0, 8, 1, 7, .prio = 3 },
		     WAKE(13, 0, 8),
		     WAKE(14, 0, 9),
		     SWITCH(15, 0, 7, 1, 8) },
	  .rows = { { SCHED_ROW_SWITCH, 12, 8, 7, 0, 0, 2 }, { SCHED_ROW_WAKEUP, 13, 8, 8 } },
	  .span = 5 },
	{ .name = "time runs back",
	  .steps = { SWITCH(20, 0, 7, 1, 8), SWITCH(10, 0, 8, 0, 7) },
	  .rows = { { SCHED_ROW_SWITCH, 20, 7, 8, 0, 0, 0 },
		    { SCHED_ROW_SWITCH, 10, 8, 7, 0, 0, 0 } } },
	{ .name = "no CPU has such a number", .steps = { SWITCH(10, UINT32_MAX, 7, 1, 8) } },
};

static void compare(const char *name, u32 nr, const struct want *g, const struct want *w)
{
	if (g->kind != w->kind || g->time != w->time || g->tid != w->tid || g->other != w->other ||
	    g->wait != w->wait || g->delay != w->delay || g->run != w->run ||
	    g->moving != w->moving || g->gap != w->gap)
		fail_msg("%s, row %u: kind %d at %" PRIu64 ", %u and %u, wait %" PRIu64
			 " delay %" PRIu64 " run %" PRIu64 " moving %" PRIu64 " gap %d",
			 name, nr, g->kind, g->time, g->tid, g->other, g->wait, g->delay, g->run,
			 g->moving, g->gap);
}

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct got got = { .start = rows[i].start,
				   .end = rows[i].end,
				   .only = rows[i].only };
		struct int_list prios = { 0 };
		struct task_table *tasks = sched_feed_tasks();
		struct sched_timehist_conf conf = { .tasks = tasks,
						    .row = take,
						    .wants = wants,
						    .window = window,
						    .ctx = &got,
						    .prios = rows[i].prio ? &prios : NULL,
						    .idle_only = rows[i].idle_only };
		struct sched_timehist *h = sched_timehist_new(&conf);
		const struct sched_runs *idle;
		u32 nr = 0;

		if (rows[i].prio)
			int_list_add(&prios, rows[i].prio);

		sched_feed_span(sched_timehist_engine(), h, rows[i].steps, rows[i].start,
				rows[i].end ? rows[i].end : UINT64_MAX);
		for (; nr < MAX_ROWS && rows[i].rows[nr].time; nr++)
			compare(rows[i].name, nr, &got.rows[nr], &rows[i].rows[nr]);
		idle = sched_timehist_idle(h, 0);
		if (got.nr != nr || sched_timehist_span(h) != rows[i].span ||
		    (idle ? idle->total : 0) != rows[i].idle)
			fail_msg("%s: %u rows, a span of %" PRIu64, rows[i].name, got.nr,
				 sched_timehist_span(h));
		sched_timehist_free(h);
		task_table_free(tasks);
		int_list_release(&prios);
	}
}

static void keep_seventh(void *ctx, u32 id, const struct sched_runs *r)
{
	if (id == 7)
		*(struct sched_runs *)ctx = *r;
}

/* Task 7 runs 2, 4 and 6 ns and waits in three ways. */
static void test_sums(void **state)
{
	static const struct sched_step steps[] = { SWITCH(10, 0, 8, 1, 7),
						   SWITCH(12, 0, 7, 1, 8),
						   SWITCH(15, 0, 8, 1, 7),
						   SWITCH(19, 0, 7, 2, 8),
						   SWITCH(24, 0, 8, 1, 7),
						   SWITCH(30, 0, 7, 0x100, 8),
						   SWITCH(37, 0, 8, 1, 7),
						   SWITCH(37, 0, 7, 0x20, 0),
						   { SCHED_MIGRATE, 40, 0, 7, 0, 1 },
						   { 0 } };
	struct task_table *tasks = sched_feed_tasks();
	struct sched_timehist *h =
		sched_timehist_new(&(struct sched_timehist_conf){ .tasks = tasks });
	struct sched_runs r = { 0 };

	sched_feed(sched_timehist_engine(), h, steps);
	sched_timehist_tasks(h, keep_seventh, &r);
	assert_int_equal(r.nr, 4);
	assert_int_equal(r.total, 12);
	assert_int_equal(r.min, 0);
	assert_int_equal(r.max, 6);
	assert_int_equal(r.sleep, 3);
	assert_int_equal(r.iowait, 5);
	assert_int_equal(r.preempted, 7);
	assert_int_equal(r.migrations, 1);
	/* The deviation of 2, 4, 6, 0 is 2.58; that of their mean is half of it, 43 % of 3. */
	assert_in_range((u64)sched_runs_deviation(&r), 43, 43);
	assert_true(sched_timehist_ended(h, 7));
	assert_false(sched_timehist_ended(h, 8));
	sched_timehist_free(h);
	task_table_free(tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
