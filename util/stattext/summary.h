/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands around the rows for people: what was counted, how long it took, what to try. */
#ifndef PERF_STATTEXT_SUMMARY_H
#define PERF_STATTEXT_SUMMARY_H

#include "stat/result.h"

struct stat_summary {
	const char *target; /* borrowed; what was counted, but for the last quote: "'sleep 1" */
	bool several;       /* the command was to run several times */
	bool command_alone; /* a command was counted and nothing else: its time on CPUs is told */
	bool no_rows;       /* nothing was counted */
	const struct spread *durations; /* borrowed; ns of wall time of all runs; .nr may be 0 */
	struct stat_times times;        /* of the last run */
	const u64 *walls; /* borrowed; ns of each run, for a table of them; NULL: no table */
	size_t nr_walls;
};

/** stat_head_text - append the lines above the rows. */
void stat_head_text(const struct stat_summary *s, struct strbuf *out);

/** stat_foot_text - append the lines below the rows: a table of the runs, and the times. */
void stat_foot_text(const struct stat_summary *s, struct strbuf *out);

/** stat_advice_text - append what to try when an event never got a counter; nothing when all did.
 * @watchdog: the kernel's NMI watchdog runs, which occupies one */
void stat_advice_text(const struct stat_result *r, bool watchdog, struct strbuf *out);

#endif
