// SPDX-License-Identifier: GPL-2.0-or-later
/* Test by tables of events how the time of a thread is split: on a CPU, in the run queue, waiting.
 */
#include "base/compat.h"
#include "triage/states.h"

#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>

#define LOST TRIAGE_EVENTS /* no event: some are missing before that time */
#define SLEEPS 1
#define BLOCKS 2
#define DEAD 0x10

/* All events have one payload: two tasks and a number. */
struct payload {
	s32 task, next;
	u64 number, other;
};

#define AT(member, bytes)                                                                          \
	{                                                                                          \
		.offset = offsetof(struct payload, member), .size = bytes                          \
	}

static const struct engine_binding of_switch = {
	.at = { [SWITCH_PREV_PID] = AT(task, 4),
		[SWITCH_PREV_STATE] = AT(number, 8),
		[SWITCH_NEXT_PID] = AT(next, 4) },
};
static const struct engine_binding of_waking = {
	.at = { [TASK_PID] = AT(task, 4), [TASK_FLAGS] = AT(number, 8) },
};
static const struct engine_binding of_futex = { .at = { AT(number, 8), AT(other, 8) } };
static const struct engine_binding of_number = { .at = { AT(number, 8) } };

struct step {
	u64 time;
	u32 event;
	u32 tid; /* who runs */
	u32 task, next;
	u64 number, other;
};

static const struct engine_binding *binding_of(u32 event)
{
	switch (event) {
	case TRIAGE_SWITCH:
		return &of_switch;
	case TRIAGE_WAKING:
	case TRIAGE_WAKEUP_NEW:
		return &of_waking;
	case TRIAGE_FUTEX_CALL:
		return &of_futex;
	}
	return &of_number;
}

static void task_named(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	*out = (struct task_at){
		tid, pid == TASK_PID_UNKNOWN ? 1 : pid, tid, "task", 0, UINT64_MAX
	};
}

static void feed(const struct engine *e, struct triage_states *s, const struct step *at)
{
	static const u64 chain[] = { PERF_CONTEXT_KERNEL, 0x1000, 0x2000 };

	for (; at->time; at++) {
		struct payload p = { (s32)at->task, (s32)at->next, at->number, at->other };
		struct sample sample = { .ip = 0x1000, .period = at->number, .nr_callchain = 3 };

		sample.callchain = (const u64_una *)chain;
		if (at->event == LOST)
			e->lost(s, 0, at->time);
		else
			e->feed(s, &(struct engine_input){
					   .time = at->time,
					   .pid = at->tid ? 1 : 0,
					   .tid = at->tid,
					   .event = at->event,
					   .wanted = true,
					   .in_time = true,
					   .bound = binding_of(at->event),
					   .raw = (const u8 *)&p,
					   .raw_size = sizeof(p),
					   .sample = &sample,
				   });
	}
	e->finish(s);
}

#define SWITCH(t, from, state, to)                                                                 \
	{                                                                                          \
		t, TRIAGE_SWITCH, from, from, to, state, 0                                         \
	}
#define WAKING(t, by, task, flags)                                                                 \
	{                                                                                          \
		t, TRIAGE_WAKING, by, task, 0, flags, 0                                            \
	}
#define BORN(t, by, task)                                                                          \
	{                                                                                          \
		t, TRIAGE_WAKEUP_NEW, by, task, 0, 0, 0                                            \
	}
#define FUTEX(t, tid, op, value)                                                                   \
	{                                                                                          \
		t, TRIAGE_FUTEX_CALL, tid, 0, 0, op, value                                         \
	}
#define NUMBER(t, event, tid, number)                                                              \
	{                                                                                          \
		t, event, tid, 0, 0, number, 0                                                     \
	}

/* This becomes of thread 2. */
static const struct {
	const char *name;
	struct step steps[12];
	u64 run, queued, waited, torn;
	struct triage_wait wait; /* the last one; its sum is the whole of it */
	u32 rival;
} rows[] = {
	{ "nothing", { { 0 } }, 0, 0, 0, 0, { 0 }, 0 },
	{ "it runs, sleeps, is woken, waits for thread 3, runs",
	  { SWITCH(10, 0, 0, 2), SWITCH(30, 2, SLEEPS, 3), WAKING(70, 4, 2, 0),
	    SWITCH(90, 3, SLEEPS, 2), SWITCH(95, 2, DEAD, 0), WAKING(99, 4, 3, 0) },
	  25,
	  20,
	  40,
	  0,
	  { .thread = 2, .chain = 1, .state = 'S', .waker = 4, .sum = { 40, 1, 40 } },
	  3 },
	{ "it is preempted",
	  { SWITCH(10, 0, 0, 2), SWITCH(30, 2, 0, 3), SWITCH(50, 3, SLEEPS, 2),
	    SWITCH(60, 2, DEAD, 0) },
	  30,
	  20,
	  0,
	  0,
	  { 0 },
	  3 },
	{ "it begins and ends outside of the recording",
	  { WAKING(5, 4, 9, 0), SWITCH(10, 2, BLOCKS, 0), WAKING(40, 0, 2, 0x10),
	    NUMBER(60, TRIAGE_LOCK_END, 4, 0) },
	  5,
	  20,
	  30,
	  0,
	  { .thread = 2, .chain = 1, .state = 'D', .waker = TRIAGE_NOBODY, .sum = { 30, 1, 30 } },
	  TRIAGE_NOBODY },
	{ "it is born",
	  { SWITCH(5, 0, 0, 9), BORN(10, 9, 2), SWITCH(15, 9, SLEEPS, 2), SWITCH(25, 2, DEAD, 0) },
	  10,
	  5,
	  0,
	  0,
	  { 0 },
	  9 },
	{ "events are lost during a sleep",
	  { SWITCH(10, 0, 0, 2),
	    SWITCH(30, 2, SLEEPS, 0),
	    { 40, LOST },
	    WAKING(50, 4, 2, 0),
	    SWITCH(60, 0, 0, 2),
	    SWITCH(70, 2, DEAD, 0) },
	  30,
	  10,
	  20,
	  1,
	  { .thread = 2, .chain = 1, .state = 'S', .waker = 4, .sum = { 20, 1, 20 } },
	  TRIAGE_NOBODY },
	{ "two ways to wait for a futex are two waits",
	  { SWITCH(10, 0, 0, 2), FUTEX(11, 2, 0x80, 2), SWITCH(12, 2, SLEEPS, 0),
	    WAKING(20, 4, 2, 0), SWITCH(20, 0, 0, 2), FUTEX(21, 2, 0x189, 0),
	    SWITCH(22, 2, SLEEPS, 0), WAKING(25, 4, 2, 0), SWITCH(25, 0, 0, 2),
	    SWITCH(26, 2, DEAD, 0) },
	  5,
	  0,
	  11,
	  0,
	  { .thread = 2,
	    .chain = 1,
	    .state = 'S',
	    .futex = TRIAGE_FUTEX_EVENT,
	    .waker = 4,
	    .sum = { 3, 1, 3 } },
	  TRIAGE_NOBODY },
	{ "a waking of a thread that has not slept yet counts for nothing",
	  { SWITCH(10, 0, 0, 2), WAKING(15, 4, 2, 0), SWITCH(30, 2, 0, 0), SWITCH(40, 0, 0, 2),
	    SWITCH(50, 2, DEAD, 0) },
	  30,
	  10,
	  0,
	  0,
	  { 0 },
	  TRIAGE_NOBODY },
};

static u64 waited(const struct triage_wait *waits, u32 nr)
{
	u64 sum = 0;

	for (u32 i = 0; i < nr; i++)
		if (waits[i].thread == 2)
			sum += waits[i].sum.ns;
	return sum;
}

static void check_wait(const struct triage_wait *got, const struct triage_wait *want)
{
	assert_int_equal(got->thread, want->thread);
	assert_int_equal(got->chain, want->chain);
	assert_int_equal(got->state, want->state);
	assert_int_equal(got->futex, want->futex);
	assert_int_equal(got->waker, want->waker);
	assert_int_equal(got->sum.ns, want->sum.ns);
	assert_int_equal(got->sum.nr, want->sum.nr);
	assert_int_equal(got->sum.max, want->sum.max);
}

/* Return the last wait of thread 2. */
static const struct triage_wait *last_of(const struct triage_wait *waits, u32 nr)
{
	while (nr && waits[nr - 1].thread != 2)
		nr--;
	return nr ? &waits[nr - 1] : NULL;
}

static void test_states(void **state)
{
	static const struct tf_event plain;
	const struct task_source source = { NULL, task_named };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct task_table *tasks = task_table_new(&source);
		struct triage_states *s = triage_states_new(tasks);
		struct engine e = triage_states_engine(s);
		const struct triage_thread *threads;
		const struct triage_wait *waits;
		u32 nr, nr_waits;

		print_message("%s\n", rows[i].name);
		e.bound(s, TRIAGE_SWITCH, &plain); /* it tells no letters: the usual ones count */
		feed(&e, s, rows[i].steps);
		threads = triage_threads(s, &nr);
		waits = triage_waits(s, &nr_waits);
		assert_int_equal(nr > 2 ? threads[2].run : 0, rows[i].run);
		assert_int_equal(nr > 2 ? threads[2].queue.ns : 0, rows[i].queued);
		assert_int_equal(waited(waits, nr_waits), rows[i].waited);
		assert_int_equal(triage_torn(s), rows[i].torn);
		if (rows[i].waited)
			check_wait(last_of(waits, nr_waits), &rows[i].wait);
		if (nr > 2)
			assert_int_equal(threads[2].rival, rows[i].rival);
		triage_states_free(s);
		task_table_free(tasks);
	}
}

/* Samples, faults, locks and interrupts are counted for the thread that has them. */
static void test_counts(void **state)
{
	static const struct step steps[] = {
		SWITCH(10, 0, 0, 2),
		NUMBER(12, TRIAGE_SAMPLE, 2, 250),
		NUMBER(13, TRIAGE_SAMPLE, 2, 250),
		NUMBER(13, TRIAGE_SAMPLE, 0, 250),
		NUMBER(14, TRIAGE_SAMPLE, UINT32_MAX, 250),
		NUMBER(14, TRIAGE_FAULTS, 2, 30),
		NUMBER(15, TRIAGE_LOCK_BEGIN, 2, 1),
		NUMBER(16, TRIAGE_LOCK_BEGIN, 2, 2),
		NUMBER(19, TRIAGE_LOCK_END, 2, 0),
		NUMBER(20, TRIAGE_LOCK_END, 2, 0),
		SWITCH(30, 2, SLEEPS, 0),
		{ 0 },
	};
	struct task_table *tasks = task_table_new(&(struct task_source){ NULL, task_named });
	struct triage_states *s = triage_states_new(tasks);
	struct engine e = triage_states_engine(s);
	const struct triage_thread *threads;
	const struct triage_spot *spots;
	const u64_una *ips;
	u64 first, last, nr_ips;
	u32 nr;

	triage_states_interrupt(s, 1, 2, 11, 5);
	triage_states_interrupt(s, 0, 0, 11, 5);
	feed(&e, s, steps);
	threads = triage_threads(s, &nr);
	assert_int_equal(nr, 3);
	assert_int_equal(threads[2].samples, 2);
	assert_int_equal(threads[2].weight, 500);
	assert_int_equal(threads[2].faults, 30);
	assert_int_equal(threads[2].locks.ns, 4);
	assert_int_equal(threads[2].locks.nr, 1);
	assert_int_equal(threads[2].irqs.ns, 5);
	spots = triage_spots(s, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(spots[0].samples, 2);
	ips = triage_chain(s, spots[0].chain, &nr_ips);
	assert_int_equal(nr_ips, 3);
	assert_int_equal(ips[1], 0x1000);
	triage_span(s, &first, &last);
	assert_int_equal(first, 10);
	assert_int_equal(last, 30);
	triage_states_free(s);
	task_table_free(tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_states),
					    cmocka_unit_test(test_counts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
