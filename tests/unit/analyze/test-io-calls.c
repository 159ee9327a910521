// SPDX-License-Identifier: GPL-2.0-or-later
/* Test calls of I/O by tables of entries and exits, and which events the engine looks for. */
#include "base/compat.h"
#include "analyze/io-calls.h"
#include "sched-feed.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

struct step {
	u64 time; /* 0: no more */
	const char *name;
	s64 value; /* file of an entry, result of an exit */
};

static const struct engine_binding with_value = {
	.used = true,
	.payload = 8,
	.at = { { .size = 8, .is_signed = true } },
};

/* Return the number of an event in the table of the engine. */
static u32 event_of(const char *name)
{
	const struct engine *e = io_engine();

	for (u32 i = 0; i < e->nr_events; i++)
		if (!strcmp(e->events[i].names[0] + strlen("syscalls:sys_"), name))
			return i;
	fail_msg("no event %s", name);
	return 0;
}

static struct io_engine *play(const struct step *steps, bool skip, struct task_table **tasks)
{
	struct io_engine *e;

	*tasks = sched_feed_tasks();
	e = io_engine_new(&(struct io_calls_conf){ .tasks = *tasks, .skip_eagain = skip });
	for (; steps->time; steps++)
		io_engine()->feed(e, &(struct engine_input){ .time = steps->time,
							     .pid = 7,
							     .tid = 7,
							     .event = event_of(steps->name),
							     .wanted = true,
							     .bound = &with_value,
							     .raw = (const u8 *)&steps->value,
							     .raw_size = 8 });
	io_engine()->finish(e);
	return e;
}

static const struct {
	const char *name;
	bool skip;
	u64 bytes, lost;
	const char *text; /* a word for each call: START-END KIND fd=RESULT */
	struct step steps[7];
} rows[] = {
	{ "a call",
	  false,
	  100,
	  0,
	  "10-20 read 3=100; ",
	  { { 10, "enter_read", 3 }, { 20, "exit_read", 100 } } },
	{ "results that are no bytes",
	  false,
	  5,
	  0,
	  "10-20 sync 4=0; 30-40 poll 9=2; 50-60 send 1=5; ",
	  { { 10, "enter_fsync", 4 },
	    { 20, "exit_fsync", 0 },
	    { 30, "enter_epoll_wait", 9 },
	    { 40, "exit_epoll_wait", 2 },
	    { 50, "enter_sendto", 1 },
	    { 60, "exit_sendto", 5 } } },
	{ "errors",
	  false,
	  0,
	  0,
	  "10-20 receive 3=-11; ",
	  { { 10, "enter_recvmsg", 3 }, { 20, "exit_recvmsg", -11 } } },
	{ "EAGAIN is left out",
	  true,
	  0,
	  0,
	  "30-40 read 3=-5; ",
	  { { 10, "enter_read", 3 },
	    { 20, "exit_read", -11 },
	    { 30, "enter_read", 3 },
	    { 40, "exit_read", -5 } } },
	{ "an exit alone", false, 0, 1, "", { { 10, "exit_read", 3 } } },
	{ "an exit of another call",
	  false,
	  0,
	  1,
	  "10-20 read 3=0; ",
	  { { 10, "enter_read", 3 }, { 20, "exit_write", 3 } } },
	{ "an entry after another one",
	  false,
	  8,
	  1,
	  "20-30 write 3=8; ",
	  { { 10, "enter_write", 2 }, { 20, "enter_write", 3 }, { 30, "exit_write", 8 } } },
};

static void test_calls(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct task_table *tasks;
		struct io_engine *e = play(rows[i].steps, rows[i].skip, &tasks);
		const struct io_calls *r = io_engine_result(e);
		struct strbuf text = STRBUF_INIT;

		assert_int_equal(r->nr_tasks, 1);
		for (u32 c = 0; c < r->tasks[0].nr; c++) {
			const struct io_call *call = &r->tasks[0].calls[c];

			strbuf_addf(&text, "%llu-%llu %s %u=%lld; ",
				    (unsigned long long)call->start, (unsigned long long)call->end,
				    io_kind_name(call->kind), call->file, (long long)call->result);
		}
		if (strcmp(strbuf_str(&text), rows[i].text) || r->lost != rows[i].lost ||
		    r->tasks[0].bytes != rows[i].bytes)
			fail_msg("%s: %s", rows[i].name, strbuf_str(&text));
		strbuf_release(&text);
		io_engine_free(e);
		task_table_free(tasks);
	}
}

/* Feed a call of 100 ns of a task. */
static void call_once(struct io_engine *e, u32 tid, u64 time, const char *name, s64 file,
		      s64 result)
{
	struct engine_input in = { .time = time,
				   .pid = tid,
				   .tid = tid,
				   .event = event_of(name),
				   .wanted = true,
				   .bound = &with_value,
				   .raw = (const u8 *)&file,
				   .raw_size = 8 };

	io_engine()->feed(e, &in);
	in.time += 100;
	in.event++;
	in.raw = (const u8 *)&result;
	io_engine()->feed(e, &in);
}

/* The result has all calls and all bytes, in the order of time. */
static void check_sums(const struct io_calls *r, u64 calls, u64 bytes)
{
	u64 nr = 0, sum = 0, records = 0;

	for (u32 i = 0; i < r->nr_tasks; i++)
		for (u32 c = 0; c < r->tasks[i].nr; c++) {
			const struct io_call *call = &r->tasks[i].calls[c];

			assert_true(!c || call[-1].start <= call->start);
			assert_true(call->end >= call->start + 100);
			nr += call->more + 1;
			sum += call->result > 0 ? (u64)call->result : 0;
			records++;
		}
	assert_int_equal(nr, calls);
	assert_int_equal(sum, bytes);
	assert_int_equal(r->left_out, calls - records);
}

/* However many calls there are, they take no more memory than a bound, and none is lost. */
static void test_bounded(void **state)
{
	static const u64 nr[] = { 3000, 30000, 300000 };

	for (size_t i = 0; i < ARRAY_SIZE(nr); i++) {
		struct task_table *tasks = sched_feed_tasks();
		struct io_engine *e = io_engine_new(
			&(struct io_calls_conf){ .tasks = tasks, .most_bytes = 65536 });
		const struct io_calls *r = io_engine_result(e);

		for (u64 c = 0; c < nr[i]; c++) {
			call_once(e, 7 + c % 3, 1000 * (c + 1),
				  c % 2 ? "enter_read" : "enter_write", 3, c % 5 ? 10 : -5);
			assert_true(io_calls_bytes(r) <= 65536);
		}
		io_engine()->finish(e);
		assert_true(r->grain >= 10000 && r->grain < r->end - r->start);
		check_sums(r, nr[i], nr[i] / 5 * 4 * 10);
		assert_int_equal(r->tasks[0].bytes + r->tasks[1].bytes + r->tasks[2].bytes,
				 nr[i] / 5 * 4 * 10);
		io_engine_free(e);
		task_table_free(tasks);
	}
}

/* Calls that are added up are of one kind and have one outcome; the file is told if it is one. */
static void test_added(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct io_engine *e =
		io_engine_new(&(struct io_calls_conf){ .tasks = tasks, .most_bytes = 600 });
	struct strbuf text = STRBUF_INIT;
	const struct io_task *t;

	call_once(e, 7, 1000, "enter_read", 3, 10);
	call_once(e, 7, 1500, "enter_read", 3, 20);
	call_once(e, 7, 2000, "enter_write", 4, 7);
	call_once(e, 7, 2500, "enter_read", 3, 40);
	call_once(e, 7, 3000, "enter_read", 3, -5);
	call_once(e, 7, 4000, "enter_read", 3, -9);
	call_once(e, 7, 5000, "enter_ppoll", 6, 2);
	call_once(e, 7, 6000, "enter_ppoll", 6, 1);
	call_once(e, 7, 20000, "enter_read", 8, 1);
	call_once(e, 7, 20500, "enter_read", 9, 3);
	for (u32 i = 0; i < 7; i++) /* the seventeenth call finds the room taken */
		call_once(e, 7, 90000 + i, "enter_sync", 0, 0);
	t = &io_engine_result(e)->tasks[0];
	for (u32 i = 0; i < 5; i++)
		strbuf_addf(&text, "%llu %s %u %lld+%u; ", (unsigned long long)t->calls[i].start,
			    io_kind_name(t->calls[i].kind), t->calls[i].file,
			    (long long)t->calls[i].result, t->calls[i].more);
	assert_string_equal(strbuf_str(&text),
			    "1000 read 3 70+2; 2000 write 4 7+0; 3000 read 3 -9+1; "
			    "5000 poll 6 1+1; 20000 read 4294967295 4+1; ");
	strbuf_release(&text);
	io_engine_free(e);
	task_table_free(tasks);
}

/* Any one of the events is enough; none is told with some of those that were looked for. */
static void test_none(void **state)
{
	struct evlist none = { 0 };
	struct engine_binding bound[1];
	struct err err = { 0 };

	assert_int_equal(engine_bind(io_engine(), NULL, &none, NULL, false, bound, &err), -ENOENT);
	assert_non_null(strstr(err.msg, "none of syscalls:sys_enter_read, syscalls:sys_exit_read"));
	assert_non_null(strstr(err.msg, "and 42 more, only no events at all"));
	assert_non_null(strstr(err.msg, "perf timechart record -I"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_added),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
