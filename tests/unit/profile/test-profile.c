// SPDX-License-Identifier: GPL-2.0-or-later
/* Test profiles of built recordings: rows by options, what is left out, what is refused and why. */
#include "base/compat.h"
#include "pdata-build.h"
#include "profile/profile.h"
#include "report/report.h"

#include <errno.h>
#include <setjmp.h>
#include <cmocka.h>

#define ST PB_TWO_SAMPLE_TYPE
#define SECOND 1000000000ULL

/* Ten samples of "first", five of "second" on CPU 1, one of the other event in their middle. */
static void build(struct pb *b, u64 sample_type, bool pipe)
{
	struct pb_id id = { 21, 21, 500, 7, 0, 0 };

	pb_start_two(b, sample_type, pipe, "one", "two");
	pb_mmap2(b, 10, 0x400000, 0x2000, "/nowhere/prog", sample_type, &id);
	for (u64 i = 0; i < 15; i++) {
		bool first = i < 10;

		id = (struct pb_id){ first ? 10 : 21, first ? 11 : 21, SECOND + i, 7, 0, !first };
		pb_sample(b, sample_type, 0x400100 + i, &id, 10);
		if (i == 7) {
			id.id = 8;
			pb_sample(b, sample_type, 0x400200, &id, 10);
		}
	}
	pb_finish(b);
}

struct asked {
	struct recording_options source;
	struct profile_options o;
};

#define BY_COMM .o = { .sort = "comm", .socket = -1, .fixed_widths = true

/* Columns are as wide as they need be: without the blanks rows are easier to compare. */
static int take_text(void *ctx, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != ' ')
			strbuf_addch(ctx, text[i]);
	return 0;
}

static void take_notice(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

struct outcome {
	int ret;
	enum profile_fault fault;
	struct err err;
	struct strbuf rows, notices; /* rows of the first event, columns with commas between */
	bool samples, gaps;
	u32 nr_known;
	u64 total;
};

static void release(struct outcome *o)
{
	strbuf_release(&o->rows);
	strbuf_release(&o->notices);
}

static int run_it(struct profile *p, struct recording *r, struct err *err)
{
	int ret = profile_take_threads(p, err) ?: profile_take_levels(p, err);

	ret = ret ?: profile_take_cpus(p, err);
	if (!ret && !recording_is_stream(r))
		ret = recording_bind_switch(r, err);
	return ret ?: profile_run(p, err);
}

static struct outcome run_of(const struct asked *asked, u64 sample_type, bool pipe)
{
	const struct report_conf conf = { .sep = ",", .quiet = true };
	struct outcome out = { .rows = STRBUF_INIT, .notices = STRBUF_INIT };
	struct notices notices = { take_notice, &out.notices };
	struct recording_options source = asked->source;
	struct recording r;
	struct profile *p;
	char path[64];
	struct pb b;
	int fd;

	build(&b, sample_type, pipe);
	source.input = pb_save(b.out.buf, b.out.len, &fd, path);
	source.buildid_dir = "";
	assert_int_equal(recording_open(&r, &source, &notices, &out.err), 0);
	p = profile_new(&asked->o, &r);
	out.ret = run_it(p, &r, &out.err);
	out.fault = profile_fault(p);
	out.samples = !out.ret && profile_has_samples(p);
	out.gaps = profile_has_gaps(p);
	profile_known(p, &out.nr_known);
	if (out.samples) {
		out.total = hist_event(profile_hist(p), 0)->nr;
		hist_chains(profile_hist(p), 0, 0);
		report_rows(profile_hist(p), &conf, 0, take_text, &out.rows);
	}
	profile_free(p);
	recording_close(&r);
	pb_unsave(fd);
	pb_release(&b);
	return out;
}

static void test_rows(void **state){ static const struct { struct asked asked;
const char *rows;
u64 total; /* samples of the first event, those of no row included */
bool gaps;
}
table[] = { { { BY_COMM } }, "66.67%,first\n33.33%,second\n", 15, false },
	{ { BY_COMM, .pids = "21" } }, "33.33%,second\n", 15, true
}
, { { BY_COMM, .tids = "11" } }, "66.67%,first\n", 15, true
}
, { { BY_COMM, .cpus = "1" } }, "100.00%,second\n", 5, false
}
, { { BY_COMM, .comms = "second,other" } }, "33.33%,second\n", 15, true
}
, { { .source.time = "1.000000010,2", BY_COMM } }, "100.00%,second\n", 5, false
}
, { { .source.on_off.on = "two", BY_COMM } }, "71.43%,second\n28.57%,first\n", 7, true
}
, { { BY_COMM, .nr_samples = true } }, "66.67%,10,first\n33.33%,5,second\n", 15, false
}
, { { .o = { .sort = "cpu", .socket = -1 } }, "66.67%,000\n33.33%,001\n", 15, false },
	{ { .o = { .sort = "pid,dso", .socket = -1 } },
	  "66.67%,11:first,prog\n33.33%,21:second,[unknown]\n",
	  15,
	  false },
}
;

for (size_t i = 0; i < 2 * ARRAY_SIZE(table); i++) {
	bool pipe = i & 1;
	struct outcome o = run_of(&table[i / 2].asked, ST, pipe);

	if (o.ret || strcmp(strbuf_str(&o.rows), table[i / 2].rows) ||
	    o.total != table[i / 2].total || o.gaps != table[i / 2].gaps)
		fail_msg("row %zu, pipe %d: %d %s, %" PRIu64 " samples, gaps %d:\n%s", i / 2, pipe,
			 o.ret, o.err.msg, o.total, o.gaps, strbuf_str(&o.rows));
	assert_int_equal(o.notices.len, 0);
	release(&o);
}
}

/* One name that passes is told above the rows, and its column is not shown. */
static void test_known(void **state)
{
	static const struct asked asked = {
		.o = { .sort = "comm,cpu", .comms = "first", .socket = -1 }
	};
	struct outcome o = run_of(&asked, ST, false);

	assert_string_equal(strbuf_str(&o.rows), "66.67%,000\n");
	assert_int_equal(o.nr_known, 1);
	release(&o);
}

/* The result does not depend on the number of workers. */
static void test_workers(void **state)
{
	for (int workers = 1; workers < 4; workers++) {
		const struct asked asked = {
			.o = { .sort = "comm", .socket = -1, .workers = workers }
		};
		struct outcome o = run_of(&asked, ST, false);

		assert_string_equal(strbuf_str(&o.rows), "66.67%,first\n33.33%,second\n");
		release(&o);
	}
}

static void test_refused(void **state){ static const struct { struct asked asked;
enum profile_fault file, pipe; /* the cause */
const char *sentence;
}
table[] = { { { .o = { .sort = "comm,nothing", .socket = -1 } },
	      PROFILE_FAULT_KEYS,
	      PROFILE_FAULT_KEYS,
	      "nothing" },
	    { { .o = { .fields = "nothing", .socket = -1 } },
	      PROFILE_FAULT_KEYS,
	      PROFILE_FAULT_KEYS,
	      "nothing" },
	    { { .source.time = "x", BY_COMM } },
	    PROFILE_FAULT_TIME,
	    PROFILE_FAULT_TIME,
	    "Invalid time string" },
	{ { .source.on_off.off = "x", BY_COMM } }, PROFILE_FAULT_OTHER, PROFILE_FAULT_SWITCH,
	"switch-off event not found (x)"
}
, { { BY_COMM, .tids = "x" } }, PROFILE_FAULT_OTHER, PROFILE_FAULT_OTHER, "'x' is no list of tids"
}
, { { BY_COMM, .levels = "x" } }, PROFILE_FAULT_OTHER, PROFILE_FAULT_OTHER,
	"invalid list of parallelism levels 'x'"
}
, { { BY_COMM, .cpus = "x" } }, PROFILE_FAULT_OTHER, PROFILE_FAULT_OTHER, "Invalid cpu_list 'x'"
}
, { { BY_COMM, .branches = true, .branches_set = true } }, PROFILE_FAULT_OTHER, PROFILE_FAULT_OTHER,
	"Selected -b but no branch data"
}
, { { BY_COMM, .mem = true } }, PROFILE_FAULT_OTHER, PROFILE_FAULT_OTHER,
	"Selected --mem-mode but no mem data"
}
,
	{ { .o = { .sort = "parallelism", .socket = -1 } },
	  PROFILE_FAULT_OTHER,
	  PROFILE_FAULT_OTHER,
	  "How many threads ran at a time is not in this file" },
}
;

for (size_t i = 0; i < 2 * ARRAY_SIZE(table); i++) {
	bool pipe = i & 1;
	struct outcome o = run_of(&table[i / 2].asked, ST, pipe);

	if (!o.ret || o.fault != (pipe ? table[i / 2].pipe : table[i / 2].file) ||
	    !strstr(o.err.msg, table[i / 2].sentence))
		fail_msg("row %zu, pipe %d: %d, fault %d, %s", i / 2, pipe, o.ret, o.fault,
			 o.err.msg);
	release(&o);
}
}

/* -C needs samples that tell their CPU: a notice says so. */
static void test_no_cpus(void **state){ static const struct asked asked = { BY_COMM,
									    .cpus = "1" } };
struct outcome o = run_of(&asked, ST & ~PERF_SAMPLE_CPU, false);

assert_int_equal(o.ret, -EINVAL);
assert_string_equal(o.err.msg, "failed to set cpu bitmap");
assert_string_equal(strbuf_str(&o.notices),
		    "File does not contain CPU events. Remove -C option to proceed.\n");
release(&o);
}

/* Commands ask before the run whether there are such keys, and whether samples have what they
 * need. */
static void test_checks(void **state)
{
	static const struct {
		struct profile_options o;
		int keys, samples;
		const char *sentence;
	} table[] = {
		{ { .sort = "comm", .socket = -1 }, 0, 0, "" },
		{ { .sort = "comm,nothing" }, -EINVAL, 0, "nothing" },
		{ { .sort = "+" }, -EINVAL, 0, "Invalid --sort key: `+'" },
		{ { .sort = "parent" }, 0, -EINVAL, "no callchain data" },
		{ { .graph_asked = true }, 0, -EINVAL, "Selected -g or --branch-history" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct recording_options source = { .buildid_dir = "" };
		int keys, samples = 0, fd;
		struct err err = { 0 };
		struct recording r;
		struct profile *p;
		char path[64];
		struct pb b;

		build(&b, ST, false);
		source.input = pb_save(b.out.buf, b.out.len, &fd, path);
		assert_int_equal(recording_open(&r, &source, NULL, &err), 0);
		p = profile_new(&table[i].o, &r);
		keys = profile_check_keys(p, true, &err);
		if (!keys)
			samples = profile_check_samples(p, &err);
		if (keys != table[i].keys || samples != table[i].samples ||
		    !strstr(err.msg, table[i].sentence))
			fail_msg("row %zu: %d, %d, %s", i, keys, samples, err.msg);
		profile_free(p);
		recording_close(&r);
		pb_unsave(fd);
		pb_release(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),    cmocka_unit_test(test_known),
		cmocka_unit_test(test_workers), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_cpus), cmocka_unit_test(test_checks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
