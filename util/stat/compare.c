// SPDX-License-Identifier: GPL-2.0-or-later
/* Compute Student's distribution and the interval of a ratio of two means. */
#include "base/compat.h"
#include "stat/compare.h"

#include <float.h>
#include <math.h>

/* --- Student's distribution ------------------------------------------------------- */

static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

#define MOST_TERMS 10000

static double off_zero(double v)
{
	return fabs(v) < DBL_MIN / DBL_EPSILON ? DBL_MIN / DBL_EPSILON : v;
}

/*
 * The continued fraction of the incomplete beta function, 1 + d1 / (1 + d2 / (1 + ...)), evaluated
 * from the front: each convergent is the one before times a quotient that tends to 1.
 */
static double beta_fraction(double x, double a, double b)
{
	double num = 1, den = 0, value = 1;

	for (int i = 1; i < MOST_TERMS; i++) {
		double m = i / 2, d;

		if (i % 2)
			d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		else
			d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		den = 1 / off_zero(1 + d * den);
		num = off_zero(1 + d / num);
		value *= num * den;
		if (fabs(num * den - 1) < 4 * DBL_EPSILON)
			break;
	}
	return value;
}

/* Return the regularised incomplete beta function. */
static double beta_part(double x, double a, double b)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	/* it converges fast only on this side of the mean */
	if (x > (a + 1) / (a + b + 2))
		return 1 - front / (b * beta_fraction(1 - x, b, a));
	return front / (a * beta_fraction(x, a, b));
}

double student_beyond(double t, double df)
{
	return isfinite(t) ? beta_part(df / (df + t * t), df / 2, 0.5) : 0;
}

double student_quantile(double p, double df)
{
	double beyond = 2 * (1 - p), low = 0, high = 1;

	while (student_beyond(high, df) > beyond && high < 1e300)
		high *= 2;
	for (int i = 0; i < 200 && high - low > high * DBL_EPSILON; i++) {
		double mid = (low + high) / 2;

		if (student_beyond(mid, df) > beyond)
			low = mid;
		else
			high = mid;
	}
	return (low + high) / 2;
}

/* --- the ratio -------------------------------------------------------------------- */

struct pair {
	const struct spread *a, *b;
	double limit; /* the probability below which a ratio is rejected */
};

/*
 * Tell whether the hypothesis that b is r times a is rejected, because it is less likely than the
 * limit.
 */
static bool rejected(const struct pair *p, double r)
{
	double va = pow(r * spread_error(p->a), 2), vb = pow(spread_error(p->b), 2);
	double away = fabs(p->b->mean - r * p->a->mean), v = va + vb, df;

	if (v <= 0)
		return away > 4 * DBL_EPSILON * fabs(p->b->mean);
	/* Welch and Satterthwaite; relative to v, so that squares do not overflow */
	df = 1 /
	     (pow(va / v, 2) / (double)(p->a->nr - 1) + pow(vb / v, 2) / (double)(p->b->nr - 1));
	return student_beyond(away / sqrt(v), df) < p->limit;
}

/* Find where rejection starts between a ratio that is not rejected and one that is. */
static double border(const struct pair *p, double inside, double outside)
{
	for (int i = 0; i < 100; i++) {
		double mid = (inside + outside) / 2;

		if (rejected(p, mid))
			outside = mid;
		else
			inside = mid;
	}
	return inside;
}

#define LARGEST 1e6 /* times the ratio; the interval has no upper bound then */

struct ratio spread_ratio(const struct spread *a, const struct spread *b, double confidence)
{
	struct pair p = { a, b, 1 - confidence };
	struct ratio r = { .known = a->nr && b->nr && a->mean > 0 && b->mean >= 0 };
	double far;

	if (!r.known)
		return r;
	r.value = b->mean / a->mean;
	r.bounded = a->nr > 1 && b->nr > 1;
	if (!r.bounded)
		return r;
	r.low = r.value > 0 && rejected(&p, 0) ? border(&p, r.value, 0) : 0;
	far = MAX(r.value, spread_error(b) / a->mean);
	far = far > 0 ? far * LARGEST : LARGEST;
	r.high = rejected(&p, far) ? border(&p, r.value, far) : INFINITY;
	r.differs = rejected(&p, 1);
	return r;
}

struct ratio compare_ratio(const struct compare_table *t, const struct compare_row *row, size_t k)
{
	return spread_ratio(&row->of[0], &row->of[k], t->confidence);
}
