// SPDX-License-Identifier: GPL-2.0-or-later
/* Test queues by tables of events, the lanes that they make, and their arrows. */
#include "base/compat.h"
#include "analyze/engine.h"
#include "queues/open-table.h"
#include "queues/queues.h"
#include "sched-feed.h"

#include <setjmp.h>
#include <cmocka.h>

#define NAME 16

/* An event: @a and the like are the numbers of its fields, in the order of the table. */
struct step {
	u32 event;
	u64 time;
	u32 tid;
	u64 a, b, c;
	const char *name; /* of the workqueue */
};

struct payload {
	u64 a, b, c;
	char name[NAME];
};

#define AT(member)                                                                                 \
	{                                                                                          \
		offsetof(struct payload, member), .size = 8                                        \
	}
#define TEXT                                                                                       \
	{                                                                                          \
		offsetof(struct payload, name), .is_text = true, .text_size = NAME                 \
	}
#define LOSS UINT32_MAX /* no event: some are missing */

static const struct engine_binding bindings[] = {
	{ .used = true, .payload = sizeof(struct payload), .at = { AT(a), TEXT, AT(c) } },
	{ .used = true, .payload = sizeof(struct payload), .at = { AT(a), AT(b), AT(c) } },
};

static struct queues *play(const struct step *steps, u64 most_bytes, struct task_table **tasks)
{
	struct queues *q;

	*tasks = sched_feed_tasks();
	q = queues_new(&(struct queues_conf){ .tasks = *tasks, .most_bytes = most_bytes });
	for (; steps->time; steps++) {
		struct payload p = { steps->a, steps->b, steps->c, "" };
		bool named = steps->event == QUEUES_WORK_QUEUED && steps->name;

		if (steps->event == LOSS) {
			queues_engine()->lost(q, 0, steps->time);
			continue;
		}
		snprintf(p.name, NAME, "%s", steps->name ? steps->name : "");
		queues_engine()->feed(q, &(struct engine_input){ .time = steps->time,
								 .cpu = 1,
								 .pid = steps->tid,
								 .tid = steps->tid,
								 .event = steps->event,
								 .wanted = true,
								 .in_time = true,
								 .bound = &bindings[!named],
								 .raw = (const u8 *)&p,
								 .raw_size = sizeof(p) });
	}
	queues_engine()->finish(q);
	return q;
}

/* Append all lanes as text: "events: 10-20 1 work executed; ". */
static void text_of(const struct queues *q, struct strbuf *out)
{
	const struct queue_lanes *r = queues_result(q);

	for (u32 n = 0; n < r->nr; n++) {
		const struct lane_interval *i;
		struct lane_cursor c;

		strbuf_addf(out, "%s%s:", n ? " " : "",
			    r->v[n].kind == QUEUE_WORKQUEUE ? r->v[n].name
			    : r->v[n].kind == QUEUE_DEVICE  ? "device"
							    : "vcpu");
		lane_seek(&c, &r->v[n].lane, 0);
		while ((i = lane_next(&c))) {
			strbuf_addf(out, " %" PRIu64 "-%" PRIu64 " ", i->start, i->end);
			queue_interval_text(&r->v[n], i, out);
			strbuf_addch(out, ';');
		}
	}
	for (size_t i = 0; i < r->nr_arrows; i++)
		strbuf_addf(out, " %" PRIu64 "-%" PRIu64 " q%u by %d", r->arrows[i].start,
			    r->arrows[i].end, r->arrows[i].queue, (int)r->arrows[i].task);
}

#define QUEUED(time, tid, work, name)                                                              \
	{                                                                                          \
		QUEUES_WORK_QUEUED, time, tid, work, 0, 0, name                                    \
	}
#define BEGINS(time, work)                                                                         \
	{                                                                                          \
		QUEUES_WORK_BEGINS, time, 50, work                                                 \
	}
#define ENDS(time, work)                                                                           \
	{                                                                                          \
		QUEUES_WORK_ENDS, time, 50, work                                                   \
	}
#define ISSUE(time, tid, sector, sectors)                                                          \
	{                                                                                          \
		QUEUES_ISSUE, time, tid, 8, sector, sectors                                        \
	}
#define COMPLETE(time, sector, sectors)                                                            \
	{                                                                                          \
		QUEUES_COMPLETE, time, 0, 8, sector, sectors                                       \
	}
#define BIO(time, tid, sector)                                                                     \
	{                                                                                          \
		QUEUES_BIO_QUEUED, time, tid, 8, sector, 8                                         \
	}
#define BIO_DONE(time, sector)                                                                     \
	{                                                                                          \
		QUEUES_BIO_COMPLETE, time, 0, 8, sector, 8                                         \
	}

static const struct {
	const char *name, *text;
	struct step steps[9];
} rows[] = {
	{ "a work waits and is executed, and is queued again meanwhile",
	  "events: 10-20 1 work waiting; 20-30 1 work executed; 30-40 1 work waiting; "
	  "40-50 1 work executed; 50-60 idle; 10-30 q0 by 7 25-50 q0 by 8",
	  { QUEUED(10, 7, 100, "events"), BEGINS(20, 100), QUEUED(25, 8, 100, "events"),
	    ENDS(30, 100), BEGINS(40, 100), ENDS(50, 100), ENDS(60, 100) } },
	{ "two works of two queues, queued in an interrupt and by nobody",
	  "a: 10-30 1 work waiting; 30-50 1 work executed; b: 20-50 1 work waiting; "
	  "10-50 q0 by -1",
	  { { QUEUES_WORK_QUEUED, 10, 7, 1, .c = 8, .name = "a" },
	    QUEUED(20, 0, 2, "b"),
	    BEGINS(30, 1),
	    ENDS(50, 1) } },
	{ "a work whose queue is not known, as it was queued before",
	  ": 10-20 1 work executed; 20-30 idle; 10-20 q0 by -1",
	  { BEGINS(10, 1), ENDS(20, 1), ENDS(30, 1) } },
	{ "old kernels tell the address of the workqueue",
	  "0xff00: 10-20 1 work waiting;",
	  { { QUEUES_WORK_QUEUED, 10, 7, 1, .b = 0xff00 }, ENDS(20, 2) } },
	{ "requests overlap, one in two parts, and one is given back",
	  "device: 10-20 1 request in flight; 20-30 2 requests in flight; "
	  "30-50 1 request in flight; 50-60 idle; 60-70 1 request in flight; 70-80 idle; "
	  "20-30 q0 by 8 10-50 q0 by 7",
	  { ISSUE(10, 7, 100, 16),
	    ISSUE(20, 8, 200, 8),
	    COMPLETE(30, 200, 8),
	    COMPLETE(40, 100, 8),
	    COMPLETE(50, 108, 8),
	    ISSUE(60, 7, 300, 8),
	    { QUEUES_REQUEUE, 70, 0, 8, 300, 8 },
	    COMPLETE(80, 999, 8) } },
	{ "a flush, and a write that ends once more without sectors",
	  "device: 10-20 1 request in flight; 20-30 2 requests in flight; "
	  "30-50 1 request in flight; 50-60 idle; 20-30 q0 by 7 10-50 q0 by 7",
	  { ISSUE(10, 7, 0, 0), ISSUE(20, 7, 80, 8), COMPLETE(30, 80, 8), COMPLETE(40, 80, 0),
	    COMPLETE(50, UINT64_MAX, 0), COMPLETE(60, 0, 0) } },
	{ "events are lost",
	  "device: 10-20 1 request in flight; 20-40 nothing known; 40-50 1 request in flight;",
	  { ISSUE(10, 7, 100, 8),
	    { LOSS, 20 },
	    COMPLETE(30, 100, 8),
	    ISSUE(40, 7, 100, 8),
	    { QUEUES_REQUEUE, 50, 0, 9, 1, 1 } } },
	{ "a device without requests is there when its first bio is complete",
	  "device: 30-40 1 request in flight; 40-50 2 requests in flight; 50-60 1 request in "
	  "flight; 60-70 idle; 20-30 q0 by 8 40-50 q0 by 7 10-60 q0 by 7",
	  { BIO(10, 7, 100), BIO(20, 8, 200), BIO_DONE(30, 200), BIO(40, 7, 300), BIO_DONE(50, 300),
	    BIO_DONE(60, 100), BIO_DONE(70, 100) } },
	{ "bios of a device that has requests are no requests",
	  "device: 20-30 1 request in flight; 30-60 idle; 20-30 q0 by 7",
	  { BIO(10, 7, 100), ISSUE(20, 7, 100, 8), COMPLETE(30, 100, 8), BIO_DONE(40, 100),
	    BIO(50, 7, 108), BIO_DONE(60, 108) } },
	{ "guests",
	  "vcpu: 10-20 guest runs on CPU 1; 20-30 host handles exit 12; 30-40 guest runs on CPU "
	  "1; 40-50 host handles exit 1; vcpu: 40-50 guest runs on CPU 1;",
	  { { QUEUES_GUEST_ENTRY, 10, 7, 0 },
	    { QUEUES_GUEST_EXIT, 20, 7, 0, 12 },
	    { QUEUES_GUEST_ENTRY, 30, 7, 0 },
	    { QUEUES_GUEST_EXIT, 40, 7, 0, 1 },
	    { QUEUES_GUEST_ENTRY, 40, 8, 1 },
	    { QUEUES_GUEST_ENTRY, 50, UINT32_MAX, 1 } } },
};

static void test_lanes(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf text = STRBUF_INIT;
		struct task_table *tasks;
		struct queues *q = play(rows[i].steps, 0, &tasks);

		text_of(q, &text);
		if (strcmp(strbuf_str(&text), rows[i].text))
			fail_msg("%s: %s", rows[i].name, strbuf_str(&text));
		strbuf_release(&text);
		queues_free(q);
		task_table_free(tasks);
	}
}

/* Memory depends on what is on its way and on the bound, not on the number of requests. */
static void test_thinned(void **state)
{
	enum { NR = 50000, MOST = 20000 };
	struct step *steps = calloc(2 * NR + 1, sizeof(*steps));
	const struct queue_lanes *r;
	struct task_table *tasks;
	struct queues *q;

	assert_non_null(steps);
	for (u32 i = 0; i < NR; i++) {
		steps[2 * i] = (struct step)ISSUE(1 + i * 1000ULL, 7, 8ULL * i, 8);
		steps[2 * i + 1] = (struct step)COMPLETE(500 + i * 1000ULL, 8ULL * i, 8);
	}
	q = play(steps, MOST, &tasks);
	r = queues_result(q);
	assert_true(r->left_out > NR);
	assert_true(r->grain >= 10000);
	if (lane_bytes(&r->v[0].lane) + r->nr_arrows * sizeof(*r->arrows) > 4 * MOST)
		fail_msg("%zu arrows", r->nr_arrows);
	queues_free(q);
	task_table_free(tasks);
	free(steps);
}

/* Items are found until they are removed, wherever others were before them. */
static void test_table(void **state)
{
	struct open_table t = { 0 };

	assert_null(open_table_find(&t, &(struct open_key){ OPEN_REQUEST, 0, 0 }));
	for (u32 i = 0; i < 1000; i++)
		open_table_add(&t, &(struct open_item){ { OPEN_REQUEST, i % 3, i }, .task = i });
	for (u32 i = 0; i < 1000; i += 2) {
		const struct open_key key = { OPEN_REQUEST, i % 3, i };

		open_table_remove(&t, open_table_find(&t, &key));
		assert_null(open_table_find(&t, &key));
	}
	for (u32 i = 0; i < 1000; i++) {
		const struct open_key key = { OPEN_REQUEST, i % 3, i };
		const struct open_item *item = open_table_find(&t, &key);

		assert_int_equal(!!item, i % 2);
		assert_true(!item || item->task == i);
	}
	assert_int_equal(t.nr, 500);
	open_table_clear(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_thinned),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
