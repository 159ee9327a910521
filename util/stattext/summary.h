/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the lines around the rows of perf stat: what was counted, how long it took, and advice. */
#ifndef PERF_STATTEXT_SUMMARY_H
#define PERF_STATTEXT_SUMMARY_H

#include "stat/result.h"

struct stat_summary {
	const char *target; /* borrowed; what was counted, without the closing quote: "'sleep 1" */
	bool several;       /* the command was run several times */
	bool command_alone; /* only a command was counted, so its CPU time is shown */
	bool no_rows;       /* nothing was counted */
	const struct spread *durations; /* borrowed; wall times of all runs in ns; .nr may be 0 */
	struct stat_times times;        /* times of the last run */
	const u64 *walls; /* borrowed; wall time of each run in ns, for a table of runs; NULL: no
			     table */
	size_t nr_walls;
};

/** stat_head_text - append the lines above the rows. */
void stat_head_text(const struct stat_summary *s, struct strbuf *out);

/** stat_foot_text - append the lines below the rows: a table of the runs, and the times. */
void stat_foot_text(const struct stat_summary *s, struct strbuf *out);

/**
 * stat_advice_text - append advice when an event never got a counter; nothing when all did.
 * @watchdog: the kernel's NMI watchdog runs and occupies a counter
 */
void stat_advice_text(const struct stat_result *r, bool watchdog, struct strbuf *out);

#endif
