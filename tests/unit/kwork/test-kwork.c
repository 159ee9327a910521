// SPDX-License-Identifier: GPL-2.0-or-later
/* Test runs and delays of work by tables of events, and the names of items. */
#include "base/compat.h"
#include "kwork/kwork.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define ALL (KWORK_BIT(KWORK_CLASSES) - 1)
#define LOST UINT32_MAX /* no event: some are missing before that time */

struct step {
	u64 time;
	u32 event, cpu;
	u64 id;     /* of a switch: the task that leaves */
	u64 second; /* the function of a work; of a switch: the task that enters */
	bool other; /* a filter does not let it through */
};

struct payload {
	u64 id, second;
	char name[16];
};

#define NUMBER(member)                                                                             \
	{                                                                                          \
		offsetof(struct payload, member), .size = 8                                        \
	}
#define TEXT                                                                                       \
	{                                                                                          \
		offsetof(struct payload, name), .is_text = true, .text_size = 16                   \
	}

static const struct engine_binding of_named = { .at = { NUMBER(id), TEXT } };
static const struct engine_binding of_work = { .at = { NUMBER(id), NUMBER(second) } };
static const struct engine_binding of_switch = {
	.at = { TEXT, NUMBER(id), NUMBER(id), TEXT, NUMBER(second) },
};

static const struct engine_binding *binding_of(u32 event)
{
	if (event == KWORK_SWITCH)
		return &of_switch;
	return event == KWORK_START ? &of_work : &of_named;
}

static void feed(const struct engine *e, struct kwork *k, const struct step *s)
{
	for (; s->time; s++) {
		struct payload p = { s->id, s->second, "name" };

		if (s->event == LOST) {
			e->lost(k, s->cpu, s->time);
			continue;
		}
		e->feed(k, &(struct engine_input){
				   .time = s->time,
				   .cpu = s->cpu,
				   .event = s->event,
				   .wanted = !s->other,
				   .in_time = true,
				   .bound = binding_of(s->event),
				   .raw = (const u8 *)&p,
				   .raw_size = sizeof(p),
			   });
	}
	e->finish(k);
}

#define RUN(n, all, longest, from, to)                                                             \
	{                                                                                          \
		n, all, longest, from, to                                                          \
	}

static const struct {
	const char *name;
	struct step steps[10];
	u32 items;              /* how many there are */
	struct kwork_item item; /* the last one */
	struct kwork_missing missing;
} rows[] = {
	{ "nothing", { { 0 } }, 0, { 0 }, { 0 } },
	{ "an interrupt, twice",
	  { { 10, KWORK_IRQ_ENTRY, 1, 7 },
	    { 14, KWORK_IRQ_EXIT, 1, 7 },
	    { 20, KWORK_IRQ_ENTRY, 1, 7 },
	    { 29, KWORK_IRQ_EXIT, 1, 7 } },
	  1,
	  { KWORK_IRQ, 1, 7, .name = "name", .runs = RUN(2, 13, 9, 20, 29) },
	  { 0 } },
	{ "the same interrupt on two CPUs at a time",
	  { { 10, KWORK_IRQ_ENTRY, 0, 7 },
	    { 11, KWORK_IRQ_ENTRY, 1, 7 },
	    { 15, KWORK_IRQ_EXIT, 0, 7 },
	    { 19, KWORK_IRQ_EXIT, 1, 7 } },
	  2,
	  { KWORK_IRQ, 1, 7, .name = "name", .runs = RUN(1, 8, 8, 11, 19) },
	  { 0 } },
	{ "a softirq waits since it was raised first",
	  { { 10, KWORK_SOFTIRQ_RAISE, 0, 3 },
	    { 12, KWORK_SOFTIRQ_RAISE, 0, 3 },
	    { 15, KWORK_SOFTIRQ_ENTRY, 0, 3 },
	    { 16, KWORK_SOFTIRQ_EXIT, 0, 3 } },
	  1,
	  { KWORK_SOFTIRQ, 0, 3, .name = "", .runs = RUN(1, 1, 1, 15, 16),
	    .delays = RUN(1, 5, 5, 10, 15) },
	  { 0 } },
	{ "it is raised again when the kernel has begun with others, and runs twice",
	  { { 10, KWORK_SOFTIRQ_RAISE, 0, 3 },
	    { 12, KWORK_SOFTIRQ_RAISE, 0, 3 },
	    { 15, KWORK_SOFTIRQ_ENTRY, 0, 3 },
	    { 16, KWORK_SOFTIRQ_EXIT, 0, 3 },
	    { 19, KWORK_SOFTIRQ_ENTRY, 0, 3 },
	    { 21, KWORK_SOFTIRQ_EXIT, 0, 3 },
	    { 29, KWORK_SOFTIRQ_ENTRY, 0, 3 } }, /* which nothing has raised */
	  1,
	  { KWORK_SOFTIRQ, 0, 3, .name = "", .runs = RUN(2, 3, 2, 19, 21),
	    .delays = RUN(2, 12, 7, 12, 19) },
	  { .unraised = 1, .unended = 1 } },
	{ "the last raise before it begins counts no more than one behind that",
	  { { 10, KWORK_SOFTIRQ_RAISE, 0, 3 },
	    { 12, KWORK_SOFTIRQ_RAISE, 0, 3 },
	    { 15, KWORK_SOFTIRQ_ENTRY, 0, 3 },
	    { 16, KWORK_SOFTIRQ_EXIT, 0, 3 },
	    { 18, KWORK_SOFTIRQ_RAISE, 0, 3 },
	    { 19, KWORK_SOFTIRQ_ENTRY, 0, 3 },
	    { 21, KWORK_SOFTIRQ_EXIT, 0, 3 } },
	  1,
	  { KWORK_SOFTIRQ, 0, 3, .name = "", .runs = RUN(2, 3, 2, 19, 21),
	    .delays = RUN(2, 6, 5, 10, 15) },
	  { 0 } },
	{ "it is raised again while it runs",
	  { { 10, KWORK_SOFTIRQ_RAISE, 0, 3 },
	    { 15, KWORK_SOFTIRQ_ENTRY, 0, 3 },
	    { 17, KWORK_SOFTIRQ_RAISE, 0, 3 },
	    { 18, KWORK_SOFTIRQ_EXIT, 0, 3 },
	    { 19, KWORK_SOFTIRQ_ENTRY, 0, 3 },
	    { 21, KWORK_SOFTIRQ_EXIT, 0, 3 } },
	  1,
	  { KWORK_SOFTIRQ, 0, 3, .name = "", .runs = RUN(2, 5, 3, 15, 18),
	    .delays = RUN(2, 7, 5, 10, 15) },
	  { 0 } },
	{ "a work runs on another CPU than it was raised on",
	  { { 10, KWORK_ACTIVATE, 0, 0x1000 },
	    { 40, KWORK_START, 1, 0x1000, 0xf },
	    { 42, KWORK_END, 2, 0x1000 } },
	  1,
	  { KWORK_WORKQUEUE, 1, 0x1000, 0xf, "", RUN(1, 2, 2, 40, 42), RUN(1, 30, 30, 10, 40) },
	  { 0 } },
	{ "a task from one switch to the next, and the idle one is none",
	  { { 10, KWORK_SWITCH, 0, 0, 5 }, { 19, KWORK_SWITCH, 0, 5, 0 } },
	  1,
	  { KWORK_SCHED, 0, 5, .name = "name", .runs = RUN(1, 9, 9, 10, 19) },
	  { 0 } },
	{ "counterparts are missing",
	  { { 10, KWORK_SOFTIRQ_EXIT, 0, 3 },
	    { 11, KWORK_SOFTIRQ_ENTRY, 0, 3 },
	    { 12, KWORK_SOFTIRQ_ENTRY, 0, 3 },
	    { 15, KWORK_SOFTIRQ_EXIT, 0, 3 },
	    { 16, KWORK_SOFTIRQ_RAISE, 0, 3 } },
	  1,
	  { KWORK_SOFTIRQ, 0, 3, .name = "", .runs = RUN(1, 3, 3, 12, 15) },
	  { .raises = 1, .unraised = 2, .unended = 1, .ends = 1 } },
	{ "events of the CPU are lost during the run, and of another one during the next",
	  { { 10, KWORK_IRQ_ENTRY, 0, 7 },
	    { 12, LOST, 0 },
	    { 15, KWORK_IRQ_EXIT, 0, 7 },
	    { 20, KWORK_IRQ_ENTRY, 0, 7 },
	    { 21, LOST, 1 },
	    { 25, KWORK_IRQ_EXIT, 0, 7 } },
	  1,
	  { KWORK_IRQ, 0, 7, .name = "name", .runs = RUN(1, 5, 5, 20, 25) },
	  { .ends = 1 } },
	{ "filtered out", { { 10, KWORK_IRQ_ENTRY, 0, 7, .other = true } }, 0, { 0 }, { 0 } },
	{ "times run back",
	  { { 20, KWORK_IRQ_ENTRY, 0, 7 }, { 10, KWORK_IRQ_EXIT, 0, 7 } },
	  1,
	  { KWORK_IRQ, 0, 7, .name = "name" },
	  { .ends = 1 } },
};

static void check_spans(const char *row, const char *what, const struct kwork_spans *got,
			const struct kwork_spans *want)
{
	if (memcmp(got, want, sizeof(*got)))
		fail_msg("%s: %" PRIu64 " %s, total %" PRIu64 ", max %" PRIu64 " from %" PRIu64
			 " to %" PRIu64,
			 row, got->count, what, got->total, got->max, got->max_start, got->max_end);
}

static void check_item(const char *row, const struct kwork_item *got, const struct kwork_item *want)
{
	if (got->class != want->class || got->cpu != want->cpu || got->id != want->id ||
	    got->function != want->function || strcmp(got->name, want->name))
		fail_msg("%s: item %u of CPU %u, id %" PRIu64 ", function 0x%" PRIx64 ", '%s'", row,
			 (u32)got->class, got->cpu, got->id, got->function, got->name);
	check_spans(row, "runs", &got->runs, &want->runs);
	check_spans(row, "delays", &got->delays, &want->delays);
}

static void test_items(void **state)
{
	const struct engine e = kwork_engine("test", ALL);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kwork *k = kwork_new(&(struct kwork_conf){ .classes = ALL });
		const struct kwork_item *items;
		const struct kwork_missing *m = kwork_missing(k);
		size_t nr;

		feed(&e, k, rows[i].steps);
		items = kwork_items(k, &nr);
		if (nr != rows[i].items)
			fail_msg("%s: %zu items", rows[i].name, nr);
		if (nr)
			check_item(rows[i].name, &items[nr - 1], &rows[i].item);
		if (memcmp(m, &rows[i].missing, sizeof(*m)))
			fail_msg("%s: missing %" PRIu64 " raises, %" PRIu64 " unraised, %" PRIu64
				 " unended, %" PRIu64 " ends",
				 rows[i].name, m->raises, m->unraised, m->unended, m->ends);
		kwork_free(k);
	}
}

/* ---- runs as they end ---- */

struct told {
	u32 nr;
	struct kwork_run last;
	u32 delays;
	u64 since, until, function; /* of the last delay */
};

static void on_run(void *ctx, const struct kwork_run *run, const struct engine_input *in)
{
	struct told *t = ctx;

	t->nr++;
	t->last = *run;
	assert_int_equal(in->time, run->end);
}

/* Names and functions are there when a delay is told. */
static void on_delay(void *ctx, const struct kwork_item *item, u64 since, u64 until)
{
	struct told *t = ctx;

	t->delays++;
	t->since = since;
	t->until = until;
	t->function = item->function;
}

static void test_delays(void **state)
{
	static const struct step steps[] = {
		{ 10, KWORK_SOFTIRQ_RAISE, 0, 3 },
		{ 15, KWORK_SOFTIRQ_ENTRY, 0, 3 },
		{ 18, KWORK_SOFTIRQ_EXIT, 0, 3 },
		{ 20, KWORK_SOFTIRQ_ENTRY, 0, 3 },
		{ 30, KWORK_ACTIVATE, 1, 7 },
		{ 34, KWORK_START, 1, 7, 0xf00 },
		{ 0 },
	};
	const struct engine e = kwork_engine("test", ALL);
	struct told t = { 0 };
	struct kwork *k =
		kwork_new(&(struct kwork_conf){ .classes = ALL, .delay = on_delay, .ctx = &t });

	feed(&e, k, steps);
	assert_int_equal(t.delays, 2);
	assert_int_equal(t.since, 30);
	assert_int_equal(t.until, 34);
	assert_int_equal(t.function, 0xf00);
	kwork_free(k);
}

static void test_runs(void **state)
{
	static const struct step steps[] = {
		{ 10, KWORK_SOFTIRQ_RAISE, 0, 3 }, { 15, KWORK_SOFTIRQ_ENTRY, 0, 3 },
		{ 18, KWORK_SOFTIRQ_EXIT, 0, 3 },  { 20, KWORK_SOFTIRQ_ENTRY, 0, 3 },
		{ 29, KWORK_SOFTIRQ_EXIT, 0, 3 },  { 0 },
	};
	const struct engine e = kwork_engine("test", ALL);
	struct told t = { 0 };
	struct kwork *k =
		kwork_new(&(struct kwork_conf){ .classes = ALL, .run = on_run, .ctx = &t });

	feed(&e, k, steps);
	assert_int_equal(t.nr, 2);
	assert_int_equal(t.last.start, 20);
	assert_false(t.last.delayed);
	assert_int_equal(kwork_time(k), 19);
	kwork_free(k);
}

/* ---- names and classes ---- */

static const char softirq_format[] =
	"name: softirq_entry\nID: 5\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"vec=%u [action=%s]\", REC->vec, "
	"__print_symbolic(REC->vec, { 3, \"NET_RX\" }, { 99, \"MUCH\" })\n";

static void test_names(void **state)
{
	static const struct step steps[] = {
		{ 15, KWORK_SOFTIRQ_ENTRY, 0, 4 },
		{ 16, KWORK_SOFTIRQ_ENTRY, 0, 99 },
		{ 17, KWORK_SOFTIRQ_ENTRY, 0, 3 },
		{ 0 },
	};
	const struct engine e = kwork_engine("test", ALL);
	struct kwork *k = kwork_new(&(struct kwork_conf){ .classes = ALL });
	struct tracefmt *tf = tracefmt_new(false, 8);
	struct err err = { 0 };
	const struct tf_event *format =
		tracefmt_add(tf, "irq", softirq_format, strlen(softirq_format), &err);
	const struct kwork_item *items;
	size_t nr;

	assert_non_null(format);
	e.bound(k, KWORK_SOFTIRQ_ENTRY, format);
	feed(&e, k, steps);
	items = kwork_items(k, &nr);
	assert_int_equal(nr, 3);
	assert_string_equal(items[0].name, "");
	assert_string_equal(items[1].name, "");
	assert_string_equal(items[2].name, "NET_RX");
	kwork_free(k);
	tracefmt_free(tf);
}

/* Only events of the classes that are wanted are taken, and without any of them there is a
 * sentence. */
static void test_classes(void **state)
{
	const struct engine e = kwork_engine("kwork report", KWORK_BIT(KWORK_IRQ));
	struct evlist l = { 0 };
	struct err err = { 0 };

	for (u32 i = 0; i < KWORK_EVENTS; i++)
		assert_int_equal(!(e.unused >> i & 1), i == KWORK_IRQ_ENTRY || i == KWORK_IRQ_EXIT);
	assert_int_equal(engine_bind(&e, NULL, &l, NULL, false, NULL, &err), -ENOENT);
	assert_string_equal(err.msg, "kwork report: the recording has none of "
				     "irq:irq_handler_entry, irq:irq_handler_exit, only no events "
				     "at all.\nRecord the events with: perf kwork record");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_items),   cmocka_unit_test(test_runs),
		cmocka_unit_test(test_delays),  cmocka_unit_test(test_names),
		cmocka_unit_test(test_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
