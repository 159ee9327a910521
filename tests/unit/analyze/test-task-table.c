// SPDX-License-Identifier: GPL-2.0-or-later
/* Tasks stay who they are, for however long the answers about them hold. */
#include "base/compat.h"

#include "analyze/task-table.h"

#include <setjmp.h>
#include <cmocka.h>

#define TID 7
#define PID 5
#define TOLD 1000 /* ns: from here on a record tells of the task */

/* The source knows a stranger by its pid and its tid. */
static void task_at_time(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	u64 span = *(const u64 *)ctx;
	bool told = time >= TOLD;

	*out = (struct task_at){
		.id = told ? 2 : pid == TASK_PID_UNKNOWN,
		.pid = told ? PID : pid,
		.tid = tid,
		.from = time / span * span,
		.until = told ? UINT64_MAX : MIN((time / span + 1) * span, (u64)TOLD),
		.stranger = !told,
	};
}

/* Events name the task with its pid and without it, in turns. */
static void take_turns(u64 span, bool pid_first)
{
	struct task_table *t = task_table_new(&(struct task_source){ &span, task_at_time });

	for (u64 time = 0; time < 2 * TOLD; time += 10) {
		bool with_pid = (time / 10 % 2 == 0) == pid_first;
		const struct task_at *at =
			task_table_at(t, with_pid ? PID : TASK_PID_UNKNOWN, TID, time);

		assert_int_equal(at->id, time >= TOLD ? 2 : !pid_first);
		assert_int_equal(at->tid, TID);
	}
	task_table_free(t);
}

static void test_stranger(void **state)
{
	const u64 spans[] = { 1, 30, TOLD };

	for (size_t i = 0; i < ARRAY_SIZE(spans); i++) {
		take_turns(spans[i], true);
		take_turns(spans[i], false);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_stranger) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
