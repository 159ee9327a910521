// SPDX-License-Identifier: GPL-2.0-or-later
/* Test built recordings side by side: options, text of their events, shares beyond a limit. */
#include "base/compat.h"
#include "pdata-build.h"
#include "profilediff/profile-diff.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)
#define SECOND 1000000000ULL

static void differ_init(struct differ *d)
{
	*d = (struct differ){
		.asked = { .sort = "comm", .socket = -1, .branches_set = true, .order_set = true },
		.conf = { .compute = DIFF_DELTA_ABS, .order = 1 },
	};
}

/* ---- options ---- */

static void test_compute(void **state)
{
	static const char *const wrong[] = { "wdiff",     "wdiff:1", "wdiff:1,0", "wdiff:1,2x",
					     "wdiff:0,2", "other",   "" };
	struct diff_conf c = { 0 };
	struct err err = { 0 };

	assert_int_equal(differ_compute(&c, "ratio", &err), 0);
	assert_int_equal(c.compute, DIFF_RATIO);
	assert_int_equal(differ_compute(&c, "delta-abs", &err), 0);
	assert_int_equal(c.compute, DIFF_DELTA_ABS);
	assert_int_equal(differ_compute(&c, "wdiff:3,-4", &err), 0);
	assert_int_equal(c.w1, 3);
	assert_int_equal(c.w2, -4);
	assert_int_equal(differ_compute(&c, "delta:1", &err), -EINVAL);
	assert_string_equal(err.msg, "");
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		err.msg[0] = '\0';
		assert_int_equal(differ_compute(&c, wrong[i], &err), -EINVAL);
		assert_string_not_equal(err.msg, "");
	}
}

static void test_graph(void **state)
{
	struct err err = { 0 };
	struct differ d;

	differ_init(&d);
	assert_int_equal(differ_graph(&d, "", &err), 0);
	assert_int_equal(differ_graph(&d, "caller,2.5", &err), 0);
	assert_true(d.asked.chain.caller);
	assert_true(d.path_limit == 2.5);
	assert_int_equal(differ_graph(&d, "callee", &err), 0);
	assert_false(d.asked.chain.caller);
	assert_int_equal(differ_graph(&d, "1,-2", &err), -EINVAL);
	assert_string_equal(err.msg, "invalid call graph '1,-2': say a least change in percent, "
				     "caller or callee");
}

static void test_keys(void **state)
{
	struct err err = { 0 };
	struct differ d;

	differ_init(&d);
	assert_int_equal(differ_check_keys(&d, &err), 0);
	assert_false(differ_sorts_functions(&d));
	d.asked.sort = "+comm";
	assert_int_equal(differ_check_keys(&d, &err), 0);
	assert_true(differ_sorts_functions(&d));
	d.asked.sort = "dso,symbol";
	assert_true(differ_sorts_functions(&d));
	d.asked.sort = "+nothing";
	assert_int_equal(differ_check_keys(&d, &err), -EINVAL);
	d.asked.sort = NULL;
	assert_true(differ_sorts_functions(&d));
}

static void test_settle(void **state)
{
	struct differ d;

	differ_init(&d);
	d.stream = true;
	d.asked.sort = "symbol";
	d.source.time = "1,2:3,4:5,6";
	assert_int_equal(differ_time_parts(&d), 3);
	differ_settle(&d, 3);
	assert_string_equal(d.asked.sort, "comm");
	assert_int_equal(d.asked.chain.mode, CHAIN_GRAPH);
	assert_true(d.list_files && d.text.numbered);
	differ_init(&d);
	assert_int_equal(differ_time_parts(&d), 1);
	differ_settle(&d, 2);
	assert_int_equal(d.asked.chain.mode, CHAIN_NONE);
	assert_false(d.list_files || d.text.numbered);
}

/* ---- recordings ---- */

/* Build a recording of 100 samples a second: @first are of "first" and the others of "second". */
static void build(struct pb *b, int first)
{
	struct pb_event ev = { .ids = { 7 }, .nr_ids = 1, .name = "one" };
	struct pb_id id = { 10, 10, 1, 7, 0, 0 };

	ev.attr = (struct perf_event_attr){ .type = 1, .sample_type = ST, .sample_id_all = 1 };
	pb_start(b, false, false, &ev, 1);
	pb_event_desc(b, &ev, 1);
	pb_comm(b, 10, 10, "first", ST, &id);
	pb_comm(b, 20, 20, "second", ST, &id);
	for (int i = 0; i < 1000; i++) {
		id.pid = id.tid = i % 100 < first ? 10 : 20;
		id.time = SECOND + (u64)i * (SECOND / 100);
		pb_sample(b, ST, 0x400100, &id, 10);
	}
	pb_finish(b);
}

struct files {
	struct pb b[2];
	int fd[2];
	char path[2][64];
	const char *names[2];
};

static void files_make(struct files *f)
{
	static const int first[] = { 80, 40 };

	for (int i = 0; i < 2; i++) {
		build(&f->b[i], first[i]);
		f->names[i] = pb_save(f->b[i].out.buf, f->b[i].out.len, &f->fd[i], f->path[i]);
	}
}

static void files_release(struct files *f)
{
	for (int i = 0; i < 2; i++) {
		pb_unsave(f->fd[i]);
		pb_release(&f->b[i]);
	}
}

/* Compare both files; *@out and *@over are what comes of their event. */
static void compare(struct differ *d, struct strbuf *out, struct strbuf *over)
{
	struct err err = { 0 };
	struct files f;

	files_make(&f);
	differ_settle(d, 2);
	differ_name_files(d, f.names, 2);
	for (u32 i = 0; i < 2; i++) {
		assert_int_equal(differ_open(d, i, NULL, &err), 0);
		if (differ_count(d, i, &err))
			fail_msg("%s", err.msg);
	}
	differ_event(d, d->files[0].rec.session.evlist.evsels[0], out, over);
	differ_release(d);
	files_release(&f);
}

static void test_event(void **state)
{
	struct strbuf out = STRBUF_INIT, over = STRBUF_INIT;
	struct differ d;

	differ_init(&d);
	d.quiet = true;
	d.text.sep = ",";
	d.limit = (struct limit){ .set = true, .way = '>', .percent = 10 };
	compare(&d, &out, &over);
	assert_string_equal(strbuf_str(&out),
			    "80.00   ,-40.00%  ,first  \n20.00   ,+40.00%  ,second \n");
	assert_memory_equal(strbuf_str(&over), "second: 20.00% -> 60.00% in /", 29);
	assert_non_null(strstr(strbuf_str(&over), ": more than 10% and than chance\n"));
	assert_null(strstr(strbuf_str(&over), "first"));
	strbuf_release(&out);
	strbuf_release(&over);
}

static void test_titles(void **state)
{
	struct strbuf out = STRBUF_INIT, over = STRBUF_INIT;
	struct differ d;

	differ_init(&d);
	d.list_files = true;
	compare(&d, &out, &over);
	assert_memory_equal(strbuf_str(&out), "# Event 'one'\n#\n# Data files:\n#  [0] /", 38);
	assert_non_null(strstr(strbuf_str(&out), " (Baseline)\n#  [1] /"));
	assert_int_equal(over.len, 0);
	strbuf_release(&out);
	strbuf_release(&over);
}

/* Each file may have a span of its own. */
static void test_spans(void **state)
{
	struct strbuf out = STRBUF_INIT, over = STRBUF_INIT;
	struct differ d;

	differ_init(&d);
	d.quiet = true;
	d.text.sep = ",";
	d.source.time = "1.0,1.79:1.0,1.39";
	compare(&d, &out, &over);
	assert_string_equal(strbuf_str(&out), "100.00  ,+0.00%   ,first  \n");
	strbuf_release(&out);
	strbuf_release(&over);
}

static void test_refused(void **state)
{
	struct err err = { 0 };
	struct differ d;
	struct files f;

	files_make(&f);
	differ_init(&d);
	d.asked.tids = "x";
	differ_settle(&d, 2);
	differ_name_files(&d, f.names, 2);
	assert_int_equal(differ_open(&d, 0, NULL, &err), 0);
	assert_int_equal(differ_count(&d, 0, &err), -EINVAL);
	assert_string_equal(err.msg, "'x' is no list of tids");
	d.files[1].source.input = "/nonexistent";
	assert_int_equal(differ_open(&d, 1, NULL, &err), -ENOENT);
	assert_int_equal(d.nr_files, 1);
	differ_release(&d);
	files_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compute), cmocka_unit_test(test_graph),
		cmocka_unit_test(test_keys),    cmocka_unit_test(test_settle),
		cmocka_unit_test(test_event),   cmocka_unit_test(test_titles),
		cmocka_unit_test(test_spans),   cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
