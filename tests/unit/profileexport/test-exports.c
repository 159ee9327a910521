// SPDX-License-Identifier: GPL-2.0-or-later
/* Test what is asked for of exports, what a profile keeps for them, and the files of a built
 * recording. */
#include "base/compat.h"
#include "pdata-build.h"
#include "profileexport/facts.h"
#include "tmp-tree.h"

#include "base/alloc.h"
#include "base/sysroot.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>
#include <cmocka.h>

#define ST (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD)

/* ---- what is asked for ---- */

static void test_add(void **state)
{
	const struct export_ops *folded = export_find("folded"), *pprof = export_find("pprof");
	struct exports x;

	exports_init(&x);
	assert_false(exports_any(&x));
	exports_add(&x, folded, "a");
	exports_add(&x, pprof, "b");
	exports_add(&x, folded, "c");
	assert_int_equal(x.nr, 2);
	assert_string_equal(x.one[0].path, "c");
	exports_drop(&x, folded);
	exports_drop(&x, folded);
	assert_int_equal(x.nr, 1);
	assert_ptr_equal(x.one[0].ops, pprof);
	assert_true(exports_any(&x));
}

static void test_room_for_all(void **state)
{
	struct exports x;
	u32 nr = 0;

	exports_init(&x);
	for (; export_table[nr]; nr++)
		exports_add(&x, export_table[nr], "-");
	assert_int_equal(x.nr, nr);
}

static void test_weight(void **state)
{
	struct exports x;

	exports_init(&x);
	assert_true(exports_weight(&x, "samples"));
	assert_int_equal(x.opts.weight, WEIGHT_SAMPLES);
	assert_true(exports_weight(&x, "duration"));
	assert_int_equal(x.opts.weight, WEIGHT_PERIOD);
	assert_true(x.durations);
	assert_true(exports_weight(&x, "period"));
	assert_false(x.durations);
	assert_false(exports_weight(&x, "length"));
}

static void test_min_width(void **state)
{
	static const char *const wrong[] = { "", "1px", "-1", "10001", "nan", "x" };
	struct exports x;

	exports_init(&x);
	assert_true(exports_min_width(&x, "2.5"));
	assert_true(x.opts.min_width == 2.5);
	assert_true(exports_min_width(&x, "0"));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_false(exports_min_width(&x, wrong[i]));
}

/* One format keeps what it needs and nothing else; several keep what any of them needs. */
static void test_dims(void **state)
{
	const struct stacks_dims *d;
	struct exports x;

	exports_init(&x);
	exports_add(&x, export_find("flamegraph"), "a");
	d = exports_dims(&x);
	assert_true(d->cut > 0 && d->cut < 0.1 / 1200);
	assert_false(d->samples);
	x.compare = "before";
	assert_true(exports_dims(&x)->cut == 0);
	x.compare = NULL;
	x.opts.reverse = true;
	assert_true(exports_dims(&x)->reverse);
	exports_add(&x, export_find("gecko"), "b");
	exports_add(&x, export_find("callgrind"), "c");
	d = exports_dims(&x);
	assert_true(d->samples && d->lines && d->comm);
	assert_false(d->reverse);
	assert_true(d->cut == 0);
	assert_false(d->durations);
	exports_weight(&x, "duration");
	assert_true(exports_dims(&x)->durations);
}

static void test_check_new(void **state)
{
	char *dir = tmp_dir(), *there = xasprintf("%s/there", dir);
	struct err err = { 0 };
	struct exports x;

	tree_put(dir, "there", "text");
	exports_init(&x);
	exports_add(&x, export_find("pprof"), "-");
	assert_int_equal(exports_check_new(&x, &err), 0);
	exports_add(&x, export_find("folded"), there);
	assert_int_equal(exports_check_new(&x, &err), -EEXIST);
	assert_string_equal(err.msg, "Output file exists. Use --force to overwrite it.");
	free(there);
	tmp_remove(dir);
}

/* ---- what comes of it ---- */

/* Three samples of a thread, one of another; lost records and a host are told of. */
static void build(struct pb *b)
{
	struct pb_event ev = { .ids = { 7 }, .nr_ids = 1, .name = "one" };
	struct pb_id id = { 10, 10, 0, 7, 0, 0 };
	size_t at;

	ev.attr = (struct perf_event_attr){ .type = 1, .sample_type = ST };
	pb_start(b, false, false, &ev, 1);
	pb_event_desc(b, &ev, 1);
	pb_feature_str(b, 3, "box");
	pb_comm(b, 10, 10, "first", 0, &id);
	for (int i = 0; i < 3; i++)
		pb_sample(b, ST, 0x400100, &id, 10);
	id.pid = id.tid = 20;
	pb_comm(b, 20, 20, "second", 0, &id);
	pb_sample(b, ST, 0x400100, &id, 5);
	at = pb_begin(b, PERF_RECORD_LOST, 0);
	pb_u64(b, 7);
	pb_u64(b, 4);
	pb_end(b, at);
	pb_finish(b);
}

struct run {
	struct pb b;
	char path[64];
	int fd;
	struct recording r;
	struct profile *p;
	struct export_source from;
};

static void run_start(struct run *run, struct exports *x)
{
	struct recording_options source = { 0 };
	struct profile_options o = { .socket = -1, .stacks = exports_dims(x), .workers = 1 };
	struct err err = { 0 };

	build(&run->b);
	source.input = pb_save(run->b.out.buf, run->b.out.len, &run->fd, run->path);
	assert_int_equal(recording_open(&run->r, &source, NULL, &err), 0);
	run->p = profile_new(&o, &run->r);
	if (profile_run(run->p, &err))
		fail_msg("%s", err.msg);
	run->from = (struct export_source){ &run->r.session, run->p };
}

static void run_end(struct run *run)
{
	profile_free(run->p);
	recording_close(&run->r);
	pb_unsave(run->fd);
	pb_release(&run->b);
}

static void test_write(void **state)
{
	char *dir = tmp_dir(), *folded = xasprintf("%s/folded", dir);
	char *picture = xasprintf("%s/picture", dir);
	struct strbuf text = STRBUF_INIT;
	struct err err = { 0 };
	struct exports x;
	struct run run;

	exports_init(&x);
	exports_add(&x, export_find("folded"), folded);
	exports_add(&x, export_find("flamegraph"), picture);
	run_start(&run, &x);
	if (exports_write(&x, &run.from, NULL, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(x.samples, 4);
	assert_int_equal(sysroot_read(NULL, &text, "%s", folded), 0);
	assert_string_equal(strbuf_str(&text), "first;[unknown] 30\nsecond;[unknown] 5\n");
	assert_int_equal(x.one[0].bytes, text.len);
	assert_int_equal(access(picture, R_OK), 0);
	strbuf_release(&text);
	run_end(&run);
	free(folded);
	free(picture);
	tmp_remove(dir);
}

static void test_write_refused(void **state)
{
	struct err err = { 0 };
	struct exports x;
	struct run run;

	exports_init(&x);
	exports_add(&x, export_find("folded"), "/nonexistent/folder/file");
	run_start(&run, &x);
	assert_int_equal(exports_write(&x, &run.from, NULL, &err), -ENOENT);
	exports_weight(&x, "duration");
	assert_int_equal(exports_write(&x, &run.from, NULL, &err), -ENODATA);
	assert_string_equal(err.msg,
			    "Samples of 'one' have no time: for --weight=duration record with -T.");
	run_end(&run);
}

static void test_facts(void **state)
{
	struct stacks_event event = { .samples = 4 };
	struct stacks s = { .events = &event, .nr_events = 1, .no_symbol = 1 };
	struct export_facts f = { .nr = 0 };
	struct export_opts opts = { 0 };
	bool host = false;
	struct exports x;
	struct run run;

	exports_init(&x);
	exports_add(&x, export_find("folded"), "-");
	run_start(&run, &x);
	export_facts_fill(&f, &run.from, &s, &opts);
	assert_string_equal(opts.facts[0].key, "recording");
	assert_string_equal(opts.facts[0].value, run.path);
	for (u32 i = 0; i < opts.nr_facts; i++)
		host |= !strcmp(opts.facts[i].key, "hostname") &&
			!strcmp(opts.facts[i].value, "box");
	assert_true(host);
	assert_int_equal(opts.nr_notes, 2);
	assert_string_equal(opts.notes[0], "4 events were lost while recording");
	assert_string_equal(opts.notes[1], "25.0% of the samples are without symbol");
	export_facts_release(&f);
	run_end(&run);
}

static const char *fact_of(const struct export_opts *opts)
{
	const char *command = export_fact(opts, "command");

	return command ? command : "";
}

/* The command line of the recorder tells what was profiled. */
static void test_command(void **state)
{
	static const struct {
		const char *line[8], *want;
		bool wide;
	} rows[] = {
		{ { "perf", "record", "-ge", "cycles", "./mt", "-a" }, "./mt -a", false },
		{ { "perf", "record", "-a", "-F", "99", "--", "sleep", "1" },
		  "whole system: sleep 1",
		  true },
		{ { "perf", "record", "--all-cpus" }, "whole system", true },
		{ { "perf", "record", "-g", "-p", "77" }, "process 77", false },
		{ { "perf", "record", "--event", "cycles" }, "", false },
	};
	struct stacks s = { .nr_events = 0 };
	struct exports x;
	struct run run;

	exports_init(&x);
	exports_add(&x, export_find("folded"), "-");
	run_start(&run, &x);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct env *env = (struct env *)&run.r.session.file->env, old = *env;
		struct export_facts f = { .nr = 0 };
		struct export_opts opts = { 0 };

		env->cmdline = (char **)rows[i].line;
		for (env->nr_cmdline = 0; env->nr_cmdline < 8 && rows[i].line[env->nr_cmdline];)
			env->nr_cmdline++;
		export_facts_fill(&f, &run.from, &s, &opts);
		assert_string_equal(fact_of(&opts), rows[i].want);
		assert_int_equal(opts.system_wide, rows[i].wide);
		export_facts_release(&f);
		*env = old;
	}
	run_end(&run);
}

static void test_roots_and_runs(void **state)
{
	struct exports x;

	exports_init(&x);
	assert_true(exports_root(&x, "process"));
	assert_int_equal(x.opts.root, STACKS_ROOT_PROCESS);
	assert_false(exports_root(&x, "user"));
	assert_true(exports_root(&x, NULL));
	assert_int_equal(x.opts.root, STACKS_ROOT_USUAL);
	assert_true(exports_add_run(&x, "now", STACKS_NOW));
	assert_true(exports_add_run(&x, "first", STACKS_BEFORE));
	assert_true(exports_add_run(&x, "second", STACKS_BEFORE));
	assert_string_equal(x.compare, "first");
	assert_int_equal(x.nr_more, 2);
	assert_string_equal(x.more[1].path, "second");
	assert_int_equal(x.more[1].side, STACKS_BEFORE);
	while (x.nr_more < EXPORTS_MAX_RUNS)
		assert_true(exports_add_run(&x, "more", STACKS_NOW));
	assert_false(exports_add_run(&x, "too many", STACKS_NOW));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add),
		cmocka_unit_test(test_room_for_all),
		cmocka_unit_test(test_weight),
		cmocka_unit_test(test_min_width),
		cmocka_unit_test(test_dims),
		cmocka_unit_test(test_check_new),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_write_refused),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_roots_and_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
