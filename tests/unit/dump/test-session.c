// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the dump of a whole session, its counts and its tasks, of a file and of a stream. */
#include "base/compat.h"
#include "drive.h"
#include "dump/facts.h"
#include "dump/session-dump.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER)

static void build(struct pb *b, bool pipe, bool sample_id_all)
{
	struct pb_event ev = {
		.attr = { .type = 1, .sample_type = ST, .sample_id_all = sample_id_all },
		.ids = { 7 },
		.nr_ids = 1,
		.name = "one",
	};
	struct pb_id id = { 10, 11, 500, 7, 0, 0 };
	u64 trailer = sample_id_all ? ST : 0;

	pb_start(b, false, pipe, &ev, 1);
	if (!pipe)
		pb_event_desc(b, &ev, 1);
	pb_comm(b, 10, 11, "prog", trailer, &id);
	for (id.time = 1000; id.time < 1003; id.time++)
		pb_sample(b, ST, 0x401000 + id.time, &id, 1);
	pb_finish(b);
}

static int take(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
	return 0;
}

static u32 times_in(const struct strbuf *text, const char *what)
{
	u32 n = 0;

	for (const char *at = strbuf_str(text); (at = strstr(at, what)); at++)
		n++;
	return n;
}

static void test_dump(void **state)
{
	for (int pipe = 0; pipe < 2; pipe++) {
		struct strbuf text = STRBUF_INIT;
		struct err err = { 0 };
		struct session s;
		struct pb b;

		build(&b, pipe, true);
		session_open_built(&s, &b);
		assert_false(dump_keeps_file_order(&s));
		assert_int_equal(dump_records(&s, "", 2, take, &text, &err), 0);
		assert_int_equal(times_in(&text, "PERF_RECORD_SAMPLE("), 3);
		assert_int_equal(times_in(&text, "PERF_RECORD_COMM: prog:10/11"), 1);
		strbuf_reset(&text);
		facts_counts(&s, false, false, &text);
		assert_int_equal(times_in(&text, "SAMPLE events:          3"), 2);
		strbuf_release(&text);
		session_close(&s);
		pb_release(&b);
	}
}

/* Stop the dump, as the receiver of the text may. */
static int refuse(void *ctx, const char *text, size_t len)
{
	return -EPIPE;
}

static void test_stopped(void **state)
{
	struct err err = { 0 };
	struct session s;
	struct pb b;

	build(&b, false, true);
	session_open_built(&s, &b);
	assert_int_equal(dump_records(&s, "", 1, refuse, NULL, &err), -EPIPE);
	assert_string_equal(err.msg, "");
	session_close(&s);
	pb_release(&b);
}

/* Records without times keep their places, but those of a stream come in its order anyway. */
static void test_order(void **state)
{
	for (int pipe = 0; pipe < 2; pipe++) {
		struct session s;
		struct pb b;

		build(&b, pipe, false);
		session_open_built(&s, &b);
		assert_int_equal(dump_keeps_file_order(&s), !pipe);
		session_close(&s);
		pb_release(&b);
	}
}

static void test_facts(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	struct session s;
	struct pb b;

	build(&b, false, true);
	session_open_built(&s, &b);
	assert_int_equal(facts_read_counts(&s, 1, &err), 0);
	facts_counts(&s, true, false, &text);
	assert_int_equal(times_in(&text, "SAMPLE events:          3"), 2);
	assert_int_equal(times_in(&text, "MMAP2"), 0);
	strbuf_reset(&text);
	facts_counts(&s, true, true, &text);
	assert_int_equal(times_in(&text, "MMAP2"), 1);
	session_close(&s);
	session_open_built(&s, &b);
	strbuf_reset(&text);
	assert_int_equal(facts_tasks(&s, false, 1, take, &text, &err), 0);
	assert_int_equal(times_in(&text, "prog"), 1);
	strbuf_release(&text);
	session_close(&s);
	pb_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dump),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
