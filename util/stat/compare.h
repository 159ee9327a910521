/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether one quantity is larger than another when both were measured several times: the ratio of
 * the means, and the range in which it may be.
 */
#ifndef PERF_STAT_COMPARE_H
#define PERF_STAT_COMPARE_H

#include "stat/counts.h"

/**
 * student_beyond - return the probability that a value of Student's distribution is farther from 0
 * than @t.
 * @df: degrees of freedom, above 0; need not be an integer
 */
double student_beyond(double t, double df);

/**
 * student_quantile - return the value below which a value of Student's distribution is with
 * probability @p, 0.5 <= @p < 1.
 */
double student_quantile(double p, double df);

/* The ratio of two means. */
struct ratio {
	bool known;       /* there is a ratio, because the first mean is above 0 */
	bool bounded;     /* low and high are valid, because both were measured at least twice */
	bool differs;     /* they are valid and exclude 1 */
	double value;     /* mean of b / mean of a */
	double low, high; /* high is infinite when a may be 0 */
};

/**
 * spread_ratio - return mean of @b / mean of @a, and the range of ratios that Welch's t test does
 * not reject. A ratio r is in the range when the means of b and r * a do not differ at this
 * confidence, where the variances are unknown and not assumed to be equal. So 1 is outside exactly
 * when that test distinguishes a and b. Ratios below 0 are not considered.
 * @confidence: 0.95 for 95 of 100
 */
struct ratio spread_ratio(const struct spread *a, const struct spread *b, double confidence);

/* --- commands side by side ---------------------------------------------------------- */

#define COMPARE_MOST 26 /* the most commands; they have the letters A to Z */

/* An event or a time. */
struct compare_row {
	const char *name, *unit; /* borrowed; unit may be NULL */
	bool real;               /* the values are not integers */
	bool unsupported;
	struct spread of[COMPARE_MOST]; /* the counts of each command, in that unit */
};

struct compare_table {
	char *const *commands; /* borrowed; as on the command line */
	u64 runs[COMPARE_MOST];
	size_t nr_commands;
	struct compare_row *rows; /* owned */
	size_t nr_rows;
	double confidence;
};

/** compare_ratio - return the ratio of the @k-th command to the first one in a row. */
struct ratio compare_ratio(const struct compare_table *t, const struct compare_row *row, size_t k);

#endif
