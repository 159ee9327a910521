// SPDX-License-Identifier: GPL-2.0-or-later
/* Test events of a recording as lines. */
#include "base/compat.h"
#include "dump/events-text.h"

#include <setjmp.h>
#include <cmocka.h>

static void gives(const struct events_text *t, const struct evlist *l, const char *want)
{
	struct strbuf out = STRBUF_INIT;

	events_text(t, l, NULL, &out);
	assert_string_equal(strbuf_str(&out), want);
	strbuf_release(&out);
}

static void test_lines(void **state)
{
	const struct perf_event_attr clock = { .type = PERF_TYPE_SOFTWARE,
					       .sample_period = 4000,
					       .freq = 1 };
	const struct perf_event_attr trace = { .type = PERF_TYPE_TRACEPOINT,
					       .config = 12,
					       .sample_period = 1 };
	struct evlist l = { 0 };

	evlist_add(&l, &clock, "cpu-clock");
	gives(&(struct events_text){ 0 }, &l, "cpu-clock\n");
	evlist_add(&l, &clock, "two");
	evlist_add(&l, &trace, "sys:event");
	l.evsels[1]->leader = 0;
	l.evsels[0]->nr_members = 2;
	gives(&(struct events_text){ .freq = true }, &l,
	      "cpu-clock: sample_freq=4000\ntwo: sample_freq=4000\nsys:event: sample_period=1\n"
	      "# Tip: use 'perf evlist --trace-fields' to show fields for tracepoint events\n");
	gives(&(struct events_text){ .group = true, .fields = true }, &l,
	      "{cpu-clock,two}\nsys:event: (no format recorded)\n");
	gives(&(struct events_text){ .freq = true, .fields = true }, &l,
	      "cpu-clock: sample_freq=4000, (not a tracepoint)\n"
	      "two: sample_freq=4000, (not a tracepoint)\n"
	      "sys:event: sample_period=1, (no format recorded)\n");
	evlist_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
