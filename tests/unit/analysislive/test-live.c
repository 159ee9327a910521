// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Test an analysis of what this thread does meanwhile: each page that it touches between two rounds
 * is a page fault, and the engine gets as many. Nothing is done about a target that is not there.
 */
#include "base/compat.h"
#include "analysislive/analysislive.h"
#include "events/parse.h"
#include "recordopts/settle.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define PAGES 8U  /* that are touched in a round */
#define ROUNDS 3U /* in which pages are touched */
#define MOST 50U  /* rounds, if events do not come */

struct test {
	struct sysroot sysroot;
	struct record_opts o;
	struct record_given given;
	struct evlist events, triggers;
	u8 *pages; /* of all rounds */
	u64 size;
	u32 rounds, shown; /* so far; @shown: how often results were due */
	u32 fed;           /* events of these pages */
	u32 finished;
	bool worked;
};

static bool is_fault(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_PAGE_FAULTS;
}

static const struct engine_event engine_events[] = {
	{ .names = { "page-faults" }, .fits = is_fault, .required = true },
};

static void feed(void *state, const struct engine_input *in)
{
	struct test *t = state;

	t->fed += in->sample->addr - (uintptr_t)t->pages < t->size;
}

static void finish(void *state)
{
	struct test *t = state;

	t->finished++;
}

static const struct engine engine = {
	.name = "test",
	.record = "perf record -e page-faults",
	.events = engine_events,
	.nr_events = ARRAY_SIZE(engine_events),
	.feed = feed,
	.finish = finish,
};

static int work(void *ctx, struct analysis *a, struct err *err)
{
	struct test *t = ctx;

	t->worked = true;
	return analysis_run(a, &engine, t, err);
}

static bool go_on(void *ctx, struct analysis *a, bool due)
{
	struct test *t = ctx;
	long page = sysconf(_SC_PAGESIZE);

	assert_non_null(a);
	t->shown += due;
	for (u32 i = 0; t->rounds < ROUNDS && i < PAGES; i++)
		*(volatile u8 *)(t->pages + (t->rounds * PAGES + i) * (size_t)page) = 1;
	t->rounds++;
	return t->rounds < MOST && (t->fed < ROUNDS * PAGES || !t->shown);
}

static void start(struct test *t)
{
	struct record_settling settling = { .opts = &t->o,
					    .given = &t->given,
					    .sysroot = &t->sysroot,
					    .evlist = &t->events,
					    .triggers = &t->triggers };
	static const struct notices nobody = { 0 };
	struct parse_env env = { .sr = &t->sysroot };
	struct parse_error pe = { 0 };
	struct err err = { 0 };

	settling.always = &nobody;
	t->o.output = "perf.data";
	t->o.sample.addr = true;
	t->o.sample.count = 1;
	t->o.sample.count_set = true;
	assert_int_equal(parse_events(&t->events, "page-faults:u", &env, &pe), 0);
	assert_int_equal(record_settle_target(&settling), 0);
	assert_int_equal(record_settle(&settling, &err), 0);
	assert_int_equal(record_settle_events(&settling, &err), 0);
}

static int run(struct test *t, struct err *err)
{
	const struct recording_options source = { .buildid_dir = "", .debuginfod = "" };
	const struct record_notes notes = { 0 };
	const struct analysis_live_conf conf = {
		.sysroot = &t->sysroot,
		.opts = &t->o,
		.events = &t->events,
		.notes = &notes,
		.source = &source,
		.refresh_ms = 1,
		.work = work,
		.go_on = go_on,
		.ctx = t,
	};

	return analysis_live(&conf, err);
}

static void release(struct test *t)
{
	evlist_release(&t->events);
	evlist_release(&t->triggers);
}

static void test_faults(void **state)
{
	struct test t = { .size = ROUNDS * PAGES * (u64)sysconf(_SC_PAGESIZE) };
	struct err err = { 0 };
	char tid[16];
	int rc;

	snprintf(tid, sizeof(tid), "%d", (int)getpid());
	t.o.target.tids = tid;
	t.pages = mmap(NULL, t.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(t.pages != MAP_FAILED);
	madvise(t.pages, t.size, MADV_NOHUGEPAGE);
	start(&t);
	rc = run(&t, &err);
	munmap(t.pages, t.size);
	release(&t);
	if (rc && !t.worked) {
		print_message("SKIP: events cannot be opened here: %s\n", err.msg);
		skip();
	}
	if (rc)
		fail_msg("%s", err.msg);
	assert_int_equal(t.fed, ROUNDS * PAGES);
	assert_int_equal(t.finished, 1);
	assert_true(t.shown > 0 && t.rounds < MOST);
}

/* No process has that number: the kernel's highest is lower. */
static void test_no_target(void **state)
{
	struct test t = { 0 };
	struct err err = { 0 };

	t.o.target.tids = "4194305";
	start(&t);
	assert_int_equal(run(&t, &err), -ESRCH);
	assert_non_null(strstr(err.msg, "4194305"));
	assert_false(t.worked);
	assert_int_equal(t.rounds, 0);
	release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_no_target),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
