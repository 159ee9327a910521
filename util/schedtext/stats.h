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

/** stats_left_out - append a line for each kind of counters that are left out. @damaged: records */
void stats_left_out(const struct schedstat_gone *gone, u64 damaged, struct strbuf *out);

struct stats_look {
	bool json;   /* objects with the kernel's names, in place of tables */
	bool legend; /* tables begin with the kernel's names of all counters */
};

/**
 * schedstat_text - append what was counted: the sum of all CPUs, and then each of them.
 * @b: a second run, which is shown beside the first one as far as both have the same CPUs and
 *	counters; in JSON there is an array of both then; or NULL
 */
void schedstat_text(const struct schedstat *a, const struct schedstat *b,
		    const struct stats_look *look, struct strbuf *out);

/* ---- for the files of this room ---- */

/** stats_json - append one run as an object: version, jiffies, and an array of CPUs, of which the
 * first one is the sum of all. */
void stats_json(const struct schedstat *s, struct strbuf *out);

#endif
