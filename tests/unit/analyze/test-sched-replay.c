// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the programs that are made of what tasks did. */
#include "base/compat.h"
#include "analyze/sched-replay.h"
#include "base/alloc.h"
#include "sched-feed.h"

#include <setjmp.h>
#include <cmocka.h>

#define SWITCH(t, c, from, state, to)                                                              \
	{                                                                                          \
		SCHED_SWITCH, t, c, from, state, to                                                \
	}
#define WAKE(e, t, c, task, waker)                                                                 \
	{                                                                                          \
		e, t, c, task, .by = (waker)                                                       \
	}

/* Programs are written as "TID: steps|", those of idle tasks as "cCPU:". r5: run for 5 ns;
 * p: pause; w0: wait for signal 0; k: wake. */
static const struct {
	const char *name;
	struct sched_step steps[8];
	const char *text;
	u64 pointless;
} cases[] = {
	{ "nothing", { { 0 } }, "", 0 },
	{ "a task sleeps, and nothing wakes it up",
	  { SWITCH(10, 0, 0, 0, 7), SWITCH(15, 0, 7, 1, 0), SWITCH(20, 0, 0, 0, 7) },
	  "c0: w0 p5|7: r5 k0 p5|",
	  0 },
	{ "a timer wakes it up",
	  { SWITCH(10, 0, 0, 0, 7), SWITCH(15, 0, 7, 1, 0),
	    WAKE(SCHED_WAKEUP, 18, 0, 7, SCHED_BY_IDLE), SWITCH(20, 0, 0, 0, 7),
	    SWITCH(26, 0, 7, 1, 0) },
	  "c0: w0 p3 k1 p2 w2|7: r5 k0 w1 r6 k2|",
	  0 },
	{ "a task on another CPU wakes it up",
	  { SWITCH(10, 0, 0, 0, 7), SWITCH(10, 1, 0, 0, 8), SWITCH(11, 0, 7, 1, 0),
	    WAKE(SCHED_WAKEUP, 13, 1, 7, 8), SWITCH(14, 0, 0, 0, 7) },
	  "c0: w0 p3|7: r1 k0 w1|c1:|8: r3 k1|",
	  0 },
	{ "a preempted task does not sleep",
	  { SWITCH(10, 0, 0, 0, 7), SWITCH(15, 0, 7, 0, 8), SWITCH(20, 0, 8, 1, 7),
	    SWITCH(25, 0, 7, 0x100, 8) },
	  "c0:|7: r10|8: r5 p5|",
	  0 },
	{ "a new task begins when its parent has made it",
	  { SWITCH(10, 0, 0, 0, 7), WAKE(SCHED_WAKEUP_NEW, 12, 0, 9, 7), SWITCH(15, 0, 7, 1, 9) },
	  "c0:|7: r2 k0 r3|9: w0|",
	  0 },
	{ "a task is woken up that runs, and one twice",
	  { SWITCH(10, 0, 0, 0, 7), WAKE(SCHED_WAKEUP, 12, 0, 7, 7),
	    WAKE(SCHED_WAKEUP, 13, 0, 8, 7), WAKE(SCHED_WAKEUP, 14, 0, 8, 7) },
	  "c0:|7: r3 k0 r1|8: w0|",
	  2 },
	{ "the switch to a task is missing",
	  { SWITCH(10, 0, 0, 0, 7), SWITCH(20, 0, 8, 1, 7), SWITCH(25, 0, 7, 1, 8) },
	  "c0:|7: r5|8: p5|",
	  0 },
	{ "no CPU has such a number", { SWITCH(1, UINT32_MAX, 0, 0, 7) }, "", 0 },
	{ "other events", { { SCHED_SWITCH, 1, 0, 7, 0, 7 } }, "7:|", 0 },
};

static void put_program(const struct replay_program *p, struct strbuf *out)
{
	static const char letters[REPLAY_NR_KINDS] = { 'r', 'p', 'w', 'k' };

	strbuf_addf(out, "%s%u:", p->idle ? "c" : "", p->task);
	for (size_t i = 0; i < p->nr; i++) {
		const struct replay_step *s = &p->steps[i];

		strbuf_addf(out, " %c%" PRIu64, letters[s->kind],
			    s->kind == REPLAY_RUN || s->kind == REPLAY_PAUSE ? s->ns : s->signal);
	}
	strbuf_addch(out, '|');
}

static void test_programs(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct task_table *tasks = sched_feed_tasks();
		struct sched_replay *r = sched_replay_new(tasks);
		const struct replay_programs *p = sched_replay_programs(r);
		struct strbuf got = STRBUF_INIT;

		sched_feed(sched_replay_engine(), r, cases[i].steps);
		for (u32 k = 0; k < p->nr; k++)
			put_program(&p->v[k], &got);
		if (strcmp(strbuf_str(&got), cases[i].text) || p->pointless != cases[i].pointless)
			fail_msg("%s: %s, %" PRIu64 " pointless", cases[i].name, strbuf_str(&got),
				 p->pointless);
		strbuf_release(&got);
		sched_replay_free(r);
		task_table_free(tasks);
	}
}

/* Only events of the span of time that is looked at make steps. */
static void test_span(void **state)
{
	static const struct sched_step steps[] = { SWITCH(10, 0, 0, 0, 7),
						   SWITCH(15, 0, 7, 0, 8),
						   SWITCH(25, 0, 8, 0, 7),
						   SWITCH(99, 0, 7, 1, 8),
						   { 0 } };
	struct task_table *tasks = sched_feed_tasks();
	struct sched_replay *r = sched_replay_new(tasks);
	const struct replay_programs *p = sched_replay_programs(r);

	sched_feed_span(sched_replay_engine(), r, steps, 15, 30);
	assert_int_equal(p->first, 15);
	assert_int_equal(p->last, 25);
	assert_int_equal(p->nr, 2);
	assert_int_equal(p->v[0].nr, 0);
	assert_int_equal(p->v[1].nr, 1);
	assert_int_equal(p->v[1].steps[0].ns, 10);
	sched_replay_free(r);
	task_table_free(tasks);
}

/* ---- programs of events that do not fit together ---- */

#define CHAOS 400 /* events */
#define CHAOS_TASKS 6
#define CHAOS_CPUS 3

static u32 some(u32 *seed, u32 below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 16) % below;
}

static void make_chaos(struct sched_step *steps, u32 seed)
{
	static const enum sched_event kinds[] = { SCHED_SWITCH, SCHED_SWITCH, SCHED_WAKEUP,
						  SCHED_WAKEUP_NEW };

	for (u64 i = 0; i < CHAOS; i++) {
		u32 by = some(&seed, CHAOS_TASKS);

		steps[i] = (struct sched_step){
			.event = kinds[some(&seed, ARRAY_SIZE(kinds))],
			.time = 1000 - some(&seed, 9) + i,
			.cpu = some(&seed, CHAOS_CPUS),
			.task = some(&seed, CHAOS_TASKS),
			.value = some(&seed, 2),
			.next = some(&seed, CHAOS_TASKS),
		};
		if (steps[i].event != SCHED_SWITCH)
			steps[i].by = by ? by : SCHED_BY_IDLE;
	}
	steps[CHAOS] = (struct sched_step){ 0 };
}

/* Follow a program as far as the signals that were given allow. Return: the steps that were done */
static size_t advance(const struct replay_program *p, size_t *at, u8 *given)
{
	size_t start = *at;

	for (; *at < p->nr; ++*at) {
		const struct replay_step *s = &p->steps[*at];

		if (s->kind == REPLAY_WAKE)
			assert_int_equal(given[s->signal]++, 0);
		if (s->kind == REPLAY_WAIT && !given[s->signal])
			break;
	}
	return *at - start;
}

static void assert_all_end(const struct replay_programs *p)
{
	size_t *at = xcalloc(p->nr, sizeof(*at)), done;
	u8 *given = xcalloc(p->nr_signals, 1);
	u64 waits = 0;

	do {
		done = 0;
		for (u32 i = 0; i < p->nr; i++)
			done += advance(&p->v[i], &at[i], given);
	} while (done);
	for (u32 i = 0; i < p->nr; i++) {
		assert_int_equal(at[i], p->v[i].nr);
		for (size_t k = 0; k < p->v[i].nr; k++)
			waits += p->v[i].steps[k].kind == REPLAY_WAIT;
	}
	assert_int_equal(waits, p->nr_signals);
	free(at);
	free(given);
}

static void test_no_circles(void **state)
{
	static struct sched_step steps[CHAOS + 1];
	u64 signals = 0;

	for (u32 seed = 1; seed <= 200; seed++) {
		struct task_table *tasks = sched_feed_tasks();
		struct sched_replay *r = sched_replay_new(tasks);

		make_chaos(steps, seed);
		sched_feed(sched_replay_engine(), r, steps);
		assert_all_end(sched_replay_programs(r));
		signals += sched_replay_programs(r)->nr_signals;
		sched_replay_free(r);
		task_table_free(tasks);
	}
	assert_true(signals > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_span),
		cmocka_unit_test(test_no_circles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
