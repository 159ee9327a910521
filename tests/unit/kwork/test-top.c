// SPDX-License-Identifier: GPL-2.0-or-later
/* Test by tables of events how the time of CPUs is split among tasks, interrupts and softirqs. */
#include "base/compat.h"
#include "kwork/top.h"
#include "sched-feed.h"

#include <setjmp.h>
#include <cmocka.h>

#define SWITCH(t, c, from, to)                                                                     \
	{                                                                                          \
		SCHED_SWITCH, t, c, from, 1, to                                                    \
	}
#define IN_TASK(event, t, c, who)                                                                  \
	{                                                                                          \
		event, t, c, .by = who                                                             \
	}

static const struct {
	const char *name;
	struct sched_step steps[8];
	struct kwork_cpu cpus[2];
	u64 tasks[3]; /* of tasks 1, 2 and 3 */
} rows[] = {
	{ "nothing", { { 0 } }, { { 0 } }, { 0 } },
	{ "two tasks and an idle CPU",
	  { SWITCH(10, 0, 1, 2), SWITCH(14, 0, 2, 0), SWITCH(17, 0, 0, 1), SWITCH(25, 0, 1, 2) },
	  { { .total = 15, .idle = 3 } },
	  { 8, 4 } },
	{ "the first event of a CPU tells which task ran since the begin",
	  { SWITCH(10, 0, 1, 2), SWITCH(16, 1, 3, 0), SWITCH(20, 0, 2, 1) },
	  { { .total = 10 }, { .total = 10, .idle = 4 } },
	  { 0, 10, 6 } },
	{ "interrupts and softirqs are taken off the task",
	  { SWITCH(10, 0, 0, 1), IN_TASK(IRQ_ENTRY, 12, 0, 1), IN_TASK(IRQ_EXIT, 15, 0, 1),
	    IN_TASK(SOFTIRQ_ENTRY, 16, 0, 1), IN_TASK(SOFTIRQ_EXIT, 20, 0, 1),
	    SWITCH(22, 0, 1, 0) },
	  { { .total = 12, .irq = 3, .softirq = 4 } },
	  { 5 } },
	{ "an interrupt during a softirq is none of its time",
	  { SWITCH(10, 0, 0, 1), IN_TASK(SOFTIRQ_ENTRY, 11, 0, 1), IN_TASK(IRQ_ENTRY, 12, 0, 1),
	    IN_TASK(IRQ_EXIT, 15, 0, 1), IN_TASK(SOFTIRQ_EXIT, 17, 0, 1), SWITCH(17, 0, 1, 0) },
	  { { .total = 7, .irq = 3, .softirq = 3 } },
	  { 1 } },
	{ "nobody has the time during which events were lost",
	  { SWITCH(10, 0, 0, 1), { SCHED_STEP_LOST, 15, 0 }, SWITCH(17, 0, 2, 0) },
	  { { .total = 2 } },
	  { 0, 2 } },
	{ "a switch to the idle task was not traced",
	  { SWITCH(10, 0, 1, 2), SWITCH(15, 0, 0, 3), SWITCH(18, 0, 3, 1) },
	  { { .total = 8, .idle = 5 } },
	  { 0, 0, 3 } },
	{ "a switch from the idle task was not traced",
	  { SWITCH(10, 0, 1, 0), IN_TASK(SOFTIRQ_ENTRY, 14, 0, 2), IN_TASK(SOFTIRQ_EXIT, 15, 0, 2),
	    SWITCH(18, 0, 2, 1) },
	  { { .total = 8, .idle = 4, .softirq = 1 } },
	  { 0, 3 } },
	{ "a switch between two tasks was not traced",
	  { SWITCH(10, 0, 1, 2), SWITCH(15, 0, 3, 1) },
	  { { .total = 5 } },
	  { 0, 0, 5 } },
	{ "filtered out", { { SCHED_SWITCH, 10, 0, 1, 1, 2, true } }, { { 0 } }, { 0 } },
};

static void check(size_t i, const struct kwork_top *t)
{
	u32 nr_cpus, nr_tasks;
	const struct kwork_cpu *cpus = kwork_top_cpus(t, &nr_cpus);
	const u64 *tasks = kwork_top_tasks(t, &nr_tasks);

	for (u32 c = 0; c < ARRAY_SIZE(rows[i].cpus); c++) {
		struct kwork_cpu got = c < nr_cpus ? cpus[c] : (struct kwork_cpu){ 0 };

		if (memcmp(&got, &rows[i].cpus[c], sizeof(got)))
			fail_msg("%s: CPU %u: %" PRIu64 ", idle %" PRIu64 ", irq %" PRIu64
				 ", softirq %" PRIu64,
				 rows[i].name, c, got.total, got.idle, got.irq, got.softirq);
	}
	for (u32 id = 1; id <= ARRAY_SIZE(rows[i].tasks); id++) {
		u64 got = id < nr_tasks ? tasks[id] : 0;

		if (got != rows[i].tasks[id - 1])
			fail_msg("%s: task %u: %" PRIu64, rows[i].name, id, got);
	}
}

static void test_shares(void **state)
{
	const struct engine e = kwork_top_engine(true, true);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct task_table *tasks = sched_feed_tasks();
		struct kwork_top *t = kwork_top_new(tasks);

		sched_feed(&e, t, rows[i].steps);
		check(i, t);
		kwork_top_free(t);
		task_table_free(tasks);
	}
}

static bool takes(const struct engine *e, u32 event)
{
	return !(e->unused >> event & 1);
}

static void test_events(void **state)
{
	const struct engine tasks = kwork_top_engine(false, false);
	const struct engine softirqs = kwork_top_engine(false, true);

	assert_true(takes(&tasks, SCHED_SWITCH) && !takes(&tasks, IRQ_ENTRY));
	assert_true(!takes(&tasks, SOFTIRQ_EXIT) && !takes(&tasks, SCHED_WAKEUP));
	assert_true(takes(&softirqs, SOFTIRQ_EXIT) && !takes(&softirqs, IRQ_EXIT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
