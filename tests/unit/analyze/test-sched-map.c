// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the short names of tasks and the rows of the map of CPUs. */
#include "base/compat.h"
#include "analyze/sched-map.h"
#include "sched-feed.h"

#include <setjmp.h>
#include <cmocka.h>

#define SWITCH(t, c, from, to)                                                                     \
	{                                                                                          \
		SCHED_SWITCH, t, c, from, 1, to                                                    \
	}

struct got {
	char text[256]; /* a word for each row: the CPUs' names and + where a task is introduced */
	u32 only;       /* the one task that is wanted; 0: all */
};

static void take(void *ctx, const struct sched_map_row *row)
{
	struct got *g = ctx;
	size_t len = strlen(g->text);

	for (u32 cpu = 0; cpu < row->nr_cpus; cpu++)
		len += (size_t)snprintf(g->text + len, sizeof(g->text) - len, "%s%s",
					cpu == row->cpu ? "*" : "",
					row->cpus[cpu].seen ? row->cpus[cpu].name : "?");
	snprintf(g->text + len, sizeof(g->text) - len, "%s%s|", row->introduced ? "+" : "",
		 row->new_cpu ? "!" : "");
}

static bool wants(void *ctx, const struct task_at *task)
{
	return task->tid == ((const struct got *)ctx)->only;
}

static const struct {
	const char *name;
	u32 only;
	struct sched_step steps[6];
	const char *text;
} rows[] = {
	{ "nothing", 0, { { 0 } }, "" },
	{ "names in the order of appearance",
	  0,
	  { SWITCH(1, 0, 0, 7), SWITCH(2, 1, 0, 8), SWITCH(3, 0, 7, 8), SWITCH(4, 0, 8, 7) },
	  "*A0+!|A0*B0+!|*B0B0|*A0B0|" },
	{ "idle",
	  0,
	  { SWITCH(1, 0, 7, 0), SWITCH(2, 0, 0, 7), SWITCH(3, 0, 7, 0) },
	  "*. +!|*A0+|*. |" },
	{ "a CPU without a switch", 0, { SWITCH(1, 1, 0, 7) }, "?*A0+!|" },
	{ "one task",
	  7,
	  { SWITCH(1, 0, 1, 2), SWITCH(2, 0, 2, 7), SWITCH(3, 0, 7, 3), SWITCH(4, 0, 3, 4) },
	  "*A0+|*- |" },
	{ "no CPU has such a number", 0, { SWITCH(1, UINT32_MAX, 0, 7) }, "" },
	{ "other events", 0, { { SCHED_WAKEUP, 1, 0, 7 } }, "" },
};

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct got got = { .only = rows[i].only };
		struct task_table *tasks = sched_feed_tasks();
		struct sched_map *m = sched_map_new(
			&(struct sched_map_conf){ tasks, take, got.only ? wants : NULL, &got });

		sched_feed(sched_map_engine(), m, rows[i].steps);
		if (strcmp(got.text, rows[i].text))
			fail_msg("%s: %s", rows[i].name, got.text);
		sched_map_free(m);
		task_table_free(tasks);
	}
}

static void keep_last(void *ctx, const struct sched_map_row *row)
{
	memcpy(ctx, row->cpus[row->cpu].name, 3);
}

/* After the last name the first one is used again. */
static void test_many(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	char last[3];
	struct sched_map *m = sched_map_new(
		&(struct sched_map_conf){ .tasks = tasks, .row = keep_last, .ctx = last });

	for (u32 i = 1; i <= 261; i++) {
		const struct sched_step steps[] = { SWITCH(i, 0, i - 1, i), { 0 } };

		sched_feed(sched_map_engine(), m, steps);
		if (i == 27)
			assert_string_equal(last, "A1");
		if (i == 260)
			assert_string_equal(last, "Z9");
	}
	assert_string_equal(last, "A0");
	sched_map_free(m);
	task_table_free(tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
