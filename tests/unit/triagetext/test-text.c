// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the sentences that verdicts on built numbers become, as text, as JSON and as a page, and
 * what is recorded for them. */
#include "base/compat.h"
#include "triagetext/triagetext-internal.h"
#include "tmp-tree.h"

#include <setjmp.h>
#include <cmocka.h>

#define MS 1000000U

/* For half of its time a program, whose name is no good HTML, waits for a lock. */
static void show(void (*put)(const struct triage_result *r, struct strbuf *out), struct strbuf *out)
{
	char name[] = "a<b", lock[] = "the_lock";
	struct triage_program p = { .name = name,
				    .pid = 7,
				    .parent = TRIAGE_NONE,
				    .processes = 1,
				    .threads = 1,
				    .wall = 1000 * MS };
	const struct triage_facts f = {
		.v = &p,
		.nr = 1,
		.span = 1000 * MS,
		.has = TRIAGE_HAS_SWITCHES | TRIAGE_HAS_CHAINS | TRIAGE_HAS_LOCKS,
		.lost = 3,
	};
	const struct triage_show asked = { .file = "x.data" };
	struct triage_judgement j;
	struct triage_result r = { .show = &asked, .facts = &f, .judgement = &j, .command = "c" };

	p.cells[TRIAGE_LOCK] = (struct triage_cell){
		.ns = 500 * MS, .nr = 20, .max = 40 * MS, .what = lock, .what_ns = 500 * MS
	};
	j = triage_judge(&f);
	assert_int_equal(j.nr, 1);
	triage_blind(&f, true, &r.blind);
	put(&r, out);
	triage_judgement_release(&j);
	strbuf_release(&r.blind);
}

static void assert_has(const struct strbuf *text, const char *part)
{
	if (!strstr(strbuf_str(text), part))
		fail_msg("'%s' is not in:\n%s", part, strbuf_str(text));
}

static void test_text(void **state)
{
	struct strbuf out = STRBUF_INIT;

	show(triage_put_text, &out);
	assert_has(&out, "50 % of the time of `a<b` is waiting for a lock of the kernel: the_lock\n"
			 "# c, 1.00s, 1 program; 3 events were lost\n 1. 50 % of");
	assert_has(&out, "\n      500ms in 20 waits, the longest 40.0ms; sure\n");
	assert_has(&out, "\n# not seen: no block:block_rq_complete: disks have no names\n");
	assert_null(strstr(strbuf_str(&out), "no lock:contention_begin"));
	strbuf_release(&out);
}

static void test_json(void **state)
{
	struct strbuf out = STRBUF_INIT;

	show(triage_put_json, &out);
	assert_has(&out,
		   ",\"command\":\"c\",\"healthy\":false,\"span_ns\":1000000000,\"lost\":3,"
		   "\"verdicts\":[\n{\"kind\":\"kernel-lock\",\"program\":\"a<b\",\"pid\":7,");
	assert_has(&out, "\"time_ns\":500000000,\"of_ns\":1000000000,\"share\":0.5000,"
			 "\"matters\":true,\"count\":20,\"max_ns\":40000000,\"sure\":\"sure\","
			 "\"what\":\"the_lock\",\"what_ns\":500000000,");
	strbuf_release(&out);
}

static void test_page(void **state)
{
	struct strbuf out = STRBUF_INIT;

	show(triage_put_page, &out);
	assert_has(&out, "<b>50 % of the time of `a&lt;b` is waiting");
	assert_null(strstr(strbuf_str(&out), "a<b"));
	strbuf_release(&out);
}

/* The recorder of who may see the kernel has its events as far as they are there; others have user
 * space alone. */
static void check_args(const struct triage_wanted *w, bool events, const char *want)
{
	const char *command[] = { "prog", "-x" };
	char *dir = tmp_dir();
	const struct sysroot sr = { .prefix = dir };
	struct strbuf words = STRBUF_INIT;
	struct verb_args a;

	tree_put(dir, "proc/sys/kernel/perf_event_paranoid", "-1\n");
	if (events) {
		tree_put(dir, "sys/kernel/tracing/events/sched/sched_switch/id", "300\n");
		tree_put(dir, "sys/kernel/tracing/events/sched/sched_wakeup/id", "301\n");
		tree_put(dir, "sys/kernel/tracing/events/irq/irq_handler_exit/id", "302\n");
	}
	assert_int_equal(triage_record_args(&a, w, &sr, w->command ? 2 : 0, command), events);
	for (int i = 0; i < a.nr; i++)
		strbuf_addf(&words, "%s%s", i ? " " : "", a.v[i]);
	assert_string_equal(strbuf_str(&words), want);
	strbuf_release(&words);
	verb_args_release(&a);
	tmp_remove(dir);
}

static void test_recorded(void **state)
{
	check_args(&(struct triage_wanted){ .file = "f", .command = true }, true,
		   "record -q -o f -a -e cycles/call-graph=fp/ -e page-faults/freq=1000/ "
		   "-e sched:sched_switch/call-graph=fp,max-stack=32/ "
		   "-e sched:sched_wakeup,irq:irq_handler_exit -- prog -x");
	check_args(&(struct triage_wanted){ .file = "f", .command = true }, false,
		   "record -q -o f -e cycles/call-graph=fp/ -e page-faults/freq=1000/ -- prog -x");
	check_args(&(struct triage_wanted){ .file = "f", .pids = "1,2" }, false,
		   "record -q -o f -p 1,2 -e cycles/call-graph=fp/ -e page-faults/freq=1000/");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
