/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts as they are read: a number per event, CPU and thread; what has come since the last look;
 * and how they spread over several runs.
 */
#ifndef PERF_STAT_COUNTS_H
#define PERF_STAT_COUNTS_H

#include "base/compat.h"

/* What an event has counted at a place, and for how many nanoseconds it was enabled and on a
 * counter. */
struct count {
	u64 val, enabled, running;
};

struct counts {
	size_t nr_evsels, nr_cpus, nr_threads; /* 1 where CPUs or threads are not told apart */
	struct count *now;                     /* owned; as read last: [evsel][cpu][thread] */
	struct count *before;                  /* owned; at the last counts_mark(), zero before */
	bool *there;                           /* owned; was it read at all? Same order */
};

/** counts_init - all zero. */
void counts_init(struct counts *c, size_t nr_evsels, size_t nr_cpus, size_t nr_threads);
/** counts_release - free the contents. */
void counts_release(struct counts *c);

/** counts_index - where the count of an event on the @cpu-th CPU and @thread-th thread is. */
static inline size_t counts_index(const struct counts *c, size_t evsel, size_t cpu, size_t thread)
{
	return (evsel * c->nr_cpus + cpu) * c->nr_threads + thread;
}

/** counts_since - what was counted at an index since the last mark. */
struct count counts_since(const struct counts *c, size_t index);
/** counts_mark - from here on counts_since() counts anew. */
void counts_mark(struct counts *c);
/** counts_unmark - count from the start again. */
void counts_unmark(struct counts *c);
/** counts_clear - all zero and not there, as for another run. */
void counts_clear(struct counts *c);

/* Mean and spread of numbers seen one after the other (Welford). */
struct spread {
	u64 nr;
	double mean, m2;
	double min, max;
};

/** spread_add - one more. */
void spread_add(struct spread *s, double v);
/** spread_error - standard error of the mean; 0 for fewer than two numbers. */
double spread_error(const struct spread *s);
/** spread_percent - the same in per cent of the mean; 0 when the mean is 0. */
double spread_percent(const struct spread *s);

#endif
