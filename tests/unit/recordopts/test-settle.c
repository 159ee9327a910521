// SPDX-License-Identifier: GPL-2.0-or-later
/* Test options together: what follows from what, what is refused, and what the user is told. */
#include "base/compat.h"
#include "recordopts/settle.h"
#include "tmp-tree.h"

#include "base/alloc.h"
#include "base/strbuf.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

struct bench {
	struct record_opts o;
	struct record_given given;
	struct sysroot sysroot;
	struct evlist evlist, triggers;
	struct notices notices;
	struct strbuf told;
	struct record_settling s;
	struct err err;
};

static void listen_to(void *ctx, const char *text)
{
	struct bench *b = ctx;

	strbuf_addstr(&b->told, text);
}

static void forget(struct bench *b)
{
	evlist_release(&b->evlist);
	evlist_release(&b->triggers);
	strbuf_release(&b->told);
}

/* Set everything as it is before any option. */
static void reset(struct bench *b)
{
	const char *prefix = b->sysroot.prefix;

	forget(b);
	*b = (struct bench){ .o = { .output = "out", .sample.freq = 4000 },
			     .sysroot.prefix = prefix,
			     .notices = { listen_to, b },
			     .s = { .opts = &b->o,
				    .given = &b->given,
				    .sysroot = &b->sysroot,
				    .evlist = &b->evlist,
				    .triggers = &b->triggers,
				    .always = &b->notices,
				    .info = &b->notices,
				    .detail = &b->notices } };
}

static int begin(void **state)
{
	struct bench *b = xzalloc(sizeof(*b));

	b->sysroot.prefix = tmp_dir();
	tree_put(b->sysroot.prefix, "proc/sys/kernel/perf_event_max_sample_rate", "10000\n");
	reset(b);
	*state = b;
	return 0;
}

static int end(void **state)
{
	struct bench *b = *state;

	forget(b);
	tmp_remove((char *)b->sysroot.prefix);
	free(b);
	return 0;
}

/* Check that these options are refused, then reset all options. */
static void refused(struct bench *b, const char *why, const char *option)
{
	int rc = record_settle(&b->s, &b->err);

	if (!rc)
		rc = record_settle_events(&b->s, &b->err);
	assert_int_equal(rc, -EINVAL);
	assert_string_equal(b->err.msg, why);
	if (option)
		assert_string_equal(b->s.option, option);
	else
		assert_null(b->s.option);
	reset(b);
}

static void settled(struct bench *b, const char *told)
{
	assert_int_equal(record_settle(&b->s, &b->err), 0);
	assert_int_equal(record_settle_events(&b->s, &b->err), 0);
	assert_string_equal(strbuf_str(&b->told), told);
}

static void test_refused(void **state)
{
	struct bench *b = *state;

	b->o.sample.latency = b->o.sample.system_wide = true;
	refused(b, "--latency is about the threads of a program: give a command, -p, -t or -u",
		NULL);
	b->o.vmlinux = "/nonexistent";
	refused(b, "Invalid file: /nonexistent: No such file or directory", NULL);
	b->o.output = "-";
	b->o.kcore = true;
	refused(b, "--kcore needs a file: a pipe has no room for it", NULL);
	b->o.output = "-";
	b->given.switch_arg = "signal";
	refused(b, "--switch-output needs a file: a pipe cannot be switched", "switch-output");
	b->given.switch_arg = "often";
	refused(b,
		"invalid threshold 'often': give signal, a size (B, K, M, G) or a time (s, m, h, d)",
		"switch-output");
	b->o.ring.budget = 101;
	refused(b, "--sample-budget: at most 100 percent", NULL);
	b->o.ring.synth_threads = 1025;
	refused(b, "--num-thread-synthesize: at most 1024", NULL);
	b->given.snapshot_set = true;
	refused(b, "No AUX area tracing to snapshot", NULL);
	b->given.aux_sample_set = true;
	refused(b, "No AUX area event to sample", NULL);
}

static void test_threads(void **state)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	struct bench *b = *state;

	b->o.ring.threads = "cpu";
	b->o.output = "-";
	refused(b, "Parallel trace streaming is not available in pipe mode.", NULL);
	b->o.ring.threads = "cpu";
	b->o.overwrite = true;
	refused(b, "--overwrite option is mutually exclusive to parallel streaming mode.", NULL);
	b->o.ring.threads = "cpu";
	b->given.switch_arg = "nonsense";
	evlist_add(&b->triggers, &attr, "trigger");
	settled(b,
		"WARNING: --switch-output option is not available in parallel streaming mode.\n");
	assert_false(b->o.switching.enabled);
	assert_int_equal(b->triggers.nr, 0);
	assert_null(b->given.switch_arg);
}

static void test_rate(void **state)
{
	struct bench *b = *state;

	b->o.sample.freq_set = b->o.sample.count_set = true;
	b->o.sample.count = 7;
	refused(b, "cannot set frequency and period at the same time", NULL);
	b->o.sample.freq_set = true;
	b->o.sample.freq = 0;
	refused(b, "frequency and count are zero, aborting", NULL);
	b->o.sample.freq = 10001;
	b->given.strict_freq = true;
	refused(b,
		"error: Maximum frequency rate (10000 Hz) exceeded.\n"
		"       Please use -F freq option with a lower value or consider\n"
		"       tweaking /proc/sys/kernel/perf_event_max_sample_rate.",
		NULL);
	/* a frequency that nobody asked for is lowered without a word */
	b->o.sample.freq = 10001;
	settled(b, "");
	assert_int_equal(b->o.sample.freq, 10000);
	reset(b);
	b->o.sample.freq = 20000;
	b->o.sample.freq_set = true;
	assert_int_equal(record_settle_events(&b->s, &b->err), 0);
	assert_non_null(strstr(strbuf_str(&b->told), "throttling from 20000 Hz to 10000 Hz.\n"));
	/* a period is no frequency */
	reset(b);
	b->o.sample.freq = 20000;
	b->o.sample.count_set = true;
	b->o.sample.count = 7;
	settled(b, "");
	assert_int_equal(b->o.sample.freq, 20000);
}

static void test_output(void **state)
{
	struct bench *b = *state;

	b->given.switch_arg = "10M";
	b->s.controlled = true;
	settled(b, "");
	assert_true(b->o.switching.enabled && b->o.timestamp_filename);
	assert_int_equal(b->o.switching.size, 10 << 20);
	assert_true(b->o.sample.own_side_band);
	/* nobody asked for build-ids, which take time at each switch */
	assert_true(b->o.no_buildid && b->o.no_buildid_cache);

	reset(b);
	b->given.switch_arg = "10M";
	b->given.no_buildid_set = true;
	settled(b, "");
	assert_false(b->o.no_buildid || b->o.no_buildid_cache);

	reset(b);
	b->o.output = "-";
	b->o.timestamp_filename = true;
	settled(b, "Warning:\n--timestamp-filename needs a file: ignored\n");
	assert_true(b->o.sample.stream);
	assert_false(b->o.timestamp_filename);

	reset(b);
	b->o.buildid_mmap = true;
	settled(b, "Enabling build id in mmap2 events.\n");
	assert_true(b->o.sample.build_ids && b->o.no_buildid);
}

static void test_pages(void **state)
{
	struct bench *b = *state;

	b->o.ring.pages = (size_t)(1 << 20) / (size_t)sysconf(_SC_PAGESIZE);
	b->given.pages_rounded = b->given.aux_pages = true;
	assert_int_equal(record_settle(&b->s, &b->err), 0);
	assert_non_null(strstr(strbuf_str(&b->told), "rounding mmap pages size to 1M ("));
	assert_non_null(strstr(strbuf_str(&b->told), "-m: no event here has an AUX area"));
}

static void test_events(void **state)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	struct bench *b = *state;
	struct evsel *e;

	/* the default event, and that of sleeps */
	b->o.off_cpu = true;
	settled(b, "");
	assert_int_equal(b->evlist.nr, 2);
	assert_string_equal(b->evlist.evsels[1]->name, "offcpu-time");
	assert_ptr_equal(offcpu_event(&b->evlist), b->evlist.evsels[1]);
	assert_true(b->o.sample.identifier);

	/* what filters look at is recorded */
	reset(b);
	e = evlist_add(&b->evlist, &attr, "cs");
	e->sample_filter = xstrdup("addr > 5");
	settled(b, "");
	assert_int_equal(b->evlist.nr, 1);
	assert_true(e->attr.sample_type & PERF_SAMPLE_ADDR);
	assert_false(b->o.sample.identifier);

	reset(b);
	evlist_add(&b->evlist, &attr, "num_cpus")->tool = TOOL_NUM_CPUS;
	settled(b, "There are no samples of num_cpus: perf stat shows the value.\n");
	reset(b);
	evlist_add(&b->evlist, &attr, "cs")->terms.aux_sample_size = 1;
	refused(b, "No AUX area event to sample", NULL);
}

/* --wall: two events, stacks and switches; not for whole systems, pipes or those without rights. */
static void test_wall(void **state)
{
	const struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr) };
	struct bench *b = *state;
	const struct evsel *e;

	tree_put(b->sysroot.prefix, "proc/sys/kernel/perf_event_paranoid", "1\n");
	b->o.wall = true;
	b->o.min_block = 250;
	settled(b, "");
	assert_int_equal(b->evlist.nr, 2);
	assert_string_equal(b->evlist.evsels[0]->name, EVENT_WALL_CLOCK);
	e = b->evlist.evsels[1];
	assert_string_equal(e->name, EVENT_WALL_BLOCKED);
	assert_int_equal(e->attr.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(e->attr.config2, 250);
	assert_true(b->o.sample.switches && b->o.sample.time && b->o.sample.period);
	assert_int_equal(b->o.sample.callgraph, CALLGRAPH_FP);

	reset(b);
	b->o.wall = true;
	evlist_add(&b->evlist, &attr, "cs");
	refused(b, "--wall has events of its own: leave out -e and --filter", "wall");
	b->o.wall = b->o.sample.system_wide = true;
	refused(b, "--wall is about the threads of a program: give a command, -p, -t or -u", NULL);
	b->o.wall = true;
	b->o.output = "-";
	refused(b, "--wall needs a file: a pipe does not tell in time when a thread comes back",
		NULL);
	b->o.wall = b->o.sample.all_user = true;
	refused(b, "--wall needs the kernel's part: threads wait in the kernel", NULL);
}

static void test_callgraph(void **state)
{
	const struct perf_event_attr attr = { .exclude_user = 1, .size = sizeof(attr) };
	struct bench *b = *state;

	b->o.sample.callgraph = CALLGRAPH_LBR;
	b->o.sample.branches = PERF_SAMPLE_BRANCH_ANY;
	settled(b, "Cannot use LBR callstack with branch stack. Falling back to framepointers.\n");
	reset(b);
	b->o.sample.callgraph = CALLGRAPH_LBR;
	evlist_add(&b->evlist, &attr, "cycles:k");
	settled(b, "LBR callstack option is only available to get user callchain information. "
		   "Falling back to framepointers.\n");
}

static void test_target(void **state)
{
	const struct perf_event_attr attr = { .size = sizeof(attr) };
	struct bench *b = *state;

	b->given.time_set = b->given.period_set = true;
	b->o.sample.period = true;
	assert_int_equal(record_settle_target(&b->s), 0);
	assert_true(b->o.sample.no_time);
	assert_false(b->o.sample.no_period);
	evlist_add(&b->evlist, &attr, "cs")->cgroup = xstrdup("group");
	b->o.target.pids = "1";
	assert_int_equal(record_settle_target(&b->s), -EINVAL);
	b->o.target = (struct target){ .all_cpus = true };
	assert_int_equal(record_settle_target(&b->s), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_refused, begin, end),
		cmocka_unit_test_setup_teardown(test_threads, begin, end),
		cmocka_unit_test_setup_teardown(test_rate, begin, end),
		cmocka_unit_test_setup_teardown(test_output, begin, end),
		cmocka_unit_test_setup_teardown(test_pages, begin, end),
		cmocka_unit_test_setup_teardown(test_events, begin, end),
		cmocka_unit_test_setup_teardown(test_wall, begin, end),
		cmocka_unit_test_setup_teardown(test_callgraph, begin, end),
		cmocka_unit_test_setup_teardown(test_target, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
