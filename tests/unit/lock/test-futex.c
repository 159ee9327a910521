// SPDX-License-Identifier: GPL-2.0-or-later
/* Test by tables of calls what is counted of waits for futexes, and who is guessed to have held
 * them. */
#include "base/compat.h"
#include "lock/futex.h"

#include <errno.h>
#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>

#define LOST FUTEX_EVENTS /* no event: some are missing before that time */
#define WAIT 0x80
#define WAKE 0x81

struct step {
	u64 time;
	u32 event, tid;
	u64 address, op; /* of a return: address is the result */
	bool other;      /* a filter does not let it through */
};

struct payload {
	u64 address, op;
};

static const struct engine_binding binding = {
	.at = { { offsetof(struct payload, address), .size = 8, .is_signed = true },
		{ offsetof(struct payload, op), .size = 8 } },
};

/* All threads are of one process. */
static void feed(const struct engine *e, struct futex *f, const struct step *s)
{
	for (; s->time; s++) {
		struct payload p = { s->address, s->op };

		if (s->event == LOST) {
			e->lost(f, 0, s->time);
			continue;
		}
		e->feed(f, &(struct engine_input){
				   .time = s->time,
				   .pid = 1,
				   .tid = s->tid,
				   .event = s->event,
				   .wanted = !s->other,
				   .in_time = true,
				   .bound = &binding,
				   .raw = (const u8 *)&p,
				   .raw_size = sizeof(p),
			   });
	}
	e->finish(f);
}

static void task_named(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	*out = (struct task_at){ tid, pid, tid, "task", 0, UINT64_MAX };
}

#define ENTER(t, tid, address, op)                                                                 \
	{                                                                                          \
		t, FUTEX_ENTER, tid, address, op                                                   \
	}
#define EXIT(t, tid, result)                                                                       \
	{                                                                                          \
		t, FUTEX_EXIT, tid, (u64)(result)                                                  \
	}

static const struct {
	const char *name;
	struct step steps[12];
	u32 rows;
	struct futex_row row; /* the last one */
	u64 unended, torn;
} rows[] = {
	{ "nothing", { { 0 } }, 0, { 0 }, 0, 0 },
	{ "a wait that another thread ends",
	  { ENTER(10, 2, 0x40, WAIT), ENTER(15, 3, 0x40, WAKE), EXIT(16, 3, 1), EXIT(18, 2, 0) },
	  1,
	  { 1, 0x40, 18, 2, 3, { 1, 8, 8, 8 } },
	  0,
	  0 },
	{ "who ended the most time is the guess",
	  { ENTER(10, 2, 0x40, WAIT), ENTER(15, 3, 0x40, WAKE), EXIT(16, 3, 1), EXIT(18, 2, 0),
	    ENTER(20, 2, 0x40, WAIT), ENTER(40, 4, 0x40, WAKE), EXIT(41, 4, 1), EXIT(42, 2, 0) },
	  1,
	  { 1, 0x40, 42, 2, 4, { 2, 30, 22, 8 } },
	  0,
	  0 },
	{ "nobody is guessed of an earlier wake, and of a wait that ran out of time",
	  { ENTER(5, 3, 0x40, WAKE), EXIT(6, 3, 0), ENTER(10, 2, 0x40, WAIT), EXIT(18, 2, 0),
	    ENTER(20, 2, 0x40, WAIT), ENTER(22, 3, 0x40, WAKE), EXIT(23, 3, 0),
	    EXIT(25, 2, -ETIMEDOUT) },
	  1,
	  { 1, 0x40, 25, 2, FUTEX_NOBODY, { 2, 13, 8, 5 } },
	  0,
	  0 },
	{ "a call that does not wait",
	  { ENTER(10, 2, 0x40, WAIT), EXIT(11, 2, -EAGAIN), ENTER(12, 2, 0x40, 2), EXIT(13, 2, 0) },
	  1,
	  { 1, 0x40, 0, 0, FUTEX_NOBODY, { 0 } },
	  0,
	  0 },
	{ "counterparts are missing",
	  { EXIT(5, 2, 0), ENTER(10, 2, 0x40, WAIT), ENTER(12, 2, 0x48, WAIT), EXIT(13, 2, 0),
	    EXIT(14, 2, 0), ENTER(15, 3, 0x48, WAIT) },
	  2,
	  { 1, 0x48, 13, 2, FUTEX_NOBODY, { 1, 1, 1, 1 } },
	  2,
	  0 },
	{ "events are lost during a wait",
	  { ENTER(10, 2, 0x40, WAIT), { 11, LOST }, EXIT(12, 2, 0) },
	  1,
	  { 1, 0x40, 0, 0, FUTEX_NOBODY, { 0 } },
	  0,
	  1 },
	{ "filtered out",
	  { { 10, FUTEX_ENTER, 2, 0x40, WAIT, true }, EXIT(12, 2, 0) },
	  1,
	  { 1, 0x40, 0, 0, FUTEX_NOBODY, { 0 } },
	  0,
	  0 },
};

static void test_rows(void **state)
{
	const struct engine e = futex_engine();

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct task_table *tasks =
			task_table_new(&(struct task_source){ NULL, task_named });
		struct futex *f = futex_new(&(struct futex_conf){ .tasks = tasks });
		const struct futex_row *got, *want = &rows[i].row;
		struct lock_missing m;
		size_t nr;

		feed(&e, f, rows[i].steps);
		got = futex_rows(f, &nr);
		m = futex_missing(f);
		if (nr != rows[i].rows)
			fail_msg("%s: %zu rows", rows[i].name, nr);
		got = nr ? &got[nr - 1] : want;
		if (got->pid != want->pid || got->address != want->address ||
		    got->time != want->time || got->waiter != want->waiter ||
		    got->waker != want->waker ||
		    memcmp(&got->waits, &want->waits, sizeof(got->waits)))
			fail_msg("%s: pid %u, time %" PRIu64 ", waiter %u, waker %u, %" PRIu64
				 " waits, total %" PRIu64,
				 rows[i].name, got->pid, got->time, got->waiter, got->waker,
				 got->waits.count, got->waits.total);
		if (m.unended != rows[i].unended || m.torn != rows[i].torn)
			fail_msg("%s: %" PRIu64 " unended, %" PRIu64 " torn", rows[i].name,
				 m.unended, m.torn);
		futex_free(f);
		task_table_free(tasks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
