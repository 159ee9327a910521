/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distributions of times in steps: below 8 ns one each, then eight for each power of two. So a
 * quantile is right within an eighth, and a distribution takes little memory whatever was counted.
 */
#ifndef PERF_ANALYZE_STEPS_H
#define PERF_ANALYZE_STEPS_H

#include "base/compat.h"

#define STEP_BITS 3 /* of the steps of a power of two */
#define STEPS ((64 - STEP_BITS + 1) << STEP_BITS)

/** step_of - return the step of a time. */
static inline u32 step_of(u64 ns)
{
	u32 shift;

	if (ns < 1U << STEP_BITS)
		return (u32)ns;
	shift = 63 - (u32)__builtin_clzll(ns) - STEP_BITS;
	return ((shift + 1) << STEP_BITS) + (u32)(ns >> shift) - (1U << STEP_BITS);
}

/** step_low - return the shortest time of a step. */
static inline u64 step_low(u32 step)
{
	u32 shift = step >> STEP_BITS;
	u64 low = step & ((1U << STEP_BITS) - 1);

	return shift ? (low + (1U << STEP_BITS)) << (shift - 1) : low;
}

/**
 * steps_quantile - return the time that @millionths of a million times do not exceed.
 * @steps: STEPS numbers of times
 * @nr, @max: how many times there are, and the longest
 */
static inline u64 steps_quantile(const u32 *steps, u64 nr, u64 max, u32 millionths)
{
	u64 below = 0, wanted = (nr * millionths + 999999) / 1000000;

	for (u32 step = 0; step + 1 < STEPS; step++) {
		below += steps[step];
		if (below >= wanted)
			return MIN(step_low(step + 1) - 1, max);
	}
	return max;
}

/** steps_fold - add the times of a distribution to another one. */
static inline void steps_fold(u32 *to, const u32 *from)
{
	for (u32 i = 0; i < STEPS; i++)
		to[i] += from[i];
}

#endif
