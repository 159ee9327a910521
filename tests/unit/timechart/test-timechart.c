// SPDX-License-Identifier: GPL-2.0-or-later
/* Test pictures of made-up timelines and calls: what is in them, how large they are at most, and
 * that names are text. */
#include "base/compat.h"
#include "timechart/timechart.h"
#include "sched-feed.h"

#include <setjmp.h>
#include <cmocka.h>

#define SWITCH(t, c, from, state, to)                                                              \
	{                                                                                          \
		SCHED_SWITCH, t, c, from, state, to                                                \
	}
#define SLEEPS 1
#define MS 1000000ULL

static struct timechart_conf conf_of(struct task_table *tasks)
{
	return (struct timechart_conf){ .tasks = tasks,
					.width = 1000,
					.least = 15,
					.cpus = true,
					.processes = true,
					.long_run = UINT64_MAX };
}

/* Draw the steps. Return: the picture, which the caller frees. */
static char *draw(const struct sched_step *steps, struct task_table *tasks,
		  const struct timechart_conf *conf)
{
	struct sched_timeline *t =
		sched_timeline_new(&(struct sched_timeline_conf){ .tasks = tasks });
	struct strbuf svg = STRBUF_INIT;
	struct export_out *out = export_memory(&svg);
	struct err err = { 0 };

	sched_feed(sched_timeline_engine(), t, steps);
	timechart_svg(conf, sched_timeline_result(t), out);
	assert_int_equal(export_close(out, &err), 0);
	sched_timeline_free(t);
	return strbuf_detach(&svg);
}

static u32 count(const char *text, const char *what)
{
	u32 n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

#define HAS(svg, text)                                                                             \
	do {                                                                                       \
		if (!strstr(svg, text))                                                            \
			fail_msg("no %s in: %s", text, svg);                                       \
	} while (0)

static const struct sched_step few[] = {
	SWITCH(1 * MS, 0, 0, 0, 7),
	{ POWER_IDLE, 2 * MS, 0, .task = 0, .value = 3 },
	{ POWER_FREQUENCY, 3 * MS, 0, .task = 0, .value = 2000000 },
	{ SCHED_WAKEUP, 30 * MS, 0, 8, .by = 7 },
	SWITCH(41 * MS, 0, 7, SLEEPS, 8),
	{ IRQ_ENTRY, 50 * MS, 0, .value = 5 },
	{ IRQ_EXIT, 60 * MS, 0, .value = 5 },
	SWITCH(91 * MS, 0, 8, 2, 0),
	{ SCHED_WAKEUP, 101 * MS, 0, 7, .by = SCHED_BY_IDLE },
	{ 0 },
};

static void test_rows(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	char *svg = draw(few, tasks, &conf);

	HAS(svg, ">CPU 0<");
	HAS(svg, ">task7:7 (40.0ms)<");
	HAS(svg, ">task8:8 (50.0ms)<");
	HAS(svg, "class=\"running\"><title>task7:7 running 40.0ms at 0.000000 s<");
	HAS(svg, "class=\"running\"><title>running on CPU 0 50.0ms at 0.040000 s<");
	HAS(svg, "class=\"waiting\"><title>runnable 11.0ms at 0.029000 s, woken by task7:7<");
	HAS(svg, "class=\"blocked\"");
	HAS(svg, "class=\"sleeping\"");
	HAS(svg, "class=\"c4\"><title>idle 3 ");
	HAS(svg, "class=\"interrupt\"><title>interrupt 5 10.0ms ");
	HAS(svg, ">2.000 to 2.000 GHz<");
	HAS(svg, "class=\"wakeup\"");
	HAS(svg, ">task7:7 wakes up task8:8<");
	assert_int_equal(count(svg, "class=\"row\""), 3);
	free(svg);
	task_table_free(tasks);
}

/* A device has a row below those of CPUs, and a line comes from the task that has asked it. */
static void test_queue(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	struct queue q = { .kind = QUEUE_DEVICE, .id = 8 << 20 };
	struct queue_arrow arrow = { 10 * MS, 51 * MS, 0, 7 };
	const struct queue_lanes queues = { .v = &q, .nr = 1, .arrows = &arrow, .nr_arrows = 1 };
	char *svg;

	lane_add(&q.lane, 11 * MS, LANE_RUNNING, 2);
	lane_add(&q.lane, 51 * MS, LANE_IDLE, 0);
	lane_finish(&q.lane, 101 * MS);
	conf.queues = &queues;
	svg = draw(few, tasks, &conf);
	HAS(svg, ">8,0<");
	HAS(svg, "class=\"running\"><title>2 requests in flight 40.0ms at 0.010000 s<");
	HAS(svg, "><title>task7:7 asks 8,0, complete after 41.0ms<");
	assert_int_equal(count(svg, "class=\"row\""), 4);
	free(svg);
	conf.nr_selected = 1;
	conf.selected = (const char *const[]){ "task8" }; /* the other one has no row */
	svg = draw(few, tasks, &conf);
	HAS(svg, ">8,0<");
	assert_null(strstr(svg, " asks "));
	free(svg);
	lane_release(&q.lane);
	task_table_free(tasks);
}

static void test_choice(void **state)
{
	static const char *const by_name[] = { "task8" }, *const by_number[] = { "7", "9x" };
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	char *svg;

	conf.selected = by_name;
	conf.nr_selected = 1;
	svg = draw(few, tasks, &conf);
	HAS(svg, ">task8:8 (");
	assert_null(strstr(svg, ">task7:7 ("));
	assert_null(strstr(svg, "class=\"wakeup\"")); /* the other task is not shown */
	free(svg);
	conf.selected = by_number;
	conf.nr_selected = 2;
	conf.cpus = false;
	svg = draw(few, tasks, &conf);
	HAS(svg, ">task7:7 (");
	assert_int_equal(count(svg, "class=\"row\""), 1);
	free(svg);
	conf = conf_of(tasks);
	conf.processes = false;
	svg = draw(few, tasks, &conf);
	assert_int_equal(count(svg, "class=\"row\""), 1);
	free(svg);
	task_table_free(tasks);
}

static void test_highlight(void **state)
{
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	char *svg;

	conf.long_run = 45 * MS; /* one run of task 8, in its row and in that of the CPU */
	svg = draw(few, tasks, &conf);
	assert_int_equal(count(svg, "class=\"highlight\""), 2);
	free(svg);
	conf.long_run = UINT64_MAX;
	conf.highlight = "task7";
	svg = draw(few, tasks, &conf);
	assert_int_equal(count(svg, "class=\"highlight\""), 2);
	free(svg);
	task_table_free(tasks);
}

/* With their places, the second CPU comes first, as it is on the first socket. */
static void test_topology(void **state)
{
	static const struct sched_step steps[] = { SWITCH(5, 0, 7, 0, 8),
						   SWITCH(6, 1, 9, 0, 7),
						   { 0 } };
	static const s32 sockets[] = { 1, 0 }, cores[] = { 0, 0 };
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	char *svg = draw(steps, tasks, &conf);

	assert_true(strstr(svg, ">CPU 0<") < strstr(svg, ">CPU 1<"));
	free(svg);
	conf.socket_of = sockets;
	conf.core_of = cores;
	conf.nr_socket_of = 2;
	svg = draw(steps, tasks, &conf);
	assert_true(strstr(svg, ">CPU 0<") > strstr(svg, ">CPU 1<"));
	free(svg);
	task_table_free(tasks);
}

static void name_badly(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	*out = (struct task_at){ tid, tid, tid, "<b>&\"'\001\xff", 0, UINT64_MAX };
}

static void test_names(void **state)
{
	struct task_table *tasks = task_table_new(&(struct task_source){ NULL, name_badly });
	struct timechart_conf conf = conf_of(tasks);
	char *svg;

	conf.cpu_model = "<i>";
	svg = draw(few, tasks, &conf);
	HAS(svg, ">&lt;b&gt;&amp;&quot;");
	HAS(svg, ">&lt;i&gt;<");
	assert_null(strstr(svg, "<b>"));
	assert_null(strstr(svg, "\001"));
	assert_null(strstr(svg, "\xff"));
	free(svg);
	task_table_free(tasks);
}

/* However many switches there are, a picture of these rows has about the same size. */
static void test_bounded(void **state)
{
	static const u32 sizes[] = { 40000, 160000 };
	size_t len[ARRAY_SIZE(sizes)];

	for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
		struct sched_step *steps = calloc(2 * sizes[s] + 1, sizeof(*steps));
		struct task_table *tasks = sched_feed_tasks();
		struct timechart_conf conf = conf_of(tasks);
		char *svg;

		assert_non_null(steps);
		for (u32 i = 0; i < sizes[s]; i++) {
			u32 from = 1 + i % 2, to = 3 - from;
			u64 time = 1 + i * 50000ULL;

			steps[2 * i] = (struct sched_step){ SCHED_WAKEUP, time, 0, to, .by = from };
			steps[2 * i + 1] =
				(struct sched_step)SWITCH(time + 9000, 0, from, SLEEPS, to);
		}
		svg = draw(steps, tasks, &conf);
		len[s] = strlen(svg);
		assert_true(count(svg, "<rect") < 100);
		assert_true(count(svg, "<path") < 20);
		free(svg);
		free(steps);
		task_table_free(tasks);
	}
	assert_true(len[0] < 300000);
	assert_in_range(len[1], len[0] / 2, len[0] * 3 / 2);
}

/* Nothing at all, and events at one time only. */
/* The notes tell what a long recording loses, and how to see it. */
static void test_notes(void **state)
{
	struct timechart_result result = { .span = 100 * MS };
	const struct analysis_losses losses = { .events = 10 };
	struct strbuf text = STRBUF_INIT;

	timechart_put_notes(&result, &losses, &text);
	assert_int_equal(text.len, 0);
	result.left_out = 1234;
	result.grain = 20000;
	timechart_put_notes(&result, &losses, &text);
	HAS(strbuf_str(&text), "1234 changes were left out that others followed within 20.0us");
	HAS(strbuf_str(&text), "--time");
	strbuf_reset(&text);
	result.io = true;
	result.others = 5000;
	result.others_shown = 70;
	timechart_put_notes(&result, &losses, &text);
	HAS(strbuf_str(&text),
	    "other events happened 5000 times: 70 of these are shown, evenly chosen");
	HAS(strbuf_str(&text),
	    "1234 calls were added to others of their kind that began within 20.0us");
	strbuf_release(&text);
}

static void test_empty(void **state)
{
	static const struct sched_step none[] = { { 0 } };
	static const struct sched_step once[] = { SWITCH(5, 0, 7, 0, 8),
						  SWITCH(5, 0, 8, 0, 7),
						  { 0 } };
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	char *svg = draw(none, tasks, &conf);

	HAS(svg, "</svg>");
	free(svg);
	svg = draw(once, tasks, &conf);
	HAS(svg, "</svg>");
	free(svg);
	task_table_free(tasks);
}

/* ---- I/O ---- */

static void test_io(void **state)
{
	static struct io_call calls[] = {
		{ 0, 10 * MS, 4096, 3, IO_READ },
		{ 20 * MS, 21 * MS, 100, 4, IO_WRITE },
		{ 21 * MS + 100, 22 * MS, 200, 4, IO_WRITE, 2 },
		{ 30 * MS, 40 * MS, -11, 5, IO_RECEIVE },
		{ 50 * MS, 60 * MS, 0, IO_NO_FILE, IO_SYNC },
		{ 70 * MS, 99 * MS, 1, IO_NO_FILE, IO_POLL },
	};
	struct io_task task = { .id = 7, .calls = calls, .nr = ARRAY_SIZE(calls), .bytes = 4396 };
	struct io_calls all = { .end = 100 * MS, .tasks = &task, .nr_tasks = 1 };
	struct task_table *tasks = sched_feed_tasks();
	struct timechart_conf conf = conf_of(tasks);
	struct timechart_io_conf io = { .merge = 1000, .least = MS };
	struct strbuf svg = STRBUF_INIT;
	struct export_out *out = export_memory(&svg);
	struct err err = { 0 };

	(void)task_table_at(tasks, 7, 7, 0);
	timechart_io_svg(&conf, &io, &all, out);
	assert_int_equal(export_close(out, &err), 0);
	HAS(strbuf_str(&svg), ">:7 (4.3 KB)<");
	HAS(strbuf_str(&svg), "height=\"26\" class=\"disk\"><title>read fd=3, 4.0 KB, 10.000 ms<");
	HAS(strbuf_str(&svg), "><title>write, 4 calls fd=4, 300 bytes, 2.000 ms<");
	HAS(strbuf_str(&svg), "class=\"error\"><title>receive fd=5, 0 bytes, 10.000 ms, 1 errors, "
			      "error=11<");
	HAS(strbuf_str(&svg), "class=\"sync\"><title>sync, 10.000 ms<");
	HAS(strbuf_str(&svg), "class=\"poll\"");
	strbuf_release(&svg);
	task_table_free(tasks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),   cmocka_unit_test(test_queue),
		cmocka_unit_test(test_choice), cmocka_unit_test(test_highlight),
		cmocka_unit_test(test_names),  cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_notes),  cmocka_unit_test(test_empty),
		cmocka_unit_test(test_io),     cmocka_unit_test(test_topology),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
