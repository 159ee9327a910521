// SPDX-License-Identifier: GPL-2.0-or-later
/* Test runs of suites that are made up: which are chosen, what is told, how a case may die. */
#include "base/compat.h"
#include "selftest/scripts.h"
#include "selftest/selftest.h"
#include "tmp-tree.h"

#include <signal.h>
#include <sys/stat.h>
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
static const struct test_suite alpha = { "Alpha", one, 1 }, beta = { "Beta", two, 2, "north east" },
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

/* Two cases wait for each other, which only works when they run at the same time. */
static int ends[2];

static int writes(struct test_ctx *ctx)
{
	puts("the one who writes");
	return write(ends[1], "x", 1) == 1 ? TEST_OK : TEST_FAIL;
}

static int reads(struct test_ctx *ctx)
{
	char c;

	puts("the one who reads");
	return read(ends[0], &c, 1) == 1 ? TEST_OK : TEST_FAIL;
}

static void test_at_once(void **state)
{
	static const struct test_case pair[] = { { "reads", reads }, { "writes", writes } };
	static const struct test_suite delta = { "Delta", pair, 2 };
	static const struct test_suite *const both[] = { &delta, &alpha };
	const char *first, *second;
	struct world w;

	assert_int_equal(pipe(ends), 0);
	start(&w, NULL, 0);
	w.t.suites = both;
	w.t.nr_suites = 2;
	w.t.at_once = 2;
	w.t.seconds = 60;
	tells(&w, "  1: Delta :\n"
		  "  1.1: reads : Ok\n"
		  "  1.2: writes: Ok\n"
		  "  2: Alpha : Ok\n");
	stop(&w);
	start(&w, NULL, 0);
	w.t.suites = both;
	w.t.nr_suites = 1;
	w.t.at_once = 2;
	w.t.verbose = 1;
	selftest_run(&w.t, &w.all, NULL);
	first = strstr(strbuf_str(&w.told), "the one who reads");
	second = strstr(strbuf_str(&w.told), "the one who writes");
	assert_true(first && second && first < second);
	stop(&w);
	close(ends[0]);
	close(ends[1]);
}

static void put_script(const char *dir, const char *name, const char *text, mode_t mode)
{
	char path[256];

	tree_put(dir, name, text);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	assert_int_equal(chmod(path, mode), 0);
}

static void test_scripts(void **state)
{
	char *dir = tmp_dir();
	struct test_suites s;
	struct world w;

	put_script(dir, "b.sh", "#!/bin/sh\n# SPDX-License-Identifier: GPL-2.0\n# it works\n",
		   0755);
	put_script(dir, "c.sh", "#!/bin/sh\nexit 2\n", 0755);
	put_script(dir, "a.sh", "#!/bin/sh\n#\n## odd \033[m\nexit 7\n", 0755);
	put_script(dir, "d.sh", "#!/bin/sh\n# nobody may run it\n", 0644);
	put_script(dir, "e.txt", "#!/bin/sh\n# it is no script\n", 0755);
	test_suites_init(&s, suites, 1, dir);
	assert_int_equal(s.nr, 4);
	start(&w, NULL, 0);
	w.t.suites = s.v;
	w.t.nr_suites = s.nr;
	w.t.seconds = 60;
	tells(&w, "  1: Alpha   : Ok\n"
		  "  2: odd ?[m : FAILED!\n"
		  "  3: it works: Ok\n"
		  "  4: c.sh    : Skip\n");
	stop(&w);
	start(&w, NULL, 0);
	w.t.suites = s.v + 2;
	w.t.nr_suites = 1;
	w.t.here = true;
	tells(&w, "  1: it works: Skip (a script needs a process)\n");
	stop(&w);
	test_suites_release(&s);
	test_suites_init(&s, suites, 1, "/nonexistent");
	assert_int_equal(s.nr, 1);
	test_suites_release(&s);
	tmp_remove(dir);
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

/* Suites are also found by the whole names of the rooms they check. */
static void test_rooms(void **state)
{
	static const char *const words[] = { "EAST" }, *const part[] = { "eas" };
	struct world w;

	start(&w, words, 1);
	w.t.verbose = 1;
	selftest_list(&w.t, &w.told);
	assert_string_equal(strbuf_str(&w.told), "  2: Beta: north east\n  2:1: fails\n"
						 "  2:2: skips\n");
	strbuf_reset(&w.told);
	w.t.words = part;
	selftest_list(&w.t, &w.told);
	assert_string_equal(strbuf_str(&w.told), "");
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
		cmocka_unit_test(test_run),     cmocka_unit_test(test_death),
		cmocka_unit_test(test_skip),    cmocka_unit_test(test_verbose),
		cmocka_unit_test(test_list),    cmocka_unit_test(test_rooms),
		cmocka_unit_test(test_junit),   cmocka_unit_test(test_at_once),
		cmocka_unit_test(test_scripts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
