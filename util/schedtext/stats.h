/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read the counters of the scheduler (schedstat/schedstat.h) from recordings, and show them as
 * tables and as JSON. */
#ifndef PERF_SCHEDTEXT_STATS_H
#define PERF_SCHEDTEXT_STATS_H

#include "recording/recording.h"
#include "schedstat/schedstat.h"

/* A recording tells this of its run. It starts zeroed. */
struct stats_read {
	struct schedstat grown; /* owned; schedstat_release() frees it */
	struct schedstat_gone gone;
	u64 damaged; /* records that could not be used */
};

/**
 * stats_read - read the counters of a recording that has just been opened, and subtract them.
 * @cpus: sorted; only these; empty: all
 * Return: 0, or a negative errno and a sentence; -ENOENT: it does not have two sets of counters.
 */
int stats_read(struct recording *r, const struct int_list *cpus, struct stats_read *out,
	       struct err *err);

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
