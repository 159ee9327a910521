/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of the scheduler (schedstat/schedstat.h) as tables and as JSON. */
#ifndef PERF_SCHEDTEXT_STATS_H
#define PERF_SCHEDTEXT_STATS_H

#include "schedstat/schedstat.h"

/** stats_report - append what was counted: the sum of all CPUs, and then each of them.
 * @legend: begin with the kernel's names of all counters */
void stats_report(const struct schedstat *s, bool legend, struct strbuf *out);
/** stats_diff - append two runs side by side: the sums, and then the CPUs that both have.
 * @legend: as above */
void stats_diff(const struct schedstat *a, const struct schedstat *b, bool legend,
		struct strbuf *out);
/**
 * stats_json - append one run as an object: version, jiffies, and an array of CPUs, of which the
 * first one is the sum of all. Counters have the kernel's names.
 */
void stats_json(const struct schedstat *s, struct strbuf *out);

#endif
