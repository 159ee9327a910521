// SPDX-License-Identifier: GPL-2.0-or-later
/* Test figures of benchmarks: means and errors, JSON and back, comparisons. */
#include "base/compat.h"

#include "bench/bench.h"
#include "bench/numa-internal.h"
#include "bench/team.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>
#include <cmocka.h>

static void add(struct bench_results *r, const char *name, bool more, size_t nr, const double *v)
{
	struct bench_figure *f = bench_results_figure(r, "sched/pipe", name, "usecs", more);
	size_t i;

	for (i = 0; i < nr; i++)
		spread_add(&f->values, v[i]);
}

static const double low[] = { 10, 10.1, 9.9, 10.05, 9.95 }, high[] = { 20, 20.1, 19.9 };

static void test_text(void **state)
{
	struct bench_results r = { 0 };
	struct strbuf text = STRBUF_INIT;

	add(&r, "one", false, 1, low);
	add(&r, "some", false, 3, high);
	bench_results_text(&r, "sched/pipe", &text);
	assert_string_equal(strbuf_str(&text), "# 3 runs: some 20 usecs (+- 0.29%)\n");
	strbuf_reset(&text);
	bench_results_text(&r, "sched/other", &text);
	assert_string_equal(strbuf_str(&text), "");
	strbuf_release(&text);
	bench_results_release(&r);
}

static void test_json(void **state)
{
	struct bench_results r = { 0 }, back = { 0 };
	struct strbuf text = STRBUF_INIT, again = STRBUF_INIT;
	struct err err = { 0 };

	add(&r, "a \"figure\"\n", true, 5, low);
	add(&r, "other", false, 1, high);
	bench_results_json(&r, &text);
	assert_int_equal(bench_results_parse(&back, strbuf_str(&text), text.len, "file", &err), 0);
	assert_int_equal(back.nr, 2);
	assert_string_equal(back.v[0].name, "a \"figure\"\n");
	assert_true(back.v[0].more_is_better);
	assert_false(back.v[1].more_is_better);
	assert_int_equal(back.v[0].values.nr, 5);
	bench_results_json(&back, &again);
	assert_string_equal(strbuf_str(&again), strbuf_str(&text));
	strbuf_release(&text);
	strbuf_release(&again);
	bench_results_release(&r);
	bench_results_release(&back);
}

static void test_hostile(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"3",
		"{\"benchmarks\":3}",
		"{\"benchmarks\":[3]}",
		"{\"benchmarks\":[{}]}",
		"{\"benchmarks\":[{\"benchmark\":\"a\",\"figure\":\"b\",\"unit\":\"c\","
		"\"better\":\"more\",\"runs\":0,\"mean\":1}]}",
		"{\"benchmarks\":[{\"benchmark\":\"a\",\"figure\":\"b\",\"unit\":\"c\","
		"\"better\":\"more\",\"runs\":1e99,\"mean\":1}]}",
		"{\"benchmarks\":[{\"benchmark\":\"a\",\"figure\":\"b\",\"unit\":\"c\","
		"\"better\":\"more\",\"runs\":1}]}",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		struct bench_results r = { 0 };
		struct err err = { 0 };

		assert_true(bench_results_parse(&r, texts[i], strlen(texts[i]), "the file", &err) <
			    0);
		assert_non_null(strstr(err.msg, "the file"));
		assert_int_equal(r.nr, 0);
	}
}

/* Compare two sets of one figure. */
static void check_compare(bool more, size_t nr_before, const double *before, size_t nr_now,
			  const double *now, const char *verdict, bool is_worse)
{
	struct bench_results b = { 0 }, n = { 0 };
	struct strbuf text = STRBUF_INIT;
	double worse = -1;

	add(&b, "f", more, nr_before, before);
	add(&n, "f", more, nr_now, now);
	bench_compare(&b, &n, &text, &worse);
	if (!strstr(strbuf_str(&text), verdict))
		fail_msg("no '%s' in %s", verdict, strbuf_str(&text));
	assert_int_equal(worse > 0, is_worse);
	strbuf_release(&text);
	bench_results_release(&b);
	bench_results_release(&n);
}

static void test_compare(void **state)
{
	static const double wide[] = { 5, 15, 10 };

	check_compare(false, 5, low, 3, high, "usecs: worse", true);
	check_compare(true, 5, low, 3, high, "usecs: better", false);
	check_compare(false, 3, high, 5, low, "-50.00% (+- 0.23%) usecs: better", false);
	check_compare(true, 3, high, 5, low, "usecs: worse", true);
	check_compare(false, 5, low, 5, low, "+0.00% (+- 0.50%) usecs: no difference", false);
	check_compare(false, 3, wide, 5, low, "no difference", false);
	check_compare(false, 1, low, 3, high, "one run", false);
	check_compare(false, 0, low, 3, high, "not in the earlier run", false);
}

/* ---- threads that begin at once ---- */

struct counting {
	unsigned int begun, together;
};

static void count(struct bench_worker *w)
{
	struct counting *c = w->team->ctx;
	unsigned int spins;

	__atomic_add_fetch(&c->begun, 1, __ATOMIC_SEQ_CST);
	/* All others begin while this one is still there. */
	for (spins = 0; spins < 1u << 30; spins++)
		if (__atomic_load_n(&c->begun, __ATOMIC_SEQ_CST) == w->team->nr)
			break;
	w->ops = w->idx + 1;
	w->data = w->team;
}

static void test_team(void **state)
{
	struct counting c = { 0 };
	struct bench_team t;
	struct err err = { 0 };
	u64 sum = 0;
	unsigned int i;

	assert_int_equal(bench_team_start(&t, 5, true, count, &c, &err), 0);
	assert_int_equal(__atomic_load_n(&c.begun, __ATOMIC_SEQ_CST), 0);
	bench_team_go(&t);
	bench_team_join(&t);
	for (i = 0; i < t.nr; i++)
		sum += t.workers[i].ops;
	assert_int_equal(sum, 15);
	assert_int_equal(c.begun, 5);
	bench_team_release(&t);
}

static int seven(void *ctx)
{
	return 7;
}

static int forever(void *ctx)
{
	while (getppid())
		pause();
	return 0;
}

static void test_processes(void **state)
{
	struct err err = { 0 };
	pid_t pid = bench_fork(seven, NULL, &err);

	assert_true(pid > 0);
	assert_int_equal(bench_reap(pid), 7);
	assert_int_equal(bench_reap(pid), -ECHILD);
	pid = bench_fork(forever, NULL, &err);
	assert_true(pid > 0);
	bench_kill(pid);
	assert_int_equal(bench_reap(pid), -ECHILD);
}

static void test_find(void **state)
{
	struct err err = { 0 };

	assert_string_equal(bench_find(&bench_sched, "pipe", &err)->name, "pipe");
	assert_null(bench_find(&bench_sched, "pip", &err));
	assert_string_equal(err.msg, "Unknown benchmark: 'pip' for collection 'sched'\n"
				     "Did you mean pipe?");
}

static void check_list(const char *text, const char *want)
{
	struct int_list l = { 0 };
	struct strbuf got = STRBUF_INIT;
	size_t i;

	if (numa_list_parse(&l, text))
		strbuf_addstr(&got, "refused");
	else
		for (i = 0; i < l.nr; i++)
			strbuf_addf(&got, i ? " %d" : "%d", l.v[i]);
	assert_string_equal(strbuf_str(&got), want);
	strbuf_release(&got);
	int_list_release(&l);
}

static void test_numa_lists(void **state)
{
	static const char *const wrong[] = { "",    ",",   "1,",   "-1", "1-", "3-1",   "1-3#0",
					     "1x0", "1-x", "1#2x", "a",  "1 ", "70000", "1,,2" };
	size_t i;

	check_list("0", "0");
	check_list("0,2-4", "0 2 3 4");
	check_list("1-7#3", "1 4 7");
	check_list("5x3,1", "5 5 5 1");
	check_list("0-2#2x2", "0 0 2 2");
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		check_list(wrong[i], "refused");
}

/* Every word is accessed once in a walk, from wherever it begins. */
static void test_numa_work(void **state)
{
	struct numa_options o = { .reads = true };
	u64 data[1000], i, sum = 0;

	for (i = 0; i < ARRAY_SIZE(data); i++)
		sum += data[i] = i * i;
	assert_int_equal(numa_work(&o, data, sizeof(data), 0, 1, 0), sum);
	assert_int_equal(numa_work(&o, data, sizeof(data), 2, 3, 0), sum);
	o.backwards = true;
	assert_int_equal(numa_work(&o, data, sizeof(data), 2, 3, 1), sum);
	o.random_walk = true;
	numa_work(&o, data, sizeof(data), 1, 2, 3);
	numa_work(&o, data, 8, 1, 2, 3);
	assert_int_equal(numa_work(&o, data, 0, 0, 1, 0), 0);
	o = (struct numa_options){ .writes = true };
	numa_work(&o, data, sizeof(data), 1, 2, 0);
	for (i = 0; i < ARRAY_SIZE(data); i++)
		assert_int_equal(data[i], 0);
	data[7] = 1;
	o = (struct numa_options){ .zero = true };
	numa_work(&o, data, sizeof(data), 1, 2, 0);
	assert_int_equal(data[7], 0);
}

/* A walk to places that look random sets memory to zero there, too, in whole runs of 8 kB. */
static void test_numa_zero_walk(void **state)
{
	const struct numa_options o = { .zero = true, .random_walk = true };
	const size_t words = 1 << 16, run = 1024;
	u64 *data = calloc(words, sizeof(*data));
	size_t i, zeros = 0, begins = 0;

	assert_non_null(data);
	for (i = 0; i < words; i++)
		data[i] = 1;
	assert_int_equal(numa_work(&o, data, words * sizeof(*data), 0, 1, 3), 0);
	for (i = 0; i < words; i++) {
		zeros += !data[i];
		begins += !data[i] && (!i || data[i - 1]);
	}
	free(data);
	/* As many runs as make up the whole fall on some words twice, and on more than a third of
	 * them never. */
	assert_true(zeros > words / 2 && zeros < words * 4 / 5);
	assert_true(begins > 10 && zeros >= begins * run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),      cmocka_unit_test(test_json),
		cmocka_unit_test(test_hostile),   cmocka_unit_test(test_compare),
		cmocka_unit_test(test_team),      cmocka_unit_test(test_processes),
		cmocka_unit_test(test_find),      cmocka_unit_test(test_numa_lists),
		cmocka_unit_test(test_numa_work), cmocka_unit_test(test_numa_zero_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
