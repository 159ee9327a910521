/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is one thing larger than another, both measured some times over? The ratio of the means, and
 * between what it may be. */
#ifndef PERF_STAT_COMPARE_H
#define PERF_STAT_COMPARE_H

#include "stat/counts.h"

/**
 * student_beyond - how likely a number of Student's distribution is farther from 0 than @t.
 * @df: degrees of freedom, above 0; need not be whole
 */
double student_beyond(double t, double df);

/** student_quantile - what a number of Student's distribution stays below with probability @p,
 * 0.5 <= @p < 1. */
double student_quantile(double p, double df);

/* How many times as large. */
struct ratio {
	bool known;       /* there is a ratio at all: the first mean is above 0 */
	bool bounded;     /* low and high say something: both were measured twice at least */
	bool differs;     /* ... and exclude 1 */
	double value;     /* mean of b / mean of a */
	double low, high; /* high is infinite when a may be 0 */
};

/**
 * spread_ratio - mean of @b / mean of @a, and the ratios that Welch's t test does not reject.
 * A ratio r is inside when b and r * a have means that do not differ at this confidence, the
 * variances being unknown and not taken to be equal; so 1 is outside just when that test tells a
 * and b apart. No ratio below 0 is reckoned with.
 * @confidence: 0.95 for 95 of 100
 */
struct ratio spread_ratio(const struct spread *a, const struct spread *b, double confidence);

#endif
