// SPDX-License-Identifier: GPL-2.0-or-later
/* Test how events open and close windows, whatever the order is in which they are seen. */
#include "base/compat.h"
#include "control/count-windows.h"

#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void measure(void *ctx, bool on)
{
	strbuf_addch(ctx, on ? '+' : '-');
}

/* The lists of events that begin and end are of @begins and @ends events. */
struct bench {
	struct evlist begin, end;
	struct count_windows w;
	struct strbuf told; /* '+' for each window that opened, '-' for each that closed */
};

static void reset(struct bench *b, u32 begins, u32 ends)
{
	strbuf_release(&b->told);
	*b = (struct bench){ .begin.nr = begins, .end.nr = ends };
	b->w = (struct count_windows){ .begin.list = &b->begin,
				       .end.list = &b->end,
				       .measure = measure,
				       .ctx = &b->told,
				       .open = !begins };
}

/* Look after events whose latest have these times; 0: none has happened. */
static int look(struct bench *b, u64 begun, u64 ended)
{
	if (begun)
		b->w.begun = begun;
	if (ended)
		b->w.ended = ended;
	return count_windows_turn(&b->w, begun != 0, ended != 0);
}

static void test_both(void **state)
{
	struct bench b = { 0 };

	reset(&b, 1, 1);
	assert_int_equal(look(&b, 0, 0), EVENT_LOOP_GO_ON);
	assert_int_equal(look(&b, 0, 5), EVENT_LOOP_GO_ON); /* nothing is open */
	assert_string_equal(strbuf_str(&b.told), "");
	look(&b, 10, 0);
	look(&b, 11, 0); /* it is open already */
	look(&b, 0, 20);
	look(&b, 0, 21);
	assert_string_equal(strbuf_str(&b.told), "+-");
	look(&b, 40, 30);
	assert_string_equal(strbuf_str(&b.told), "+-+");
	assert_int_equal(b.w.nr, 2);
	look(&b, 60, 50); /* it closed, and the next one opened */
	assert_string_equal(strbuf_str(&b.told), "+-+");
	assert_int_equal(b.w.nr, 3);
	assert_int_equal(look(&b, 70, 80), EVENT_LOOP_GO_ON);
	assert_string_equal(strbuf_str(&b.told), "+-+-");
	assert_int_equal(b.w.missed, 0);
	strbuf_release(&b.told);
}

static void test_late(void **state)
{
	struct bench b = { 0 };

	reset(&b, 1, 1);
	look(&b, 10, 20); /* it was over before anybody looked */
	assert_int_equal(b.w.missed, 1);
	look(&b, 15, 0); /* and this one, too, whose end was seen before */
	assert_int_equal(b.w.missed, 2);
	assert_string_equal(strbuf_str(&b.told), "");
	look(&b, 30, 0);
	look(&b, 0, 25); /* an end before the window does not close it */
	assert_string_equal(strbuf_str(&b.told), "+");
	assert_int_equal(b.w.nr, 1);
	strbuf_release(&b.told);
}

static void test_one_of_both(void **state)
{
	struct bench b = { 0 };

	reset(&b, 1, 0);
	look(&b, 10, 0);
	look(&b, 20, 0);
	assert_string_equal(strbuf_str(&b.told), "+");
	assert_int_equal(b.w.nr, 1);
	reset(&b, 0, 1);
	assert_int_equal(look(&b, 0, 10), EVENT_LOOP_GO_ON);
	assert_int_equal(look(&b, 0, 20), EVENT_LOOP_GO_ON);
	assert_string_equal(strbuf_str(&b.told), "-");
	reset(&b, 0, 1);
	b.w.last = true;
	assert_int_equal(look(&b, 0, 10), EVENT_LOOP_STOP);
	assert_string_equal(strbuf_str(&b.told), "-");
	strbuf_release(&b.told);
}

static void test_given(void **state)
{
	struct bench b = { 0 };

	assert_false(count_windows_given(&b.w));
	reset(&b, 0, 0);
	assert_false(count_windows_given(&b.w));
	reset(&b, 1, 0);
	assert_true(count_windows_given(&b.w));
	reset(&b, 0, 1);
	assert_true(count_windows_given(&b.w));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_both),
					    cmocka_unit_test(test_late),
					    cmocka_unit_test(test_one_of_both),
					    cmocka_unit_test(test_given) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
