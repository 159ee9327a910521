/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts since the start over all runs, which never decrease. */
#ifndef PERF_STAT_TOTALS_H
#define PERF_STAT_TOTALS_H

#include "stat/result.h"

struct stat_total {
	double val;
	u64 enabled, running;
};

struct stat_totals {
	struct stat_total *now, *before; /* owned; [event][id]; before: those of finished runs */
};

/**
 * totals_take - compute the totals from the counts of this run so far. A scaled value may become
 * smaller when the event gets onto a counter; the total then stays the same. Values that are not
 * sums (evsel.snapshot) are not changed.
 * @r: it has the same events and ids each time; its values become the totals
 */
void totals_take(struct stat_totals *t, struct stat_result *r);
/**
 * totals_next_run - begin a new run, whose counts start from zero. @r: provides the numbers of
 * events and ids
 */
void totals_next_run(struct stat_totals *t, const struct stat_result *r);
/** totals_release - free the contents. */
void totals_release(struct stat_totals *t);

#endif
