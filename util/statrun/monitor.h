/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts since the start, over all runs, however often somebody asks and whatever intervals there
 * are: what a monitoring system wants. */
#ifndef PERF_STATRUN_MONITOR_H
#define PERF_STATRUN_MONITOR_H

#include "stat/totals.h"
#include "statrun/statrun.h"

struct stat_monitor {
	struct stat_run *run; /* borrowed */
	struct stat_totals totals;
	struct stat_result result; /* the totals, to be shown; its duration is ns since the start */
	struct count *none;        /* owned; what counted before the start: nothing */
	u64 earlier;               /* ns that the runs took which are over */
};

/** stat_monitor_init - watch the runs of @r, which is borrowed. */
void stat_monitor_init(struct stat_monitor *m, struct stat_run *r);
/** stat_monitor_read - read the counts, and take them into m->result. */
void stat_monitor_read(struct stat_monitor *m);
/** stat_monitor_take - take counts that were just read into m->result. */
void stat_monitor_take(struct stat_monitor *m);
/** stat_monitor_next_run - note that a run has ended, and counts will start from zero again. */
void stat_monitor_next_run(struct stat_monitor *m);
/** stat_monitor_release - free the contents. */
void stat_monitor_release(struct stat_monitor *m);

#endif
