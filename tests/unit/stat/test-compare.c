// SPDX-License-Identifier: GPL-2.0-or-later
/* Test Student's distribution, and intervals of ratios, beside numbers from tables and closed
 * forms. */
#include "base/compat.h"
#include "stat/compare.h"

#include <math.h>
#include <setjmp.h>
#include <cmocka.h>

static void near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within * fabs(want)))
		fail_msg("%.12g instead of %.12g", got, want);
}

/* Quantiles agree with tables; with 1 and 2 degrees there are closed forms. */
static void test_quantiles(void **state)
{
	static const struct {
		double p, df, t;
	} known[] = {
		{ 0.975, 1, 12.70620474 },  { 0.975, 2, 4.30265273 },
		{ 0.975, 3, 3.18244631 },   { 0.975, 9, 2.26215716 },
		{ 0.975, 18, 2.10092204 },  { 0.975, 30, 2.04227246 },
		{ 0.95, 10, 1.81246112 },   { 0.995, 5, 4.03214298 },
		{ 0.995, 120, 2.61742114 }, { 0.75, 1, 1 },
		{ 0.975, 1e7, 1.95996434 }, { 0.9995, 1, 636.6192488 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		near(student_quantile(known[i].p, known[i].df), known[i].t, 1e-7);
	for (double t = 0.01; t < 100; t *= 1.7) {
		near(student_beyond(t, 1), 1 - 2 * atan(t) / M_PI, 1e-9);
		near(student_beyond(t, 2), 1 - t / sqrt(2 + t * t), 1e-8);
		near(student_beyond(t, 4.5), student_beyond(-t, 4.5), 1e-15);
	}
	near(student_beyond(0, 7), 1, 1e-12);
	assert_true(student_beyond(INFINITY, 3) == 0);
}

static struct spread of(const double *v, size_t nr)
{
	struct spread s = { 0 };

	for (size_t i = 0; i < nr; i++)
		spread_add(&s, v[i]);
	return s;
}

/* With the spread on one side only it is the t interval of a mean. */
static void test_one_sided(void **state)
{
	const double exact[] = { 2, 2, 2, 2 }, v[] = { 10, 12, 11, 13, 14 };
	struct spread a = of(exact, 4), b = of(v, 5);
	struct ratio r = spread_ratio(&a, &b, 0.95);
	double half = 2.776445105 * sqrt(2.5 / 5);

	assert_true(r.known && r.bounded && r.differs);
	near(r.value, 6, 1e-12);
	near(r.low, (12 - half) / 2, 1e-7);
	near(r.high, (12 + half) / 2, 1e-7);
	r = spread_ratio(&b, &a, 0.95);
	near(r.value, 2 / 12.0, 1e-12);
	near(r.low, 2 / (12 + half), 1e-7);
	near(r.high, 2 / (12 - half), 1e-7);
}

/* The ends are where Welch's test, reckoned here by hand, is at its limit. */
static void test_ends(void **state)
{
	const double x[] = { 20.1, 19.4, 21.2, 20.8, 19.9, 20.3 }, y[] = { 25.9, 23.8, 27.0, 24.4 };
	struct spread a = of(x, 6), b = of(y, 4);
	struct ratio r = spread_ratio(&a, &b, 0.95);
	double ends[] = { r.low, r.high };

	assert_true(r.differs && r.low > 1 && r.low < r.value && r.value < r.high);
	for (int i = 0; i < 2; i++) {
		double va = ends[i] * ends[i] * a.m2 / 5 / 6, vb = b.m2 / 3 / 4;
		double df = (va + vb) * (va + vb) / (va * va / 5 + vb * vb / 3);

		near(fabs(b.mean - ends[i] * a.mean) / sqrt(va + vb), student_quantile(0.975, df),
		     1e-9);
	}
}

/* Runs that say little, or nothing. */
static void test_few(void **state)
{
	const double one[] = { 5 }, two[] = { 5, 6 }, zero[] = { 0, 0, 0 }, wild[] = { 0, 0, 3 },
		     close[] = { 5, 5.1 };
	struct spread none = { 0 }, a = of(one, 1), b = of(two, 2), z = of(zero, 3),
		      w = of(wild, 3);
	struct ratio r = spread_ratio(&a, &b, 0.95);

	assert_true(r.known && !r.bounded && !r.differs);
	near(r.value, 1.1, 1e-12);
	assert_false(spread_ratio(&none, &b, 0.95).known);
	assert_false(spread_ratio(&z, &b, 0.95).known);
	assert_false(spread_ratio(&z, &z, 0.95).known);
	/* two runs each, a tenth apart: the interval is wide, but it is one */
	r = spread_ratio(&b, &b, 0.95);
	assert_true(r.bounded && !r.differs && r.low < 0.7 && r.high > 1.4);
	/* a mean that may be 0 has no largest ratio to it */
	r = spread_ratio(&w, &b, 0.95);
	assert_true(r.bounded && isinf(r.high));
	/* two runs may be too few for that: 5 and 6 are, 5 and 5.1 are not */
	r = spread_ratio(&b, &z, 0.95);
	assert_true(r.bounded && r.value == 0 && r.low == 0 && isinf(r.high) && !r.differs);
	b = of(close, 2);
	r = spread_ratio(&b, &z, 0.95);
	assert_true(r.bounded && r.value == 0 && r.low == 0 && isfinite(r.high));
	/* always the same number */
	r = spread_ratio(&z, &z, 0.95);
	assert_false(r.differs);
}

static void test_exact(void **state)
{
	const double x[] = { 50, 50, 50 }, y[] = { 60, 60, 60 };
	struct spread a = of(x, 3), b = of(y, 3);
	struct ratio r = spread_ratio(&a, &b, 0.95);

	assert_true(r.differs);
	near(r.low, 1.2, 1e-9);
	near(r.high, 1.2, 1e-9);
	r = spread_ratio(&a, &a, 0.95);
	assert_false(r.differs);
}

static double uniform(u64 *v)
{
	*v ^= *v << 13;
	*v ^= *v >> 7;
	*v ^= *v << 17;
	return ((double)(*v >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(u64 *v)
{
	double r = sqrt(-2 * log(uniform(v)));

	return r * cos(2 * M_PI * uniform(v));
}

/* 95 of 100 intervals have the ratio in them, as they say; also of five runs with unequal spread.
 */
static void test_coverage(void **state)
{
	u64 seed = 88172645463325252ULL;
	int inside = 0, marked = 0;

	for (int i = 0; i < 2000; i++) {
		struct spread a = { 0 }, b = { 0 };
		struct ratio r;

		for (int k = 0; k < 5; k++) {
			spread_add(&a, 100 + 5 * normal(&seed));
			spread_add(&b, 130 + 15 * normal(&seed));
		}
		r = spread_ratio(&a, &b, 0.95);
		inside += r.low <= 1.3 && 1.3 <= r.high;
		assert_true(r.differs == (r.low > 1 || r.high < 1));
		marked += r.differs;
	}
	assert_in_range(inside, 1870, 1940);
	assert_in_range(marked, 1000, 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles), cmocka_unit_test(test_one_sided),
		cmocka_unit_test(test_ends),      cmocka_unit_test(test_few),
		cmocka_unit_test(test_exact),     cmocka_unit_test(test_coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
