// SPDX-License-Identifier: GPL-2.0-or-later
/* Test timelines of built recordings: pairs, samples over time, what is left out, what is
 * refused. */
#include "base/compat.h"
#include "pdata-build.h"
#include "timeline/timeline.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>
#include <cmocka.h>

#define ST PB_TWO_SAMPLE_TYPE
#define SECOND 1000000000ULL

struct moment {
	u64 id, time; /* 7: begin, 8: end */
	u32 tid, cpu;
};

/* Thread 11 takes 5 us and 7 us; thread 21, on the other CPU and called otherwise, 100 us. */
static const struct moment moments[] = {
	{ 7, SECOND + 1000, 11, 0 },   { 7, SECOND + 2000, 21, 1 },   { 8, SECOND + 6000, 11, 0 },
	{ 7, SECOND + 20000, 11, 0 },  { 8, SECOND + 27000, 11, 0 },  { 8, SECOND + 102000, 21, 1 },
	{ 7, 3 * SECOND + 10, 11, 0 }, { 8, 3 * SECOND + 11, 31, 0 },
};

static void build(struct pb *b, u64 sample_type, bool pipe)
{
	pb_start_two(b, sample_type, pipe, "begin", "end");
	for (size_t i = 0; i < ARRAY_SIZE(moments); i++) {
		const struct moment *m = &moments[i];

		struct pb_id id = {
			m->tid / 10 * 10 + (m->tid > 20), m->tid, m->time, m->id, 0, m->cpu
		};
		pb_sample(b, sample_type, 0x1000, &id, 1);
	}
	pb_finish(b);
}

/* Build, run, and look at what came out before it goes. */
struct outcome {
	int ret;
	struct err err;
	struct pair_result pairs; /* its grid is gone */
	u64 samples;
	struct strbuf text;
};

/* The options that a recording is opened with, and those of the timeline. */
struct asked {
	struct recording_options source;
	struct timeline_options o;
};

static struct outcome run_of(const struct asked *asked, u64 sample_type, bool pipe)
{
	struct recording_options source = asked->source;
	struct outcome out = { .text = STRBUF_INIT };
	struct err err = { 0 };
	const struct grid *g;
	struct timeline *t;
	struct recording r;
	char path[64];
	struct pb b;
	int fd;

	build(&b, sample_type, pipe);
	source.input = pb_save(b.out.buf, b.out.len, &fd, path);
	source.buildid_dir = "";
	if (recording_open(&r, &source, NULL, &err))
		fail_msg("%s", err.msg);
	t = timeline_new(&asked->o, &r);
	out.ret = timeline_run(t, &out.err);
	if (!out.ret && timeline_pairs(t))
		out.pairs = *pairs_result(timeline_pairs(t));
	for (u32 event = 0; (g = timeline_samples(t, event)); event++)
		for (size_t i = 0; i < (size_t)g->used * g->rows; i++)
			out.samples += g->cells[i];
	timeline_text(t, &out.text);
	timeline_free(t);
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);
	return out;
}

#define ALL .o.socket = -1
#define PAIR ALL, .o.pair = "begin,end"

static void test_pairs(void **state)
{
	for (int pipe = 0; pipe < 2; pipe++) {
		struct outcome o = run_of(&(struct asked){ PAIR }, ST, pipe);

		assert_int_equal(o.ret, 0);
		assert_int_equal(o.pairs.pairs, 3);
		assert_int_equal(o.pairs.sum, 112000);
		assert_int_equal(o.pairs.min, 5000);
		assert_int_equal(o.pairs.max, 100000);
		assert_int_equal(o.pairs.open, 1);
		assert_int_equal(o.pairs.alone, 1);
		assert_non_null(strstr(strbuf_str(&o.text), "Latency from begin to end"));
		assert_non_null(strstr(strbuf_str(&o.text), "pairs by tid"));
		strbuf_release(&o.text);
	}
}

/* Each of these leaves other pairs. */
static void test_filters(void **state)
{
	static const struct {
		struct asked o;
		u64 pairs, open, alone;
	} rows[] = {
		{ { PAIR, .source.tids = "11" }, 2, 1, 0 },
		{ { PAIR, .source.cpus = "1" }, 1, 0, 0 },
		{ { PAIR, .source.comms = "second" }, 1, 0, 0 },
		{ { PAIR, .source.time = "1.000010,2" }, 1, 0, 1 },
		{ { PAIR, .o.key = "pid" }, 3, 1, 1 },
		{ { PAIR, .o.key = "cpu" }, 4, 0, 0 },
		{ { PAIR, .source.pids = "99" }, 0, 0, 0 },
		{ { .o.socket = 0, .o.pair = "begin,end" }, 0, 0, 0 },
		{ { PAIR, .source.on_off = { .on = "end" } }, 1, 1, 2 },
		/* an event before that time does not switch */
		{ { PAIR, .source.on_off = { .on = "end" }, .source.time = "1.000010,2" }, 0, 0, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct outcome o = run_of(&rows[i].o, ST, false);

		if (o.ret || o.pairs.pairs != rows[i].pairs || o.pairs.open != rows[i].open ||
		    o.pairs.alone != rows[i].alone)
			fail_msg("row %zu: %d %" PRIu64 " pairs, %" PRIu64 " open, %" PRIu64
				 " alone: %s",
				 i, o.ret, o.pairs.pairs, o.pairs.open, o.pairs.alone, o.err.msg);
		strbuf_release(&o.text);
	}
}

static void test_samples(void **state)
{
	struct outcome o = run_of(&(struct asked){ ALL }, ST, false);

	assert_int_equal(o.ret, 0);
	assert_int_equal(o.samples, ARRAY_SIZE(moments));
	assert_int_equal(o.text.len, 0);
	o = run_of(&(struct asked){ ALL, .source.comms = "first" }, ST, false);
	assert_int_equal(o.samples, 5);
}

static void test_refused(void **state)
{
	static const struct {
		struct asked o;
		const char *sentence;
	} rows[] = {
		{ { ALL, .o.pair = "begin" },
		  "--pair: two events with a comma in between: 'begin'" },
		{ { ALL, .o.pair = "begin," },
		  "--pair: two events with a comma in between: 'begin,'" },
		{ { ALL, .o.pair = "a,b,c" }, "--pair: two events, not more: 'a,b,c'" },
		{ { ALL, .o.pair = "a/x,y/" }, "two events with a comma" },
		{ { ALL, .o.pair = "begin,nothing" }, "nothing" },
		{ { ALL, .source.tids = "x" }, "'x' is no list of tids" },
		{ { ALL, .source.time = "x" }, "Invalid time string" },
		{ { ALL, .source.on_off = { .on = "nothing" } },
		  "switch-on event not found (nothing)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct outcome o = run_of(&rows[i].o, ST, false);

		if (!o.ret || !strstr(o.err.msg, rows[i].sentence))
			fail_msg("row %zu: %d, %s", i, o.ret, o.err.msg);
		strbuf_release(&o.text);
	}
}

static void test_no_times(void **state)
{
	struct outcome o = run_of(&(struct asked){ PAIR }, ST & ~PERF_SAMPLE_TIME, false);

	assert_int_equal(o.ret, -EINVAL);
	assert_string_equal(o.err.msg,
			    "samples of begin were recorded without their time: record with -T");
	strbuf_release(&o.text);
}

/* The name of the file tells the format, and a title can be given. */
static void test_picture(void **state)
{
	static const struct {
		const char *name, *begins;
	} rows[] = { { "t.svg", "<svg" }, { "t.html", "<!" }, { "t", "<svg" } };
	const struct timeline_options o = { .socket = -1,
					    .pair = "begin,end",
					    .title = "My <own>" };
	struct recording_options source = { .buildid_dir = "" };
	char dir[] = "/tmp/timeline-XXXXXX", text[8192];
	struct err err = { 0 };
	struct timeline *t;
	struct recording r;
	char file[64];
	struct pb b;
	int fd;

	assert_non_null(mkdtemp(dir));
	build(&b, ST, false);
	source.input = pb_save(b.out.buf, b.out.len, &fd, file);
	assert_int_equal(recording_open(&r, &source, NULL, &err), 0);
	t = timeline_new(&o, &r);
	assert_int_equal(timeline_run(t, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char path[64];
		size_t len;
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", dir, rows[i].name);
		assert_int_equal(timeline_picture(t, path, &err), 0);
		f = fopen(path, "r");
		assert_non_null(f);
		len = fread(text, 1, sizeof(text) - 1, f);
		text[len] = '\0';
		fclose(f);
		unlink(path);
		if (!strstr(text, rows[i].begins) || !strstr(text, "My &lt;own"))
			fail_msg("%s: %s", rows[i].name, text);
	}
	rmdir(dir);
	assert_true(timeline_picture(t, "/nowhere/at/all.svg", &err) < 0);
	assert_non_null(strstr(err.msg, "/nowhere/at/all.svg"));
	timeline_free(t);
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),    cmocka_unit_test(test_filters),
		cmocka_unit_test(test_samples),  cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_times), cmocka_unit_test(test_picture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
