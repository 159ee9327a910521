// SPDX-License-Identifier: GPL-2.0-or-later
/* Test runs over built recordings: lines, rows, files of events, what is refused and why. */
#include "base/compat.h"
#include "pdata-build.h"
#include "scriptrun/event-files.h"
#include "scriptrun/scriptrun.h"
#include "tmp-tree.h"

#include "base/alloc.h"
#include "base/sysroot.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>
#include <cmocka.h>

#define ST                                                                                         \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |                \
	 PERF_SAMPLE_IDENTIFIER)
#define SECOND 1000000000ULL

/* Three samples of "prog" at 1 s and after, the last of them of another event. */
static void build(struct pb *b, bool pipe)
{
	struct pb_event ev[2] = { { .ids = { 7 }, .nr_ids = 1, .name = "one" },
				  { .ids = { 8 }, .nr_ids = 1, .name = "a/b" } };
	struct pb_id id = { 10, 10, 500, 7, 0, 0 };

	for (u64 i = 0; i < 2; i++)
		ev[i].attr = (struct perf_event_attr){
			.type = 1, .config = i, .sample_type = ST, .sample_id_all = 1
		};
	pb_start(b, false, pipe, ev, 2);
	if (!pipe)
		pb_event_desc(b, ev, 2);
	pb_comm(b, 10, 10, "prog", ST, &id);
	for (u64 i = 0; i < 3; i++) {
		id.time = SECOND + 1000 * i;
		id.id = i == 2 ? 8 : 7;
		pb_sample(b, ST, 0x400100 + i, &id, 10 + i);
	}
	pb_finish(b);
}

/* One run and what came of it. */
struct outcome {
	int ret;
	enum script_fault fault;
	struct err err;
	struct strbuf text, notices;
	size_t room; /* bytes that are taken before writing fails; 0: any number */
};

static int take_text(void *ctx, const char *text, size_t len, struct err *err)
{
	struct outcome *o = ctx;

	if (o->room && o->text.len + len > o->room)
		return err_set(err, -ENOSPC, "no room");
	strbuf_add(&o->text, text, len);
	return 0;
}

static void take_notice(void *ctx, const char *text)
{
	strbuf_addstr(&((struct outcome *)ctx)->notices, text);
}

static void release(struct outcome *o)
{
	strbuf_release(&o->text);
	strbuf_release(&o->notices);
}

static void options_init(struct script_options *o)
{
	*o = (struct script_options){ .max_stack = 127 };
	sample_fields_init(&o->fields);
}

static void choose_fields(struct script_options *o, const char *fields)
{
	struct strbuf notices = STRBUF_INIT;

	assert_int_equal(sample_fields_parse(&o->fields, fields, &notices, NULL), 0);
	strbuf_release(&notices);
}

static void run_bytes(const struct pb *b, const struct recording_options *source,
		      const struct script_options *o, struct outcome *out)
{
	const struct notices notices = { take_notice, out };
	const struct script_output to = { .write = take_text, .ctx = out, .notices = &notices };
	struct recording_options opened = *source;
	struct script_run *run;
	struct recording r;
	char path[64];
	int fd;

	opened.input = pb_save(b->out.buf, b->out.len, &fd, path);
	assert_int_equal(recording_open(&r, &opened, &notices, &out->err), 0);
	run = script_run_new(o, &r, &(struct script_programs){ 0 }, &to);
	out->ret = script_run_all(run, &out->err);
	out->ret = script_run_end(run, out->ret, &out->err);
	out->fault = script_fault(run);
	script_run_free(run);
	recording_close(&r);
	pb_unsave(fd);
}

static void run_of(const struct recording_options *source, const struct script_options *o,
		   bool pipe, struct outcome *out)
{
	struct pb b;

	build(&b, pipe);
	run_bytes(&b, source, o, out);
	pb_release(&b);
}

static const struct recording_options all = { 0 };

static void test_lines(void **state)
{
	for (int pipe = 0; pipe < 2; pipe++) {
		struct outcome out = { 0 };
		struct script_options o;

		options_init(&o);
		choose_fields(&o, "comm,pid,time,event,period");
		run_of(&all, &o, pipe, &out);
		assert_int_equal(out.ret, 0);
		assert_string_equal(strbuf_str(&out.text),
				    "            prog    10     1.000000:         10 one: \n"
				    "            prog    10     1.000001:         11 one: \n"
				    "            prog    10     1.000002:         12 a/b: \n");
		assert_string_equal(strbuf_str(&out.notices), "");
		release(&out);
	}
}

static void test_left_out(void **state)
{
	const struct recording_options late = { .time = "1.000001," };
	struct outcome out = { 0 };
	struct script_options o;

	options_init(&o);
	choose_fields(&o, "ip");
	run_of(&late, &o, false, &out);
	assert_string_equal(strbuf_str(&out.text), "           400101\n           400102\n");
	release(&out);
}

static void test_other_records(void **state)
{
	struct outcome out = { 0 };
	struct script_options o;

	options_init(&o);
	o.show.task = true;
	choose_fields(&o, "comm");
	run_of(&all, &o, false, &out);
	assert_non_null(strstr(strbuf_str(&out.text), "PERF_RECORD_COMM: prog:10/10"));
	release(&out);
}

static void test_raw_dump(void **state)
{
	struct outcome out = { 0 };
	struct script_options o;

	options_init(&o);
	o.raw_dump = true;
	run_of(&all, &o, false, &out);
	assert_non_null(strstr(strbuf_str(&out.text), "PERF_RECORD_SAMPLE(IP, 0x"));
	assert_non_null(strstr(strbuf_str(&out.text), ".  0000:  "));
	release(&out);
}

static void test_rows(void **state)
{
	char *dir = tmp_dir(), *path = xasprintf("%s/rows", dir);
	struct outcome out = { 0 };
	struct strbuf rows = STRBUF_INIT;
	struct script_options o;

	options_init(&o);
	o.rows.csv = path;
	choose_fields(&o, "comm,event");
	run_of(&all, &o, false, &out);
	assert_int_equal(out.ret, 0);
	assert_int_equal(out.text.len, 0);
	assert_int_equal(sysroot_read(NULL, &rows, "%s", path), 0);
	assert_string_equal(strbuf_str(&rows),
			    "event,comm\r\none,prog\r\none,prog\r\na/b,prog\r\n");
	strbuf_release(&rows);
	release(&out);
	free(path);
	tmp_remove(dir);
}

/* Samples that are older than the one before are told of, and nothing else is shown. */
static void test_checks(void **state)
{
	struct pb_event ev = { .attr = { .type = 1, .sample_type = ST },
			       .ids = { 7 },
			       .nr_ids = 1 };
	struct outcome out = { 0 };
	struct script_options o;
	struct pb b;

	options_init(&o);
	o.checks = o.unsorted = true;
	pb_start(&b, false, false, &ev, 1);
	for (u64 i = 0; i < 4; i++) {
		struct pb_id id = { 10, 10, i == 2 ? 100 : 200 + i, 7, 0, 0 };

		pb_sample(&b, ST, 0x400100, &id, 1);
	}
	pb_finish(&b);
	run_bytes(&b, &all, &o, &out);
	assert_int_equal(out.ret, 0);
	assert_int_equal(out.text.len, 0);
	assert_string_equal(strbuf_str(&out.notices),
			    "Samples misordered, previous: 201 this: 100\n"
			    "Misordered timestamps: 1\n");
	pb_release(&b);
	release(&out);
}

static void test_event_files(void **state)
{
	struct evsel one = { .name = (char *)"one", .idx = 0 }, two = { .name = (char *)"a/b" };
	struct evsel same = { .name = (char *)"one", .idx = 2 };
	struct evsel *evsels[] = { &one, &two, &same };
	struct evlist l = { .evsels = evsels, .nr = 2 };
	char *dir = tmp_dir(), *path = xasprintf("%s/d", dir);
	struct strbuf lines = STRBUF_INIT, want = STRBUF_INIT, text = STRBUF_INIT;
	struct event_files *d;
	struct err err = { 0 };

	two.idx = 1;
	d = event_files_open(path, &l, &err);
	assert_non_null(d);
	l.nr = 3;
	assert_int_equal(event_files_more(d, &l, &err), 0);
	assert_int_equal(event_files_put(d, &two, "text\n", 5, &err), 0);
	assert_int_equal(event_files_close(d, &lines, &err), 0);
	strbuf_addf(&want,
		    "[ perf script: Wrote 0.000 MB %s.one.dump (0 samples) ]\n"
		    "[ perf script: Wrote 0.000 MB %s.a_b.dump (1 samples) ]\n"
		    "[ perf script: Wrote 0.000 MB %s.one.2.dump (0 samples) ]\n",
		    path, path, path);
	assert_string_equal(strbuf_str(&lines), strbuf_str(&want));
	assert_int_equal(sysroot_read(NULL, &text, "%s.a_b.dump", path), 0);
	assert_string_equal(strbuf_str(&text), "text\n");
	assert_null(event_files_open("/nonexistent/d", &l, &err));
	assert_string_equal(err.msg, "Couldn't create the per event dump files");
	strbuf_release(&lines);
	strbuf_release(&want);
	strbuf_release(&text);
	free(path);
	tmp_remove(dir);
}

static void test_refused(void **state)
{
	static const struct {
		struct recording_options source;
		const char *fields, *wanted, *cpus;
		enum script_fault fault;
		const char *sentence;
	} table[] = {
		{ .fields = "tod", .sentence = "missing clock data" },
		{ .fields = "cpu", .sentence = "CPU" },
		{ .cpus = "0", .sentence = "File does not contain CPU events" },
		{ .source.on_off.on = "x",
		  .fault = SCRIPT_FAULT_SWITCH,
		  .sentence = "switch-on event not found (x)" },
		{ .source.time = "x",
		  .fault = SCRIPT_FAULT_INVALID,
		  .sentence = "Invalid time string" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct outcome out = { 0 };
		struct script_options o;

		options_init(&o);
		if (table[i].fields)
			choose_fields(&o, table[i].fields);
		o.cpus = table[i].cpus;
		run_of(&table[i].source, &o, false, &out);
		if (!out.ret || out.fault != table[i].fault ||
		    !strstr(out.err.msg, table[i].sentence))
			fail_msg("row %zu: %d, fault %d, %s", i, out.ret, out.fault, out.err.msg);
		release(&out);
	}
}

/* The receiver of the text ends the run when it refuses more. */
static void test_no_room(void **state)
{
	struct outcome out = { .room = 10 };
	struct script_options o;

	options_init(&o);
	run_of(&all, &o, false, &out);
	assert_int_equal(out.ret, -ENOSPC);
	assert_string_equal(out.err.msg, "no room");
	assert_int_equal(out.fault, SCRIPT_FAULT_OTHER);
	release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),         cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_other_records), cmocka_unit_test(test_raw_dump),
		cmocka_unit_test(test_rows),          cmocka_unit_test(test_checks),
		cmocka_unit_test(test_event_files),   cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
