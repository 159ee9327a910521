/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the numbers of records of each type, as `perf report --stats` does. */
#ifndef PERF_DUMP_STATS_TEXT_H
#define PERF_DUMP_STATS_TEXT_H

#include "base/compat.h"
#include "base/strbuf.h"

/* One event and the numbers of its records. */
struct stats_event {
	const char *name; /* borrowed */
	u64 samples, lost_samples;
};

/**
 * stats_text - append the table: all records by type, then each event that has any.
 * @all: include types without records
 * @counts: numbers of records by type; the last of the 256 stands for larger types
 */
void stats_text(const u64 counts[256], const struct stats_event *events, size_t nr_events, bool all,
		struct strbuf *out);

#endif
