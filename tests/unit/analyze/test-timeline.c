// SPDX-License-Identifier: GPL-2.0-or-later
/* Test timelines by tables of events and the lanes that they make, and by what a switch costs. */
#include "base/compat.h"
#include "analyze/timeline.h"
#include "sched-feed.h"

#include <setjmp.h>
#include <cmocka.h>

#define SWITCH(t, c, from, state, to)                                                              \
	{                                                                                          \
		SCHED_SWITCH, t, c, from, state, to                                                \
	}
#define SLEEPS 1
#define BLOCKS 2
#define DIES 0x20

static struct sched_timeline *play(const struct sched_step *steps, struct task_table **tasks)
{
	struct sched_timeline *t;

	*tasks = sched_feed_tasks();
	t = sched_timeline_new(&(struct sched_timeline_conf){ .tasks = *tasks });
	sched_feed(sched_timeline_engine(), t, steps);
	return t;
}

/* Append a lane as text: "10-20 running 1; ". */
static void lane_text(const struct lane *l, char *out, size_t size)
{
	const struct lane_interval *i;
	struct lane_cursor c;
	size_t len = 0;

	*out = '\0';
	lane_seek(&c, l, 0);
	while ((i = lane_next(&c)))
		len += (size_t)snprintf(out + len, size - len, "%llu-%llu %s %u; ",
					(unsigned long long)i->start, (unsigned long long)i->end,
					lane_kind_name(i->kind), i->value);
}

#define OF_TASK UINT32_MAX /* the lane of a task, not a row of a CPU */

static const struct {
	const char *name;
	u32 row, number; /* the lane: a row and its CPU, or the number of a task's lane */
	const char *text;
	struct sched_step steps[8];
} rows[] = {
	{ "a task sleeps, is woken and waits",
	  OF_TASK,
	  0,
	  "10-20 running 0; 20-30 sleeping 0; 30-35 runnable 3; 35-40 running 1; ",
	  { SWITCH(10, 0, 0, 0, 7),
	    SWITCH(20, 0, 7, SLEEPS, 8),
	    { SCHED_WAKEUP, 30, 0, 7, .by = 8 },
	    SWITCH(35, 1, 0, 0, 7),
	    SWITCH(40, 0, 8, SLEEPS, 0) } },
	{ "preempted, and the first switch tells who had the CPU",
	  OF_TASK,
	  1,
	  "10-20 running 0; 20-30 runnable 0; 30-40 running 0; ",
	  { { SCHED_MIGRATE, 10, 0, 9 },
	    SWITCH(20, 0, 7, 0, 8),
	    SWITCH(30, 0, 8, 0, 7),
	    SWITCH(40, 0, 7, 0, 8) } },
	{ "woken by the idle task, blocked, ended",
	  OF_TASK,
	  0,
	  "10-20 running 0; 20-30 blocked 0; 30-40 runnable 1; 40-50 running 0; "
	  "50-60 nothing known 0; ",
	  { SWITCH(10, 0, 0, 0, 7),
	    SWITCH(20, 0, 7, BLOCKS, 0),
	    { SCHED_WAKEUP, 30, 0, 7, .by = SCHED_BY_IDLE },
	    SWITCH(40, 0, 0, 0, 7),
	    SWITCH(50, 0, 7, DIES, 0),
	    { SCHED_WAKEUP, 60, 0, 8 } } },
	{ "woken in an interrupt",
	  OF_TASK,
	  1,
	  "30-40 runnable 1; ",
	  { SWITCH(10, 0, 0, 0, 7),
	    { SCHED_WAKEUP, 30, 0, 8, .by = 7, .value = 9 },
	    { SCHED_MIGRATE, 40, 0, 8 } } },
	{ "woken while it runs",
	  OF_TASK,
	  0,
	  "10-30 running 0; ",
	  { SWITCH(10, 0, 0, 0, 7),
	    { SCHED_WAKEUP, 20, 1, 7, .by = SCHED_BY_IDLE },
	    { SCHED_MIGRATE, 30, 0, 7 } } },
	{ "the one that leaves is sure to have run, although the switch to it was lost",
	  OF_TASK,
	  1,
	  "10-20 running 0; 20-30 runnable 0; ",
	  { SWITCH(10, 0, 0, 0, 7), SWITCH(20, 0, 8, 0, 9), SWITCH(30, 0, 9, 0, 0) } },
	{ "and nothing is known of the one that was to run",
	  OF_TASK,
	  1,
	  "5-10 runnable 2; 10-30 nothing known 0; ",
	  { { SCHED_WAKEUP, 5, 0, 7, .by = 6 },
	    SWITCH(10, 0, 0, 0, 7),
	    SWITCH(20, 0, 8, 0, 9),
	    SWITCH(30, 0, 9, 0, 0) } },
	{ "events were lost while a task ran",
	  OF_TASK,
	  1,
	  "5-10 runnable 2; 10-30 nothing known 0; 30-40 sleeping 0; ",
	  { { SCHED_WAKEUP, 5, 0, 7, .by = 6 },
	    SWITCH(10, 0, 0, 0, 7),
	    { SCHED_STEP_LOST, 20, 0 },
	    SWITCH(30, 1, 7, SLEEPS, 0),
	    { SCHED_MIGRATE, 40, 0, 9 } } },
	{ "events of a CPU were lost",
	  TIMELINE_TASKS,
	  0,
	  "10-20 nothing known 0; 20-30 running 1; 30-40 idle 0; ",
	  { SWITCH(10, 0, 0, 0, 7),
	    { SCHED_STEP_LOST, 20, 0 },
	    SWITCH(30, 0, 8, SLEEPS, 0),
	    SWITCH(40, 0, 0, 0, 9) } },
	{ "a CPU",
	  TIMELINE_TASKS,
	  1,
	  "5-10 running 0; 10-20 idle 0; 20-30 running 1; ",
	  { { SCHED_WAKEUP, 5, 0, 7 },
	    SWITCH(10, 1, 7, SLEEPS, 0),
	    SWITCH(20, 1, 0, 0, 8),
	    SWITCH(30, 1, 8, 0, 7) } },
	{ "idle states, told by another CPU",
	  TIMELINE_IDLE,
	  1,
	  "10-20 idle 2; 20-30 nothing known 0; 30-40 idle 0; ",
	  { { POWER_IDLE, 10, 0, 1, 2 },
	    { POWER_IDLE, 20, 0, 1, UINT32_MAX },
	    { POWER_IDLE, 30, 0, 1, 0 },
	    { POWER_IDLE, 40, 0, 0, 0 } } },
	{ "frequencies",
	  TIMELINE_FREQUENCY,
	  0,
	  "10-20 frequency 1000; 20-30 frequency 2000; ",
	  { { POWER_FREQUENCY, 10, 0, 0, 1000 },
	    { POWER_FREQUENCY, 20, 0, 0, 2000 },
	    { POWER_FREQUENCY, 30, 0, 0, 2000 } } },
	{ "interrupts",
	  TIMELINE_INTERRUPT,
	  0,
	  "10-20 interrupt 5; 20-30 nothing known 0; ",
	  { { IRQ_ENTRY, 10, 0, .value = 5 },
	    { IRQ_EXIT, 20, 0, .value = 5 },
	    { SCHED_WAKEUP, 30, 0, 7 } } },
	{ "soft interrupts",
	  TIMELINE_SOFTIRQ,
	  0,
	  "10-20 softirq 3; 20-30 nothing known 0; ",
	  { { SOFTIRQ_ENTRY, 10, 0, .value = 3 },
	    { SOFTIRQ_EXIT, 20, 0, .value = 3 },
	    { SCHED_WAKEUP, 30, 0, 7 } } },
};

static void test_lanes(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct task_table *tasks;
		struct sched_timeline *t = play(rows[i].steps, &tasks);
		const struct timeline_lanes *l = sched_timeline_result(t);
		char text[512];

		lane_text(rows[i].row == OF_TASK ? &l->tasks[rows[i].number].lane
						 : &l->cpus[rows[i].number].rows[rows[i].row],
			  text, sizeof(text));
		if (strcmp(text, rows[i].text))
			fail_msg("%s: %s", rows[i].name, text);
		sched_timeline_free(t);
		task_table_free(tasks);
	}
}

static void test_marks(void **state)
{
	static const struct sched_step steps[] = {
		{ SCHED_FORK, 10, 1, .task = 8, .value = 7 },
		{ SCHED_MIGRATE, 20, 0, 8, 1, 2 },
		{ SCHED_EXIT, 30, 2, 8 },
		{ SCHED_EXIT, 40, UINT32_MAX, 8 }, /* no CPU has such a number */
		{ POWER_IDLE, 50, 0, .task = UINT32_MAX },
		{ 0 },
	};
	struct task_table *tasks;
	struct sched_timeline *t = play(steps, &tasks);
	const struct timeline_lanes *l = sched_timeline_result(t);

	assert_int_equal(l->nr_tasks, 2);
	assert_int_equal(l->tasks[0].id, 7);
	assert_int_equal(l->tasks[0].parent, TIMELINE_NO_LANE);
	assert_int_equal(l->tasks[1].parent, 0);
	assert_int_equal(l->nr_marks, 3);
	assert_int_equal(l->marks[0].event, TIMELINE_FORK);
	assert_int_equal(l->marks[0].cpu, 1);
	assert_int_equal(l->marks[1].value, 2);
	assert_int_equal(l->marks[2].task, 1);
	assert_int_equal(l->start, 10);
	assert_int_equal(l->end, 50);
	sched_timeline_free(t);
	task_table_free(tasks);
}

static void window(void *ctx, u64 *start, u64 *end)
{
	*start = 15;
	*end = 25;
}

static void test_window(void **state)
{
	static const struct sched_step steps[] = {
		SWITCH(10, 0, 0, 0, 7), SWITCH(20, 0, 7, SLEEPS, 8), SWITCH(30, 0, 8, 0, 7), { 0 }
	};
	struct task_table *tasks = sched_feed_tasks();
	struct sched_timeline *t = sched_timeline_new(
		&(struct sched_timeline_conf){ .tasks = tasks, .window = window });
	const struct timeline_lanes *l = sched_timeline_result(t);
	u64 sums[LANE_KINDS];

	sched_feed(sched_timeline_engine(), t, steps);
	assert_int_equal(l->start, 15);
	assert_int_equal(l->end, 25);
	assert_int_equal(l->counts.times, 2);
	lane_sums(&l->tasks[0].lane, l->start, l->end, sums);
	assert_int_equal(sums[LANE_RUNNING], 5);
	sched_timeline_free(t);
	task_table_free(tasks);
}

/* The dearest switches are those between many tasks that all sleep and are woken by one another. */
enum { SWITCHES = 40000, TASKS = 200, TURN = 50000 };

static struct sched_timeline *play_dear(u64 most_bytes, struct task_table *tasks)
{
	struct sched_step *steps = calloc(2 * SWITCHES + 1, sizeof(*steps));
	struct sched_timeline *t = sched_timeline_new(
		&(struct sched_timeline_conf){ .tasks = tasks, .most_bytes = most_bytes });

	assert_non_null(steps);
	for (u32 i = 0; i < SWITCHES; i++) {
		u32 from = 1 + i % TASKS, to = 1 + (i + 1) % TASKS;

		steps[2 * i] =
			(struct sched_step){ SCHED_WAKEUP, 1 + i * (u64)TURN, 0, to, .by = from };
		steps[2 * i + 1] =
			(struct sched_step)SWITCH(2000 + i * (u64)TURN, 0, from, SLEEPS, to);
	}
	sched_feed(sched_timeline_engine(), t, steps);
	free(steps);
	return t;
}

static void test_memory(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct sched_timeline *t = play_dear(0, tasks);
	const struct timeline_lanes *l = sched_timeline_result(t);
	u64 bytes = timeline_bytes(l) - TASKS * sizeof(struct timeline_task);

	assert_int_equal(l->counts.times, SWITCHES);
	assert_int_equal(l->left_out, 0);
	assert_int_equal(l->grain, 0);
	if (bytes >= 24 * SWITCHES)
		fail_msg("%.1f bytes a switch", (double)bytes / SWITCHES);
	sched_timeline_free(t);
	task_table_free(tasks);
}

/* A timeline that would take more than a few bytes is thinned out, and tells by how much. Tasks run
 * for the same time in sum, as they take turns. */
static void test_thinned(void **state)
{
	enum { MOST = 100000 };
	struct task_table *tasks = sched_feed_tasks();
	struct sched_timeline *t = play_dear(MOST, tasks);
	const struct timeline_lanes *l = sched_timeline_result(t);
	u64 bytes = timeline_bytes(l) - TASKS * sizeof(struct timeline_task), ran = 0;
	u64 sums[LANE_KINDS];

	assert_true(l->left_out > SWITCHES);
	assert_true(l->grain >= TURN);
	if (bytes >= 4 * MOST)
		fail_msg("%" PRIu64 " bytes", bytes);
	for (u32 i = 0; i < l->nr_tasks; i++) {
		lane_sums(&l->tasks[i].lane, l->start, l->end, sums);
		ran += sums[LANE_RUNNING];
	}
	if (ran < (l->end - l->start) / 2 || ran > 2 * (l->end - l->start))
		fail_msg("ran for %" PRIu64 " of %" PRIu64 " ns", ran, l->end - l->start);
	sched_timeline_free(t);
	task_table_free(tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lanes),   cmocka_unit_test(test_marks),
		cmocka_unit_test(test_window),  cmocka_unit_test(test_memory),
		cmocka_unit_test(test_thinned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
