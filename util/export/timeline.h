/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples over time, as formats with tracks have it: who ran when, and how much of an event. */
#ifndef PERF_EXPORT_TIMELINE_H
#define PERF_EXPORT_TIMELINE_H

#include "stacktree/event-class.h"
#include "stacktree/stacks.h"

/* A thread had a CPU from @start to @end. */
struct timeline_slice {
	u64 start, end;
	u32 cpu, thread;
};

/**
 * timeline_slices - who had the CPUs, as the recorded switches have it. They only tell it when
 * those of all threads are there: when idle threads, or such of the kernel as every CPU has, are
 * among them. Time before the first switch of a CPU and after the last one is in none; neither is
 * that of idle threads.
 * @narrowed: a filter keeps switches out: there are no slices
 * @slices: in the order of their ends; free()
 * Return: their number, 0 when switches do not tell.
 */
size_t timeline_slices(const struct stacks *s, bool narrowed, struct timeline_slice **slices);

#define TIMELINE_STEPS 1000

/* How much there was of each event, of the whole machine, in the steps the span is cut into. */
struct timeline_rates {
	u64 start, step; /* ns; step is not 0 */
	u32 nr_steps;
	u64 *sums; /* [event * nr_steps + step]: by weight */
};

/** timeline_rates - count them. Free with timeline_rates_release(). */
void timeline_rates(struct timeline_rates *r, const struct stacks *s, enum stacks_weight weight);
/** timeline_still_none - nothing in that step, and nothing in the one before: need not be said. */
static inline bool timeline_still_none(const struct timeline_rates *r, u32 event, u32 step)
{
	const u64 *at = &r->sums[event * (size_t)r->nr_steps + step];

	return step && !at[0] && !at[-1];
}
void timeline_rates_release(struct timeline_rates *r);

#endif
