// SPDX-License-Identifier: GPL-2.0-or-later
/* Test the benchmarks of perf itself: the figures that each gives, what it says of them, and
 * options that make no sense. How long things take is not looked at. */
#include "base/compat.h"
#include "benchown/benchown.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <cmocka.h>

#define MOST_WORDS 8

struct bed {
	struct bench b;
	struct bench_results results;
	const char *argv[MOST_WORDS + 1];
	struct strbuf said;
	struct err err;
};

static void parse(struct bench *b, const struct option *options, const char *const usage[])
{
	struct options_out out = { 0 };

	assert_int_equal(options_parse(b->argc, b->argv, options, usage, 0, &out), 0);
	options_out_release(&out);
}

static void hear(void *ctx, const char *text, size_t len)
{
	strbuf_add(ctx, text, len);
}

/* Run a benchmark with up to MOST_WORDS words, the first of which is its name. */
static int run(struct bed *t, const char *const *words)
{
	const struct benchmark *m;
	int nr = 0;

	*t = (struct bed){ .said = STRBUF_INIT };
	for (; words[nr]; nr++)
		t->argv[nr] = words[nr];
	t->b = (struct bench){ .argc = nr,
			       .argv = t->argv,
			       .given = words,
			       .parse = parse,
			       .write = hear,
			       .write_ctx = &t->said,
			       .results = &t->results,
			       .of = "internals/it" };
	m = bench_find(&bench_internals, words[0], &t->err);
	assert_non_null(m);
	return m->run(&t->b, &t->err);
}

static void end(struct bed *t)
{
	bench_results_release(&t->results);
	strbuf_release(&t->said);
}

#define RUN(t, ...) run(t, (const char *const[]){ __VA_ARGS__, NULL })

static void has_figure(const struct bed *t, const char *name, const char *unit, u64 runs)
{
	const struct bench_figure *f = bench_results_find(&t->results, "internals/it", name);

	assert_non_null(f);
	assert_string_equal(f->unit, unit);
	assert_false(f->more_is_better);
	assert_int_equal(f->values.nr, runs);
	assert_true(isfinite(f->values.mean));
}

static void says(const struct bed *t, const char *text)
{
	if (!strstr(strbuf_str(&t->said), text))
		fail_msg("'%s' is not in: %s", text, strbuf_str(&t->said));
}

static void test_synthesize(void **state)
{
	struct bed t;

	assert_int_equal(RUN(&t, "synthesize", "-i", "3"), 0);
	assert_int_equal(t.results.nr, 2);
	has_figure(&t, "one process", "usecs", 3);
	has_figure(&t, "one process with data", "usecs", 3);
	/* this process has a name and mappings at least */
	assert_null(strstr(strbuf_str(&t.said), "Average num. events: 0"));
	end(&t);
}

/* There is a figure for each number of threads, and none of one process. */
static void test_threads(void **state)
{
	struct bed t;

	assert_int_equal(RUN(&t, "synthesize", "-t", "-m1", "-M2", "-I", "1"), 0);
	assert_int_equal(t.results.nr, 2);
	has_figure(&t, "all processes, 1 threads", "usecs", 1);
	has_figure(&t, "all processes, 2 threads", "usecs", 1);
	says(&t, "  Number of synthesis threads: 2\n");
	end(&t);
}

static void test_inject(void **state)
{
	struct bed t;
	int ret = RUN(&t, "inject-build-id", "-i", "2", "-m", "3", "-n", "4");

	if (ret == -ENOENT) /* there are no libraries here */
		skip();
	assert_int_equal(ret, 0);
	has_figure(&t, "objects with samples", "msecs", 2);
	has_figure(&t, "all objects", "msecs", 2);
	says(&t, "  Average build-id-all injection took: ");
	end(&t);
}

static void test_pmu_scan(void **state)
{
	struct bed t;
	int ret = RUN(&t, "pmu-scan", "-i", "2");

	if (ret) /* a kernel without perf events tells why */
		assert_non_null(strstr(t.err.msg, "/sys/bus/event_source/devices"));
	else
		has_figure(&t, "all PMUs", "usecs", 2);
	end(&t);
}

static void test_refused(void **state)
{
	static const struct {
		const char *words[4], *why;
	} cases[] = {
		{ { "synthesize", "-m0" }, "1 is the least" },
		{ { "synthesize", "-m3", "-M2" }, "--min-threads 3, --max-threads 2" },
		{ { "synthesize", "-M1025" }, "1024 threads are the most" },
		{ { "synthesize", "-i0" }, "1 is the least" },
		{ { "kallsyms-parse", "-i0" }, "must be 1 at least" },
		{ { "inject-build-id", "-i0" }, "must be 1 at least" },
		{ { "inject-build-id", "-m0" }, "must be 1 at least" },
		{ { "inject-build-id", "-n100001" }, "100000" },
		{ { "evlist-open-close", "-n0" }, "must be 1 at least" },
		{ { "evlist-open-close", "-n10001" }, "10000 events are the most" },
		{ { "pmu-scan", "-i0" }, "must be 1 at least" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bed t;

		assert_int_equal(run(&t, cases[i].words), 1);
		if (!strstr(t.err.msg, cases[i].why))
			fail_msg("%s %s: %s", cases[i].words[0], cases[i].words[1], t.err.msg);
		assert_int_equal(t.results.nr, 0);
		assert_int_equal(t.said.len, 0);
		end(&t);
	}
}

/* An event that does not exist is told by its name. */
static void test_no_event(void **state)
{
	struct bed t;

	assert_int_equal(RUN(&t, "evlist-open-close", "-e", "no-such-event", "-i1"), -EINVAL);
	assert_non_null(strstr(t.err.msg, "no-such-event"));
	end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_synthesize), cmocka_unit_test(test_threads),
		cmocka_unit_test(test_inject),     cmocka_unit_test(test_pmu_scan),
		cmocka_unit_test(test_refused),    cmocka_unit_test(test_no_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
