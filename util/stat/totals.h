/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts since the beginning, over all runs, that never go down. */
#ifndef PERF_STAT_TOTALS_H
#define PERF_STAT_TOTALS_H

#include "stat/result.h"

struct stat_total {
	double val;
	u64 enabled, running;
};

struct stat_totals {
	struct stat_total *now, *before; /* owned; [event][id]; before: of the runs that are over */
};

/**
 * totals_take - from what this run has counted so far to what there is in all.
 * A value that was scaled up may become smaller when the event gets onto a counter; the total stays
 * as it was then. What is no sum (evsel.snapshot) is taken as it is.
 * @r: of the same events and ids each time; its values become the totals
 */
void totals_take(struct stat_totals *t, struct stat_result *r);
/** totals_next_run - counts start from zero again. @r: tells how many there are */
void totals_next_run(struct stat_totals *t, const struct stat_result *r);
/** totals_release - free the contents. */
void totals_release(struct stat_totals *t);

#endif
