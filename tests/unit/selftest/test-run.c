// SPDX-License-Identifier: GPL-2.0-or-later
/* Test runs of suites that are made up: which are chosen, what is told, how a case may die. */
#include "base/compat.h"
#include "selftest/selftest.h"

#include <signal.h>
#include <unistd.h>

#include <setjmp.h>
#include <cmocka.h>

static int good(struct test_ctx *ctx)
{
	puts("nobody reads this"); /* a child's output is discarded */
	return TEST_OK;
}

static int bad(struct test_ctx *ctx)
{
	return TEST_FAIL;
}

static int skips(struct test_ctx *ctx)
{
	snprintf(ctx->reason, sizeof(ctx->reason), "no time");
	return TEST_SKIP;
}

static int dies(struct test_ctx *ctx)
{
	raise(SIGKILL);
	return TEST_OK;
}

static int hangs(struct test_ctx *ctx)
{
	pause();
	return TEST_OK;
}

static const struct test_case one[] = { { "only", good } };
static const struct test_case two[] = { { "fails", bad }, { "skips", skips } };
static const struct test_case last[] = { { "dies", dies }, { "hangs", hangs } };
static const struct test_suite alpha = { "Alpha", one, 1 }, beta = { "Beta", two, 2 },
			       gamma_ = { "Gamma", last, 2 };
static const struct test_suite *const suites[] = { &alpha, &beta, &gamma_ };

static void take(void *ctx, const char *text)
{
	strbuf_addstr(ctx, text);
}

struct world {
	struct strbuf told;
	struct notices out;
	struct selftest t;
	struct selftest_results all;
};

static void start(struct world *w, const char *const *words, size_t nr)
{
	*w = (struct world){ .told = STRBUF_INIT };
	w->out = (struct notices){ take, &w->told };
	w->t = (struct selftest){ .suites = suites,
				  .nr_suites = ARRAY_SIZE(suites),
				  .words = words,
				  .nr_words = nr,
				  .seconds = 1,
				  .out = &w->out };
}

static void stop(struct world *w)
{
	selftest_results_release(&w->all);
	strbuf_release(&w->told);
}

static void tells(struct world *w, const char *want)
{
	struct err err = { 0 };

	assert_int_equal(selftest_run(&w->t, &w->all, &err), 0);
	assert_string_equal(strbuf_str(&w->told), want);
}

static void test_run(void **state)
{
	static const char *const words[] = { "1", "BET" };
	struct world w;

	start(&w, words, 2);
	tells(&w, "  1: Alpha: Ok\n"
		  "  2: Beta :\n"
		  "  2.1: fails: FAILED!\n"
		  "  2.2: skips: Skip (no time)\n");
	assert_int_equal(w.all.nr, 3);
	assert_int_equal(w.all.failed, 1);
	assert_string_equal(w.all.v[0].name, "Alpha");
	assert_string_equal(w.all.v[2].suite, "Beta");
	assert_string_equal(w.all.v[2].reason, "no time");
	stop(&w);
}

static void test_death(void **state)
{
	static const char *const words[] = { "hang" }; /* the name of a case chooses its suite */
	struct world w;

	start(&w, words, 1);
	w.t.color = true;
	tells(&w, "  3: Gamma:\n"
		  "  3.1: dies :\033[31m FAILED! (ended by signal 9)\033[m\n"
		  "  3.2: hangs:\033[31m FAILED! (no end after 1 s)\033[m\n");
	assert_int_equal(w.all.failed, 2);
	stop(&w);
}

static void test_skip(void **state)
{
	struct world w;

	start(&w, NULL, 0);
	w.t.skip = "1,,gamma";
	w.t.here = true;
	tells(&w, "  1: Alpha: Skip (user override)\n"
		  "  2: Beta :\n"
		  "  2.1: fails: FAILED!\n"
		  "  2.2: skips: Skip (no time)\n"
		  "  3: Gamma: Skip (user override)\n");
	stop(&w);
}

static void test_verbose(void **state)
{
	static const char *const words[] = { "2" };
	struct world w;

	start(&w, words, 1);
	w.t.verbose = w.t.here = true;
	tells(&w, "  2: Beta :\n"
		  "  2.1: fails:\n--- start ---\n---- end ----\nBeta subtest 1: FAILED!\n"
		  "  2.2: skips:\n--- start ---\n---- end ----\nBeta subtest 2: Skip (no time)\n");
	stop(&w);
	start(&w, words, 1);
	w.t.verbose = true;
	selftest_run(&w.t, &w.all, NULL);
	assert_non_null(strstr(strbuf_str(&w.told), "test child forked, pid "));
	assert_non_null(strstr(strbuf_str(&w.told), "test child finished with -1\n"));
	assert_non_null(strstr(strbuf_str(&w.told), "test child finished with -2\n"));
	stop(&w);
}

static void test_list(void **state)
{
	static const char *const words[] = { "alpha", "2" };
	struct world w;

	start(&w, words, 2);
	selftest_list(&w.t, &w.told);
	assert_string_equal(strbuf_str(&w.told), "  1: Alpha\n  2: Beta\n  2:1: fails\n"
						 "  2:2: skips\n");
	stop(&w);
}

static void test_junit(void **state)
{
	static const char *const words[] = { "beta" };
	struct world w;

	start(&w, words, 1);
	selftest_run(&w.t, &w.all, NULL);
	strbuf_reset(&w.told);
	selftest_junit(&w.all, &w.told);
	assert_non_null(strstr(strbuf_str(&w.told), "tests=\"2\""));
	assert_non_null(strstr(strbuf_str(&w.told), "failures=\"1\""));
	assert_non_null(strstr(strbuf_str(&w.told), "classname=\"Beta\""));
	stop(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),  cmocka_unit_test(test_death),
		cmocka_unit_test(test_skip), cmocka_unit_test(test_verbose),
		cmocka_unit_test(test_list), cmocka_unit_test(test_junit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
