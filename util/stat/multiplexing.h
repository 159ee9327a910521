/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event that takes turns with others on a counter, over several runs: what it counts in all of a
 * run, and how far off that may be.
 *
 * A count that is scaled up takes it that the program did the same while the event was off its
 * counter. It does not: it starts, works and ends. Which parts of a program are seen is a matter of
 * the order in which the kernel lets events take turns, the same in every run; so the mean of many
 * runs may be far off, and hardly spread. Two things help:
 *
 * - Events get in line in another order each time (multiplexing_order()), so that each of them sees
 * each part of the program alike over the runs, and what it sees differs from run to run.
 * - Runs count as much as they have seen: the estimate is (all that was counted / all the time it
 *   was counted in) x the mean time, not the mean of scaled counts, in which a run that saw a
 *   hundredth of the program has the same say as one that saw all, and one that saw nothing is 0.
 *
 * Then what runs differ by is what is not known, and the error of the estimate follows from it.
 */
#ifndef PERF_STAT_MULTIPLEXING_H
#define PERF_STAT_MULTIPLEXING_H

#include "stat/counts.h"

enum { MUX_COUNTED, MUX_ENABLED, MUX_RUNNING, MUX_NR };

struct multiplexing {
	struct spread scaled;      /* the values as they are shown for a single run */
	double mean[MUX_NR];       /* of what was counted, and the two times */
	double m2[MUX_NR][MUX_NR]; /* sums of products of what is away from the means */
	bool shared;               /* it was off its counter at some time */
};

/** multiplexing_add - add one more run. @value: scaled up. @enabled, @running: ns */
void multiplexing_add(struct multiplexing *t, double value, u64 enabled, u64 running);
/**
 * multiplexing_spread - return the mean of what a run counts in all, and how far off that is.
 * Of an event that always had its counter that is the spread of its counts. Otherwise .nr is how
 * many whole runs tell as much, 0 when it was never on a counter; when that is a single one, the
 * error is as large as the mean.
 * @scale: false: values were not scaled up, and are to stay what was counted
 */
struct spread multiplexing_spread(const struct multiplexing *t, bool scale);
/**
 * multiplexing_order - make the order in which @nr groups of events are opened for the @run-th run.
 * @v: the groups as they were given; in that order afterwards. The first run leaves them as they
 * are. Of @nr runs each has another one in front, far from the one before; the line as such is
 * mixed anew after as many: some groups may be of other PMUs, or pinned, and take no turns.
 */
void multiplexing_order(size_t run, u32 *v, size_t nr);

#endif
