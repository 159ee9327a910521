// SPDX-License-Identifier: GPL-2.0-or-later
/* Check that benchmarks give figures, of the machine and of perf itself, and that figures are
 * compared with those of an earlier run. */
#include "base/compat.h"

#include "base/alloc.h"
#include "bench/bench.h"
#include "suites.h"

#include <math.h>
#include <unistd.h>

/* Run a benchmark, and read the figures that it writes as JSON. */
static int measure(struct bench_results *r, const char *const *argv)
{
	struct err err = { 0 };
	struct test_run run;
	int ret = test_perf(&run, NULL, 0, argv);

	if (ret)
		return ret;
	if (run.status ||
	    bench_results_parse(r, strbuf_str(&run.out), run.out.len, "the figures", &err)) {
		test_say("status %d, %s in: %s", run.status, err.msg, strbuf_str(&run.out));
		ret = TEST_FAIL;
	}
	strbuf_release(&run.out);
	return ret;
}

/* Check a figure of one run. */
static int has_figure(const struct bench_results *r, const char *of, const char *name,
		      const char *unit)
{
	const struct bench_figure *f = bench_results_find(r, of, name);

	TEST_CHECK(f, "%s has no figure '%s'", of, name);
	TEST_CHECK(!strcmp(f->unit, unit), "the unit is %s", f->unit);
	TEST_EQ(f->values.nr, 1);
	TEST_CHECK(isfinite(f->values.mean) && f->values.mean > 0, "%s is %g", name,
		   f->values.mean);
	return TEST_OK;
}

static int test_memcpy(struct test_ctx *ctx __unused)
{
	static const char *const argv[] = { "bench", "--json", "mem", "memcpy", "-f", "default",
					    "-s",    "1KB",    "-l",  "10",     NULL };
	struct bench_results r = { 0 };
	int ret = measure(&r, argv) ?: has_figure(&r, "mem/memcpy", "default: rate", "GB/sec");

	bench_results_release(&r);
	return ret;
}

static int test_own(struct test_ctx *ctx __unused)
{
	static const char *const argv[] = { "bench", "--json", "internals", "synthesize",
					    "-s",    "-i",     "1",         NULL };
	struct bench_results r = { 0 };
	int ret = measure(&r, argv);

	ret = ret ?: has_figure(&r, "internals/synthesize", "one process", "usecs");
	ret = ret ?: has_figure(&r, "internals/synthesize", "one process with data", "usecs");
	bench_results_release(&r);
	return ret;
}

/* Add figures of two runs. */
static void add_runs(struct bench_results *r, const char *name, bool more_is_better, double first,
		     double second)
{
	struct bench_figure *f = bench_results_figure(r, "a/b", name, "unit", more_is_better);

	spread_add(&f->values, first);
	spread_add(&f->values, second);
}

/* A figure that is 20 % larger is worse or better as its kind has it, and one within its error is
 * neither. */
static int test_compare(struct test_ctx *ctx __unused)
{
	static const char *const want[] = {
		"  a/b                      time  ",  " +20.00% (+- 1.19%) unit: worse\n",
		"  a/b                      rate  ",  " +20.00% (+- 1.19%) unit: better\n",
		"  a/b                      noise  ", " +0.50% (+- 1.79%) unit: no difference\n"
	};
	struct bench_results before = { 0 }, now = { 0 };
	struct strbuf out = STRBUF_INIT;
	const char *p;
	double worse = 0;

	add_runs(&before, "time", false, 10, 10.2);
	add_runs(&now, "time", false, 12.12, 12.12);
	add_runs(&before, "rate", true, 10, 10.2);
	add_runs(&now, "rate", true, 12.12, 12.12);
	add_runs(&before, "noise", false, 10, 10.2);
	add_runs(&now, "noise", false, 10, 10.3);
	bench_compare(&before, &now, &out, &worse);
	p = strbuf_str(&out);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const char *at = strstr(p, want[i]);

		TEST_CHECK(at, "'%s' is not at its place in:\n%s", want[i], strbuf_str(&out));
		p = at;
	}
	TEST_CHECK(fabs(worse - 20) < 1e-6, "the worst is %g %%", worse);
	bench_results_release(&before);
	bench_results_release(&now);
	strbuf_release(&out);
	return TEST_OK;
}

/* Run a benchmark with the figures of a slow machine as the earlier run. */
static int compare_with(const char *earlier)
{
	struct test_run run;
	int ret = TEST_PERF(&run, "bench", "--baseline", earlier, "mem", "memcpy", "-f", "default",
			    "-s", "1KB", "-l", "10");
	const char *row, *diff;

	if (ret)
		return ret;
	row = strstr(strbuf_str(&run.out), "\n  mem/memcpy               default: rate  ");
	diff = row ? strchr(row, '+') : NULL;
	if (run.status || !diff || strtod(diff, NULL) < 100 || !strstr(diff, "% GB/sec (one run")) {
		test_say("status %d, and no rate is far above 1e-06 in:\n%s", run.status,
			 strbuf_str(&run.out));
		ret = TEST_FAIL;
	}
	strbuf_release(&run.out);
	return ret;
}

static int test_baseline(struct test_ctx *ctx __unused)
{
	struct bench_results before = { 0 };
	struct strbuf json = STRBUF_INIT;
	char *dir = test_tmpdir(), *path;
	int ret;

	TEST_CHECK(dir, "no temporary folder");
	spread_add(&bench_results_figure(&before, "mem/memcpy", "default: rate", "GB/sec", true)
			    ->values,
		   1e-6);
	bench_results_json(&before, &json);
	path = xasprintf("%s/earlier", dir);
	ret = test_put_file(path, strbuf_str(&json)) ?: compare_with(path);
	free(path);
	bench_results_release(&before);
	strbuf_release(&json);
	test_rmdir(dir);
	return ret;
}

static const struct test_case cases[] = {
	{ "copying memory gives a rate", test_memcpy },
	{ "perf itself gives times", test_own },
	{ "differences count when they are beyond their errors", test_compare },
	{ "--baseline tells the difference to an earlier run", test_baseline },
};
TEST_SUITE(suite_benches, "Benchmarks", cases, "bench benchown");
