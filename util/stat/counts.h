/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts as they are read: a number for each event, CPU and thread; the increase since the last
 * mark; and the deviation over several runs.
 */
#ifndef PERF_STAT_COUNTS_H
#define PERF_STAT_COUNTS_H

#include "base/compat.h"

/* The count of an event at one place, and the times in nanoseconds during which it was enabled and
 * on a counter. */
struct count {
	u64 val, enabled, running;
};

struct counts {
	size_t nr_evsels, nr_cpus, nr_threads; /* 1 where CPUs or threads are not distinguished */
	struct count *now;                     /* owned; the last readings: [evsel][cpu][thread] */
	struct count *before; /* owned; the readings at the last counts_mark(), at first 0 */
	bool *there;          /* owned; in the same order, whether it was read at all */
};

/** counts_init - make arrays of zeros. */
void counts_init(struct counts *c, size_t nr_evsels, size_t nr_cpus, size_t nr_threads);
/** counts_release - free the contents. */
void counts_release(struct counts *c);

/**
 * counts_index - return the index of the count of an event on the @cpu-th CPU and @thread-th
 * thread.
 */
static inline size_t counts_index(const struct counts *c, size_t evsel, size_t cpu, size_t thread)
{
	return (evsel * c->nr_cpus + cpu) * c->nr_threads + thread;
}

/** counts_since - return the increase at an index since the last mark. */
struct count counts_since(const struct counts *c, size_t index);
/** counts_mark - let counts_since() start from the current readings. */
void counts_mark(struct counts *c);
/** counts_unmark - let counts_since() start from 0 again. */
void counts_unmark(struct counts *c);
/** counts_clear - set everything to zero and not read, as for another run. */
void counts_clear(struct counts *c);

/* Mean and deviation of a sequence of numbers (Welford's method). */
struct spread {
	u64 nr;
	double mean, m2;
	double min, max;
};

/** spread_add - add a number. */
void spread_add(struct spread *s, double v);
/** spread_error - return the standard error of the mean; 0 for fewer than two numbers. */
double spread_error(const struct spread *s);
/** spread_percent - return the standard error in percent of the mean; 0 when the mean is 0. */
double spread_percent(const struct spread *s);

#endif
