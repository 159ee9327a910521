// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "stat/multiplexing.h"

#include "base/alloc.h"

#include <math.h>

void multiplexing_add(struct multiplexing *t, double value, u64 enabled, u64 running)
{
	double away[MUX_NR], nr;
	const double x[MUX_NR] = {
		[MUX_COUNTED] = enabled ? value * ((double)running / (double)enabled) : 0,
		[MUX_ENABLED] = (double)enabled,
		[MUX_RUNNING] = (double)running,
	};

	spread_add(&t->scaled, value);
	t->shared |= running < enabled;
	nr = (double)t->scaled.nr;
	for (int i = 0; i < MUX_NR; i++) {
		away[i] = x[i] - t->mean[i];
		t->mean[i] += away[i] / nr;
	}
	for (int i = 0; i < MUX_NR; i++)
		for (int k = 0; k < MUX_NR; k++)
			t->m2[i][k] += away[i] * (x[k] - t->mean[k]);
}

/*
 * Of a product of powers of means the error comes from those of each: run i is off by
 * counted_i / counted + enabled_i / enabled - running_i / running - 1, in parts of the estimate.
 * Return: the sum of the squares of that.
 */
static double squares_off(const struct multiplexing *t)
{
	static const double power[MUX_NR] = {
		[MUX_COUNTED] = 1, [MUX_ENABLED] = 1, [MUX_RUNNING] = -1
	};
	double sum = 0;

	for (int i = 0; i < MUX_NR; i++)
		for (int k = 0; k < MUX_NR; k++)
			sum += power[i] * power[k] * t->m2[i][k] / (t->mean[i] * t->mean[k]);
	return fmax(sum, 0);
}

/* Return how many runs of equal length would say as much as these, of which some saw more than
 * others. */
static double whole_runs(const struct multiplexing *t)
{
	double nr = (double)t->scaled.nr, mean = t->mean[MUX_RUNNING];
	double squares = t->m2[MUX_RUNNING][MUX_RUNNING] + nr * mean * mean;

	return nr * mean * (nr * mean) / squares;
}

struct spread multiplexing_spread(const struct multiplexing *t, bool scale)
{
	double nr = (double)t->scaled.nr, whole, error2;
	struct spread s;

	if (t->shared && t->mean[MUX_RUNNING] <= 0)
		return (struct spread){ 0 };
	if (!t->shared || !scale || t->scaled.nr < 2)
		return t->scaled;
	whole = whole_runs(t);
	s = (struct spread){
		.nr = (u64)(whole + 0.5),
		.mean = t->mean[MUX_COUNTED] / t->mean[MUX_RUNNING] * t->mean[MUX_ENABLED],
	};
	if (s.mean <= 0)
		return s;
	error2 = whole > 1 ? squares_off(t) / (nr * nr) * whole / (whole - 1) : 1;
	if (s.nr < 2) {
		s.nr = 2;
		error2 = fmax(error2, 1);
	}
	/* as spread_error() takes it apart again */
	s.m2 = error2 * s.mean * s.mean * (double)(s.nr * (s.nr - 1));
	return s;
}

static size_t common_divisor(size_t a, size_t b)
{
	return b ? common_divisor(b, a % b) : a;
}

/* Return which group is in front in a run. Each is there once in @nr runs, and in runs close to
 * each other they are far apart. */
static size_t front(size_t run, size_t nr)
{
	size_t step = nr * 5 / 8;

	while (common_divisor(step, nr) > 1)
		step++;
	return run % nr * step % nr;
}

/* Shuffle @v by @seed alone, so that two measurements of the same thing are alike. */
static void shuffle(u32 *v, size_t nr, u64 seed)
{
	for (size_t i = nr - 1; i > 0; i--) {
		size_t k;
		u32 was = v[i];

		seed = seed * 6364136223846793005 + 1442695040888963407;
		k = (seed >> 33) % (i + 1);
		v[i] = v[k];
		v[k] = was;
	}
}

void multiplexing_order(size_t run, u32 *v, size_t nr)
{
	size_t first;
	u32 *line;

	if (!run || nr < 2)
		return;
	shuffle(v, nr, run / nr);
	first = front(run, nr);
	line = xmalloc(nr * sizeof(*line));
	memcpy(line, v, nr * sizeof(*line));
	for (size_t i = 0; i < nr; i++)
		v[i] = line[(first + i) % nr];
	free(line);
}
