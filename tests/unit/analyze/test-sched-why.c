// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what the longest delays come from, by made-up events. */
#include "base/compat.h"
#include "analyze/sched-why.h"
#include "base/strbuf.h"
#include "sched-feed.h"

#include <setjmp.h>
#include <cmocka.h>

#define SWITCH(t, c, from, state, to)                                                              \
	{                                                                                          \
		SCHED_SWITCH, t, c, from, state, to                                                \
	}
/* A wakeup by another task. The value is common_flags. */
#define WAKE(t, c, who, waker)                                                                     \
	{                                                                                          \
		SCHED_WAKEUP, t, c, who, .by = waker                                               \
	}
#define INTERRUPT 0x08

static const struct {
	const char *name;
	u32 depth;
	struct sched_step steps[12];
	/* task:ready-ran, then what happened: H task=ns/runs; P preempted; M from@time; S state
	 * from-until/ns for I/O; W waker@time with its sleep in parentheses, ! an interrupt; ? a
	 * gap */
	const char *text;
} rows[] = {
	{ "nothing", 5, { { 0 } }, "" },
	{ "a task that did not wait", 5, { SWITCH(10, 0, 7, 1, 8), SWITCH(15, 0, 8, 1, 7) }, "" },
	{ "two tasks that share a CPU",
	  5,
	  { SWITCH(10, 0, 7, 0, 8), SWITCH(15, 0, 8, 0, 7), SWITCH(25, 0, 7, 0, 8) },
	  "8:15-25 H7=10/1 P|7:10-15 H8=5/1 P|" },
	{ "a chain of tasks that wake up one another",
	  5,
	  { SWITCH(10, 0, 9, 1, 6), SWITCH(11, 1, 8, 2, 0), WAKE(15, 0, 8, 6),
	    SWITCH(17, 1, 0, 0, 8), WAKE(20, 1, 9, 8), SWITCH(25, 0, 6, 1, 9) },
	  "9:20-25 H6=5/1 S10-20 W8@20(D11-15) W6@15()|8:15-17 H0=2/1 D11-15 W6@15()|" },
	{ "the kernel tells how much of a sleep was for I/O, and not more than all of it",
	  5,
	  { SWITCH(10, 0, 9, 2, 6),
	    WAKE(20, 0, 9, 6),
	    { SCHED_IOWAIT, 21, 0, 9, 7, .by = 6 },
	    SWITCH(25, 0, 6, 2, 9),
	    WAKE(30, 0, 6, 9),
	    { SCHED_IOWAIT, 31, 0, 6, 99, .by = 9 },
	    { SCHED_IOWAIT, 31, 0, 9, 5 },
	    SWITCH(40, 0, 9, 1, 6) },
	  "6:30-40 H9=10/1 D25-30/5 W9@30(D10-20/7) W6@20()|"
	  "9:20-25 H6=5/1 D10-20/7 W6@20()|" },
	{ "a chain is no deeper than it may be",
	  1,
	  { SWITCH(10, 0, 9, 1, 6), SWITCH(11, 1, 8, 2, 0), WAKE(15, 0, 8, 6),
	    SWITCH(17, 1, 0, 0, 8), WAKE(20, 1, 9, 8), SWITCH(25, 0, 6, 1, 9) },
	  "9:20-25 H6=5/1 S10-20 W8@20(D11-15)|8:15-17 H0=2/1 D11-15 W6@15()|" },
	{ "an interrupt ends the chain",
	  5,
	  { SWITCH(10, 0, 9, 1, 6),
	    { SCHED_WAKEUP, 12, 0, 9, INTERRUPT, .by = 6 },
	    SWITCH(15, 0, 6, 1, 9) },
	  "9:12-15 H6=3/1 S10-12 !W6@12()|" },
	{ "moved to another CPU",
	  5,
	  { SWITCH(10, 0, 7, 0, 8),
	    SWITCH(11, 1, 0, 0, 6),
	    SWITCH(12, 0, 8, 0, 5),
	    { SCHED_MIGRATE, 14, 1, 7, 0, 1, .by = 6 },
	    SWITCH(15, 0, 5, 1, 0),
	    SWITCH(16, 1, 6, 1, 7) },
	  "7:10-16 H5=2/1 H6=2/1 H8=2/1 P M0@14|" },
	{ "the waker chooses the CPU",
	  5,
	  { SWITCH(10, 0, 7, 1, 8),
	    WAKE(12, 0, 7, 8),
	    { SCHED_MIGRATE, 13, 0, 7, 0, 1, .by = 8 },
	    SWITCH(11, 1, 6, 1, 5),
	    SWITCH(16, 1, 5, 1, 7) },
	  "7:12-16 H5=4/1 S10-12 W8@12()|" },
	{ "events are lost",
	  5,
	  { SWITCH(10, 0, 7, 0, 8), { SCHED_STEP_LOST, 12, 0 }, SWITCH(15, 0, 8, 1, 7) },
	  "7:10-15? H8=5/1 P|" },
	{ "time runs back", 5, { SWITCH(20, 0, 7, 0, 8), SWITCH(10, 0, 8, 0, 7) }, "" },
	{ "no CPU has such a number", 5, { SWITCH(10, UINT32_MAX, 7, 1, 8) }, "" },
};

static void put_sleep(struct strbuf *out, const struct why_sleep *s)
{
	strbuf_addf(out, "%c%" PRIu64 "-%" PRIu64, s->state, s->from, s->until);
	if (s->io)
		strbuf_addf(out, "/%" PRIu64, s->io);
}

static void put_waker(struct strbuf *out, const struct why_waker *by)
{
	strbuf_addf(out, " %sW%u@%" PRIu64 "(", by->interrupt ? "!" : "", by->tid, by->time);
	if (by->sleep.until)
		put_sleep(out, &by->sleep);
	strbuf_addch(out, ')');
}

static void put_delay(struct strbuf *out, const struct why_delay *d)
{
	strbuf_addf(out, "%u:%" PRIu64 "-%" PRIu64 "%s", d->tid, d->ready, d->ran,
		    d->gap ? "?" : "");
	for (u32 i = 0; i < d->nr_holders; i++)
		strbuf_addf(out, " H%u=%" PRIu64 "/%u", d->holders[i].task, d->holders[i].ns,
			    d->holders[i].runs);
	strbuf_addstr(out, d->preempted ? " P" : "");
	if (d->moved)
		strbuf_addf(out, " M%u@%" PRIu64, d->from_cpu, d->moved);
	if (!d->preempted && d->sleep.until) {
		strbuf_addch(out, ' ');
		put_sleep(out, &d->sleep);
	}
	for (u32 i = 0; i < d->nr_wakers; i++)
		put_waker(out, &d->wakers[i]);
	strbuf_addch(out, '|');
}

static void test_delays(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct task_table *tasks = sched_feed_tasks();
		struct sched_why *w = sched_why_new(&(struct sched_why_conf){
			.tasks = tasks, .most = 3, .depth = rows[i].depth });
		struct strbuf text = STRBUF_INIT;
		const struct why_delay *d;
		size_t nr;

		sched_feed(sched_why_engine(), w, rows[i].steps);
		d = sched_why_delays(w, &nr);
		for (size_t n = 0; n < nr; n++)
			put_delay(&text, &d[n]);
		if (strcmp(strbuf_str(&text), rows[i].text))
			fail_msg("%s: %s", rows[i].name, strbuf_str(&text));
		strbuf_release(&text);
		sched_why_free(w);
		task_table_free(tasks);
	}
}

/* Ten delays of 1 to 10 ns leave the three longest ones. */
static void test_most(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct sched_why *w =
		sched_why_new(&(struct sched_why_conf){ .tasks = tasks, .most = 3, .depth = 1 });
	const struct why_delay *d;
	size_t nr;

	for (u64 i = 1; i <= 10; i++) {
		const struct sched_step steps[] = { SWITCH(100 * i, 0, 7, 0, 8),
						    SWITCH(100 * i + i, 0, 8, 1, 7),
						    { 0 } };

		sched_feed(sched_why_engine(), w, steps);
	}
	d = sched_why_delays(w, &nr);
	assert_int_equal(nr, 3);
	for (u64 i = 0; i < 3; i++)
		assert_int_equal(d[i].ran - d[i].ready, 10 - i);
	sched_why_free(w);
	task_table_free(tasks);
}

/* Ten tasks ran 1 to 10 ns; the eight that ran longest are named. */
static void test_holders(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct sched_why *w =
		sched_why_new(&(struct sched_why_conf){ .tasks = tasks, .most = 1, .depth = 1 });
	struct sched_step steps[13] = { SWITCH(100, 0, 7, 0, 11) };
	const struct why_delay *d;
	u64 time = 100;
	size_t nr;

	for (u32 i = 1; i <= 10; i++)
		steps[i] = (struct sched_step)SWITCH(time += i, 0, 10 + i, 1, i < 10 ? 11 + i : 7);
	sched_feed(sched_why_engine(), w, steps);
	d = sched_why_delays(w, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(d->nr_holders, WHY_HOLDERS);
	for (u32 i = 0; i < WHY_HOLDERS; i++)
		assert_int_equal(d->holders[i].ns, 10 - i);
	assert_int_equal(d->others, 1 + 2);
	assert_int_equal(d->unknown, 0);
	sched_why_free(w);
	task_table_free(tasks);
}

/* A task is moved from a CPU that another task still has, and whose first switch was later than its
 * delay began. */
static void test_known(void **state)
{
	static const struct sched_step steps[] = {
		SWITCH(100, 0, 7, 0, 11),
		{ SCHED_MIGRATE, 200, 0, 7, 0, 1 },
		SWITCH(240, 1, 9, 1, 12),
		SWITCH(260, 1, 12, 1, 7),
		{ 0 },
	};
	struct task_table *tasks = sched_feed_tasks();
	struct sched_why *w =
		sched_why_new(&(struct sched_why_conf){ .tasks = tasks, .most = 1, .depth = 1 });
	const struct why_delay *d;
	size_t nr;

	sched_feed(sched_why_engine(), w, steps);
	d = sched_why_delays(w, &nr);
	assert_int_equal(nr, 1);
	assert_int_equal(d->moved, 200);
	assert_int_equal(d->nr_holders, 2);
	assert_int_equal(d->holders[0].task, 11);
	assert_int_equal(d->holders[0].ns, 100);
	assert_int_equal(d->holders[1].task, 12);
	assert_int_equal(d->holders[1].ns, 20);
	assert_int_equal(d->unknown, 40);
	sched_why_free(w);
	task_table_free(tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_delays),
		cmocka_unit_test(test_most),
		cmocka_unit_test(test_holders),
		cmocka_unit_test(test_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
