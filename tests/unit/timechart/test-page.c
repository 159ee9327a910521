// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the data of the page of a timeline, as Documentation/format/timeline-page.md has them, and
 * that names of tasks stand nowhere else in the page. */
#include "base/compat.h"
#include "codec/leb.h"
#include "gunzip.h"
#include "sched-feed.h"
#include "timechart/timechart.h"

#include <setjmp.h>
#include <cmocka.h>

#define SLEEPS 1
#define EVIL "</script><b>&\"'\001\xff"

static const struct sched_step few[] = {
	{ SCHED_SWITCH, 1000, 0, 0, 0, 7 },
	{ SCHED_FORK, 1100, 0, 8, .value = 7 },
	{ SCHED_WAKEUP, 1200, 0, 8, .by = 7 },
	{ SCHED_MIGRATE, 1250, 0, 8, .value = 0, .next = 1 },
	{ SCHED_SWITCH, 1500, 0, 7, SLEEPS, 8 },
	{ SCHED_SWITCH, 2000, 0, 8, 0, 0 },
	{ 0 },
};

static void name_badly(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	*out = (struct task_at){ tid, tid, tid, EVIL, 0, UINT64_MAX };
}

/* Return the page of some steps; the caller frees it. */
static struct strbuf page_of(struct task_table *tasks, const struct timechart_conf *conf,
			     const struct sched_step *steps)
{
	struct sched_timeline *t =
		sched_timeline_new(&(struct sched_timeline_conf){ .tasks = tasks });
	const struct timechart_about about = { .title = EVIL, .hostname = "host", 3, 97 };
	struct strbuf page = STRBUF_INIT;
	struct export_out *out = export_memory(&page);
	struct err err = { 0 };

	sched_feed(sched_timeline_engine(), t, steps);
	timechart_page(conf, &about, sched_timeline_result(t), out);
	assert_int_equal(export_close(out, &err), 0);
	sched_timeline_free(t);
	return page;
}

static void add_base64(struct strbuf *out, const char *p)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at;
	u32 bits = 0, nr = 0;

	for (; (at = strchr(digits, *p)) && *p; p++) {
		bits = bits << 6 | (u32)(at - digits);
		nr += 6;
		if (nr < 8)
			continue;
		nr -= 8;
		strbuf_addch(out, (char)(bits >> nr));
	}
	assert_true(*p == '=' || *p == '<');
}

/* Return the data of a page. The check sum that gzip wants behind them is not known, so it
 * complains after it has written all. */
static struct strbuf part_of(const struct strbuf *page, const char *mark)
{
	static const char head[10] = { 0x1f, (char)0x8b, 8 };
	struct strbuf packed = STRBUF_INIT, data = STRBUF_INIT;
	const char *at = strstr(strbuf_str(page), mark);

	assert_non_null(at);
	strbuf_add(&packed, head, sizeof(head));
	add_base64(&packed, at + strlen(mark));
	strbuf_add(&packed, "\0\0\0\0\0\0\0", 8);
	gunzip(&packed, &data);
	strbuf_release(&packed);
	return data;
}

static struct strbuf data_of(const struct strbuf *page)
{
	return part_of(page, "id=\"data\">");
}

static struct timechart_conf conf_of(struct task_table *tasks)
{
	return (struct timechart_conf){
		.tasks = tasks, .cpus = true, .processes = true, .long_run = UINT64_MAX
	};
}

/* Compare the head, and move the cursor behind it. */
static void check_head(struct cur *c, const char *want)
{
	u64 len = cur_uleb(c);

	assert_int_equal(len, strlen(want));
	assert_memory_equal(c->p, want, len);
	c->p += len;
}

/* All data were read. Free what they came from. */
static void check_end(const struct cur *c, struct task_table *tasks, struct strbuf *page,
		      struct strbuf *data)
{
	assert_false(c->bad);
	assert_ptr_equal(c->p, c->end);
	strbuf_release(data);
	strbuf_release(page);
	task_table_free(tasks);
}

#define COLUMN(c, ...)                                                                             \
	do {                                                                                       \
		const u64 want[] = { __VA_ARGS__ };                                                \
		for (size_t i = 0; i < ARRAY_SIZE(want); i++)                                      \
			assert_int_equal(cur_uleb(c), want[i]);                                    \
	} while (0)
#define STATE(kind, value) ((u64)(value) << 4 | LANE_##kind)

static void test_data(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	struct strbuf page = page_of(tasks, &conf, few), data = data_of(&page);
	struct cur c = cur_make((const u8 *)data.buf, data.len, false);

	check_head(
		&c,
		"{\"version\":4,\"start\":\"1000\",\"span\":1000,\"title\":"
		"\"\\u003c/script\\u003e\\u003cb\\u003e\\u0026\\\"'\\\\x01\\\\xff\",\"hostname\":\"host\","
		"\"lost\":3,\"events\":97,\"bugs\":0,\"gaps\":0,\"switches\":3,\"cpus\":[0],"
		"\"tasks\":[[7,7,\"task7\",-1,1,0],[8,8,\"task8\",0,1,0]]}");
	COLUMN(&c, 2, 0, 0, 0, 0, 2, 2); /* intervals: five rows of a CPU, two tasks */
	/* Where they begin, how long they ran, and the bytes of lengths and states. */
	COLUMN(&c, 0, 1000, 4, 2, 0, 500, 4, 2, 200, 500, 4, 2);
	COLUMN(&c, 500, 500, 500, 500, 300, 500); /* how long they are */
	COLUMN(&c, STATE(RUNNING, 0), STATE(RUNNING, 1), STATE(RUNNING, 0), STATE(SLEEPING, 0),
	       STATE(RUNNABLE, lane_woken_by(0)), STATE(RUNNING, 0));
	COLUMN(&c, 2, 100, 150); /* marks and their times */
	COLUMN(&c, TIMELINE_FORK, TIMELINE_MIGRATE, 0, 0, 2, 2, 1, 2);
	COLUMN(&c, 0); /* arrows */
	check_end(&c, tasks, &page, &data);
}

/* Other events are marks among those of the scheduler: in the lane of their task or, without one,
 * in the row of their CPU. */
static void test_others(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	char names[2][16] = { "cycles", "a:</script>" };
	struct evsel evsels[2] = { { .name = names[0] }, { .name = names[1] } };
	struct evsel *list[] = { &evsels[0], &evsels[1] };
	const struct evlist events = { .evsels = list, .nr = 2 };
	struct other_event other[] = { { .event = 1 }, { .event = 0 } };
	struct other_mark v[] = {
		{ 900, 100, 7, 0, 0 },              /* before the lanes begin */
		{ 1050, 200, 7, 0, 0 },             /* in a task */
		{ 1150, 180, OTHER_NO_TASK, 0, 1 }, /* in none */
		{ 1200, 300, 5, 0, 1 },             /* in one that has no lane */
		{ 1300, 400, OTHER_NO_TASK, 6, 1 }, /* on a CPU that has no row */
		{ 2100, 500, 7, 0, 0 },             /* behind the end */
	};
	const struct other_marks others = { v, ARRAY_SIZE(v), other, 2, .seen = 60 };
	struct strbuf page, data;
	struct cur c;

	(void)task_table_at(tasks, 7, 7, 0);
	conf.others = &others;
	conf.events = &events;
	page = page_of(tasks, &conf, few);
	data = data_of(&page);
	assert_non_null(strstr(strbuf_str(&data),
			       ",\"others\":[\"a:\\u003c/script\\u003e\",\"cycles\"],"
			       "\"othersSeen\":60,\"othersShown\":6}"));
	c = cur_make((const u8 *)data.buf, data.len, false);
	c.p += cur_uleb(&c);
	for (u32 i = 0; i < 7 + 12 + 6 + 6; i++)
		cur_uleb(&c); /* the lanes, as above */
	COLUMN(&c, 5, 50, 50, 50, 50, 50);
	COLUMN(&c, 3, TIMELINE_FORK, 4, 4, TIMELINE_MIGRATE, 0, 0, 0, 0, 0, 1, 2, 0, 0, 2);
	COLUMN(&c, 400, 1, 39, 240, 2); /* places by differences, and the values of marks */
	COLUMN(&c, 0);                  /* arrows */
	check_end(&c, tasks, &page, &data);
}

/* Queues have lanes behind those of tasks, and arrows from tasks. */
static void test_queues(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	struct queue q[] = { { .kind = QUEUE_WORKQUEUE, .name = "<i>" },
			     { .kind = QUEUE_DEVICE, .id = 8 << 20 | 1 } };
	struct queue_arrow arrows[] = { { 900, 1300, 1, 7 }, { 1250, 1600, 1, 5 } };
	const struct queue_lanes lanes = { .v = q, .nr = 2, .arrows = arrows, .nr_arrows = 2 };
	struct strbuf page, data;
	struct cur c;

	lane_add(&q[1].lane, 1200, LANE_RUNNING, 3);
	lane_finish(&q[1].lane, 1700); /* the recording goes on */
	conf.queues = &lanes;
	conf.cpus = false;
	page = page_of(tasks, &conf, few);
	data = data_of(&page);
	assert_non_null(strstr(strbuf_str(&data),
			       ",\"queues\":[[0,\"workqueue \\u003ci\\u003e\"],[1,\"8,1\"]]"));
	c = cur_make((const u8 *)data.buf, data.len, false);
	c.p += cur_uleb(&c);
	COLUMN(&c, 2, 2, 0, 2, 0, 500, 4, 2, 200, 500, 4, 2, 200, 500, 4, 2);
	COLUMN(&c, 500, 500, 300, 500, 500, 300);
	COLUMN(&c, STATE(RUNNING, 0), STATE(SLEEPING, 0), STATE(RUNNABLE, lane_woken_by(0)),
	       STATE(RUNNING, 0), STATE(RUNNING, 3), STATE(NONE, 0));
	COLUMN(&c, 2, 100, 150, TIMELINE_FORK, TIMELINE_MIGRATE, 0, 0, 2, 2, 1, 2);
	COLUMN(&c, 2, 300, 300, 300, 350, 1, 1, 1, 0); /* nothing is known of task 5 */
	assert_false(c.bad);
	assert_ptr_equal(c.p, c.end);
	lane_release(&q[1].lane);
	strbuf_release(&data);
	strbuf_release(&page);
	task_table_free(tasks);
}

/* Tasks that are not selected have no lane, but their names are there for those whom they wake. */
static void test_selection(void **state)
{
	static const char *const eight[] = { "8" };
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	struct strbuf page, data;
	struct cur c;

	conf.selected = eight;
	conf.nr_selected = 1;
	conf.cpus = false;
	conf.highlight = "task8";
	conf.long_run = 5;
	page = page_of(tasks, &conf, few);
	data = data_of(&page);
	assert_non_null(strstr(strbuf_str(&data), "\"longRun\":5,\"cpus\":[],"));
	assert_non_null(strstr(strbuf_str(&data), "[7,7,\"task7\",-1,0,0],[8,8,\"task8\",0,1,1]"));
	c = cur_make((const u8 *)data.buf, data.len, false);
	c.p += cur_uleb(&c);
	COLUMN(&c, 0, 2, 200, 500, 4, 2, 300, 500);
	strbuf_release(&data);
	strbuf_release(&page);
	task_table_free(tasks);
}

/* Two tasks take turns on a CPU for 1 us and 3 us. The caller frees the steps. */
static struct sched_step *turns(u32 nr)
{
	struct sched_step *steps = calloc((size_t)nr + 1, sizeof(*steps));

	assert_non_null(steps);
	for (u32 i = 0; i < nr; i++)
		steps[i] = (struct sched_step){ SCHED_SWITCH,
						1000 + i / 2 * 4000 + i % 2 * 1000,
						0,
						7 + (i + 1) % 2,
						SLEEPS,
						7 + i % 2 };
	return steps;
}

/* The first view of a large page has all lanes with few intervals, and the sums of all of them. */
static void test_early(void **state)
{
	enum { NR = 40000, LANES = 7 };
	const u64 span = 1000 + (NR / 2 - 1) * 4000, of_7 = NR / 2 * 1000;
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	struct sched_step *steps = turns(NR);
	struct strbuf page = page_of(tasks, &conf, steps), early = part_of(&page, "id=\"early\">");
	u64 counts[LANES], ran[3], total = 0;
	struct cur c = cur_make((const u8 *)early.buf, early.len, false);

	assert_non_null(strstr(strbuf_str(&early), "\"early\":true"));
	c.p += cur_uleb(&c);
	for (u32 i = 0; i < LANES; i++)
		counts[i] = cur_uleb(&c);
	for (u32 i = 0; i < 3; i++) { /* the CPU and both tasks */
		COLUMN(&c, 0);
		ran[i] = cur_uleb(&c);
		cur_uleb(&c);
		cur_uleb(&c);
	}
	assert_int_equal(ran[0], span);
	assert_int_equal(ran[1], span - of_7); /* it was the first one that was seen */
	assert_int_equal(ran[2], of_7);
	for (u32 i = 0; i < LANES; i++) {
		u64 length = 0;

		assert_true(counts[i] < 2000);
		for (u64 k = 0; k < counts[i]; k++)
			length += cur_uleb(&c);
		total += length;
	}
	assert_int_equal(total, 3 * span);
	strbuf_release(&early);
	early = part_of(&page, "id=\"data\">");
	assert_null(strstr(strbuf_str(&early), "\"early\""));
	assert_true(early.len > 3 * NR);
	strbuf_release(&early);
	strbuf_release(&page);
	free(steps);
	task_table_free(tasks);
}

/* The columns of a page that is written in parts are whole: each lane has as many bytes in them as
 * it says, and nothing is between them and the marks. */
static void test_parts(void **state)
{
	enum { NR = 800000, LANES = 7 };
	const u64 span = 1000 + (NR / 2 - 1) * 4000;
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	struct sched_step *steps = turns(NR);
	struct strbuf page = page_of(tasks, &conf, steps), data = data_of(&page);
	u64 counts[LANES], bytes[LANES][2] = { 0 };
	struct cur c = cur_make((const u8 *)data.buf, data.len, false);

	free(steps);
	c.p += cur_uleb(&c);
	for (u32 i = 0; i < LANES; i++)
		counts[i] = cur_uleb(&c);
	for (u32 i = 0; i < LANES; i++) {
		if (!counts[i])
			continue;
		COLUMN(&c, 0);
		cur_uleb(&c);
		bytes[i][0] = cur_uleb(&c);
		bytes[i][1] = cur_uleb(&c);
	}
	for (u32 column = 0; column < 2; column++) {
		for (u32 i = 0; i < LANES; i++) {
			const u8 *from = c.p;
			u64 sum = 0;

			for (u64 k = 0; k < counts[i]; k++)
				sum += column ? cur_uleb(&c) % 16 != LANE_NONE : cur_uleb(&c);
			assert_int_equal(c.p - from, bytes[i][column]);
			assert_int_equal(sum, !counts[i] ? 0 : column ? counts[i] : span);
		}
	}
	assert_true(bytes[0][0] + bytes[5][0] + bytes[6][0] > 4 << 20);
	COLUMN(&c, 0, 0); /* marks, arrows */
	check_end(&c, tasks, &page, &data);
}

static void test_names(void **state)
{
	struct task_table *tasks = task_table_new(&(struct task_source){ NULL, name_badly });
	struct timechart_conf conf = conf_of(tasks);
	struct strbuf page, data;

	conf.cpu_model = EVIL;
	page = page_of(tasks, &conf, few);
	data = data_of(&page);
	assert_null(strstr(strbuf_str(&page), "<b>"));
	assert_null(strchr(strbuf_str(&page), '\xff'));
	assert_non_null(strstr(strbuf_str(&page), "default-src 'none'; script-src 'sha256-"));
	assert_non_null(strstr(strbuf_str(&data), "/script\\u003e"));
	assert_null(strstr(strbuf_str(&data), "</script>"));
	strbuf_release(&data);
	strbuf_release(&page);
	task_table_free(tasks);
}

static void test_empty(void **state)
{
	static const struct sched_step none[] = { { 0 } };
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	struct strbuf page = page_of(tasks, &conf, none), data = data_of(&page);

	assert_non_null(strstr(strbuf_str(&data), "\"span\":0"));
	assert_non_null(strstr(strbuf_str(&data), "\"cpus\":[],\"tasks\":[]}"));
	strbuf_release(&data);
	strbuf_release(&page);
	task_table_free(tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_data),   cmocka_unit_test(test_queues),
		cmocka_unit_test(test_others), cmocka_unit_test(test_selection),
		cmocka_unit_test(test_names),  cmocka_unit_test(test_empty),
		cmocka_unit_test(test_early),  cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
