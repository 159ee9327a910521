// SPDX-License-Identifier: GPL-2.0-or-later
/* Test events that take turns on counters: the estimate over runs of programs whose parts differ,
 * beside what these did, and whether it is off by no more than it says. */
#include "base/compat.h"
#include "stat/multiplexing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

static void same(double got, double want)
{
	if (!(fabs(got - want) < 1e-9 * (1 + fabs(want))))
		fail_msg("%.12g instead of %.12g", got, want);
}

static double uniform(u64 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (double)(*seed >> 11) * 0x1p-53;
}

/* --- a program, and a machine with few counters ------------------------------------- */

#define PERIOD 4e6 /* ns, after which the first group in the list goes to its end */

/* Returns the rate at a moment. @at: 0 to 1, from its start to its end */
typedef double rate_fn(double at);

static double steady(double at)
{
	(void)at;
	return 1;
}

static double starting(double at)
{
	return at < 0.1 ? 10 : 1;
}

static double ending(double at)
{
	return at > 0.9 ? 10 : 1;
}

static double halves(double at)
{
	return at < 0.5 ? 3 : 0.1;
}

static double growing(double at)
{
	return at;
}

static double burst(double at)
{
	return at > 0.4 && at < 0.5 ? 20 : 0.5;
}

struct machine {
	rate_fn *rate;
	double periods; /* how long the program is */
	size_t others;  /* groups that take no turns, in front */
	size_t groups, counters;
	bool same_order; /* in every run */
	u64 seed;
};

#define STEPS 1000 /* of a run */

struct experiment {
	struct multiplexing of[32];
	double truth; /* all that was done, in all runs */
};

static void get_in_line(const struct machine *m, size_t run, u32 *line)
{
	u32 all[32];
	size_t nr = 0;

	for (size_t i = 0; i < m->others + m->groups; i++)
		all[i] = (u32)i;
	multiplexing_order(run, all, m->others + m->groups);
	for (size_t i = 0; i < m->others + m->groups; i++)
		if (all[i] >= m->others)
			line[nr++] = all[i] - (u32)m->others;
}

/* The kernel's way: from the front of the list as many as there are counters for; at each tick the
 * front goes to the end. The clock of ticks does not care when the program starts. */
static void run_once(struct machine *m, size_t run, struct experiment *x)
{
	double length = m->periods * PERIOD * (1 + 0.02 * uniform(&m->seed)), step = length / STEPS;
	double phase = 0.3 + 0.02 * uniform(&m->seed), counted[32] = { 0 }, running[32] = { 0 };
	u32 line[32];

	get_in_line(m, m->same_order ? 0 : run, line);

	for (int i = 0; i < STEPS; i++) {
		double done = m->rate((i + 0.5) / STEPS) * step / 1000;
		size_t tick = (size_t)(i * step / PERIOD + phase);

		x->truth += done;
		for (size_t k = 0; k < m->counters; k++) {
			u32 e = line[(tick + k) % m->groups];

			counted[e] += done;
			running[e] += step;
		}
	}
	for (size_t e = 0; e < m->groups; e++) {
		double scaled = running[e] > 0 ? counted[e] * length / running[e] : 0;

		multiplexing_add(&x->of[e], scaled, (u64)(length + 0.5), (u64)(running[e] + 0.5));
	}
}

struct score {
	int nr, within, far; /* estimates; off by no more than twice the error; by more than 4 */
	double worst;        /* how far off one was, in parts of what is true */
};

/* @plain: the mean of scaled counts, and its standard error */
static void judge(struct machine *m, size_t runs, bool plain, struct score *s)
{
	struct experiment x = { 0 };

	for (size_t i = 0; i < runs; i++)
		run_once(m, i, &x);
	for (size_t e = 0; e < m->groups; e++) {
		struct spread is = plain ? x.of[e].scaled : multiplexing_spread(&x.of[e], true);
		double off = fabs(is.mean - x.truth / (double)runs), error = spread_error(&is);

		if (!is.nr)
			continue; /* told as not counted */
		/* what rounding to nanoseconds does */
		off = fmax(off - 1e-6 * is.mean, 0);
		s->nr++;
		s->within += off <= 2 * error;
		s->far += off > 4 * error;
		s->worst = fmax(s->worst, off * (double)runs / x.truth);
	}
}

static struct score judge_all(size_t runs, bool same_order, bool plain)
{
	static rate_fn *const programs[] = { steady, starting, ending, halves, growing, burst };
	static const double lengths[] = { 0.2, 0.75, 1.3, 2.6, 7.7, 33.3 };
	static const size_t few[][2] = { { 10, 7 }, { 10, 6 }, { 9, 8 }, { 20, 4 }, { 5, 2 } };
	struct score s = { 0 };

	for (size_t p = 0; p < ARRAY_SIZE(programs); p++)
		for (size_t l = 0; l < ARRAY_SIZE(lengths); l++)
			for (size_t k = 0; k < ARRAY_SIZE(few); k++) {
				struct machine m = { .rate = programs[p],
						     .periods = lengths[l],
						     .others = k % 3 * 2,
						     .groups = few[k][0],
						     .counters = few[k][1],
						     .same_order = same_order,
						     .seed = 88172645463325252ULL };

				judge(&m, runs, plain, &s);
			}
	print_message("%zu runs%s%s: of %d estimates %d within twice the error, %d beyond 4 times, "
		      "the worst %.1f%% off\n",
		      runs, same_order ? ", one order" : "", plain ? ", means of scaled" : "", s.nr,
		      s.within, s.far, 100 * s.worst);
	return s;
}

/* Two errors are 95 of 100 when there are enough runs to know the error; of few they are less, as
 * with Student's distribution. */
static void test_honest(void **state)
{
	struct score few = judge_all(5, false, false), more = judge_all(30, false, false),
		     many = judge_all(100, false, false);

	(void)state;
	assert_true(few.within >= few.nr * 0.94 && few.far <= few.nr * 0.03);
	assert_true(more.within >= more.nr * 0.99 && !more.far);
	assert_true(many.within >= many.nr * 0.99 && !many.far && many.worst < 0.2);
}

/* ... which neither of the two is by itself: or there would be nothing to it. */
static void test_what_it_takes(void **state)
{
	struct score order = judge_all(100, true, false), means = judge_all(100, false, true),
		     neither = judge_all(100, true, true);

	(void)state;
	assert_true(order.within < order.nr * 0.6);
	assert_true(means.within < means.nr * 0.6);
	assert_true(neither.within < neither.nr * 0.5 && neither.worst > 1);
}

/* --- small numbers ------------------------------------------------------------------ */

static void test_always_on(void **state)
{
	static const double v[] = { 3, 5, 10 };
	struct multiplexing t = { 0 };
	struct spread plain = { 0 }, is;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		multiplexing_add(&t, v[i], 100 * (i + 1), 100 * (i + 1));
		spread_add(&plain, v[i]);
	}
	is = multiplexing_spread(&t, true);
	assert_memory_equal(&is, &plain, sizeof(is));
	same(t.mean[MUX_ENABLED], 200);
	same(t.mean[MUX_RUNNING], 200);
}

/* 10 in 50 of 100 ns, 10 in 100 of 100, 40 in 50 of 100: 60 in 200 ns are 30 in 100. By hand: off
 * by 1/2 - 3/4, 1/2 - 3/2, 2 - 3/4 of it, squares 2.625; 16/6 whole runs, 16/10 of 2.625/9. */
static void test_by_hand(void **state)
{
	struct multiplexing t = { 0 };
	struct spread is;

	(void)state;
	multiplexing_add(&t, 20, 100, 50);
	multiplexing_add(&t, 10, 100, 100);
	multiplexing_add(&t, 80, 100, 50);
	is = multiplexing_spread(&t, true);
	same(is.mean, 30);
	assert_int_equal(is.nr, 3);
	same(spread_error(&is), 30 * sqrt(2.625 / 9 * 1.6));
	is = multiplexing_spread(&t, false);
	same(is.mean, 110.0 / 3);
}

static void test_hardly_on(void **state)
{
	struct multiplexing t = { 0 };
	struct spread is;

	(void)state;
	multiplexing_add(&t, 0, 100, 0);
	assert_int_equal(multiplexing_spread(&t, true).nr, 0);
	multiplexing_add(&t, 0, 100, 0);
	assert_int_equal(multiplexing_spread(&t, true).nr, 0);
	assert_int_equal(multiplexing_spread(&t, false).nr, 0);
	/* of the third one all is known, of how runs differ nothing */
	multiplexing_add(&t, 7, 100, 100);
	is = multiplexing_spread(&t, true);
	same(is.mean, 7);
	assert_true(spread_percent(&is) >= 100);
	/* a single run is shown as it is */
	t = (struct multiplexing){ 0 };
	multiplexing_add(&t, 12, 100, 3);
	is = multiplexing_spread(&t, true);
	same(is.mean, 12);
	same(spread_error(&is), 0);
}

static void test_nothing(void **state)
{
	struct multiplexing t = { 0 };

	(void)state;
	assert_int_equal(multiplexing_spread(&t, true).nr, 0);
	for (int i = 0; i < 3; i++)
		multiplexing_add(&t, 0, 100, 50);
	same(multiplexing_spread(&t, true).mean, 0);
	same(multiplexing_spread(&t, true).m2, 0);
}

/* In as many runs as there are groups each is in front once; all are always there. */
static void test_order(void **state)
{
	(void)state;
	multiplexing_order(3, NULL, 0);
	for (size_t nr = 1; nr < 600; nr += 1 + nr / 8) {
		u32 *v = calloc(nr, sizeof(*v));
		bool *first = calloc(nr, sizeof(*first)), *there = calloc(nr, sizeof(*there));

		for (size_t run = 3 * nr; run < 4 * nr; run++) {
			memset(there, 0, nr * sizeof(*there));
			for (u32 i = 0; i < nr; i++)
				v[i] = i;
			multiplexing_order(run, v, nr);
			assert_true(!first[v[0]]);
			first[v[0]] = true;
			for (size_t i = 0; i < nr; i++) {
				assert_true(v[i] < nr && !there[v[i]]);
				there[v[i]] = true;
			}
		}
		free(v);
		free(first);
		free(there);
	}
}

/* The first run is as typed, the next ones are not. */
static void test_first_order(void **state)
{
	u32 v[] = { 4, 8, 15, 16, 23, 42 }, is[6];
	int differ = 0;

	(void)state;
	memcpy(is, v, sizeof(v));
	multiplexing_order(0, is, 6);
	assert_memory_equal(is, v, sizeof(v));
	for (size_t run = 1; run < 6; run++) {
		memcpy(is, v, sizeof(v));
		multiplexing_order(run, is, 6);
		differ += memcmp(is, v, sizeof(v)) != 0;
	}
	assert_int_equal(differ, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_honest),    cmocka_unit_test(test_what_it_takes),
		cmocka_unit_test(test_always_on), cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_hardly_on), cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_order),     cmocka_unit_test(test_first_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
