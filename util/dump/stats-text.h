/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many records of which type: what `perf report --stats` prints. */
#ifndef PERF_DUMP_STATS_TEXT_H
#define PERF_DUMP_STATS_TEXT_H

#include "base/compat.h"
#include "base/strbuf.h"

/* One event and the records that are its own. */
struct stats_event {
	const char *name; /* borrowed */
	u64 samples, lost_samples;
};

/**
 * stats_text - the table: all records by type, then each event that has any.
 * @all: those that there were none of, too
 * @counts: records seen, by type; the last of the 256 are those of types beyond
 */
void stats_text(const u64 counts[256], const struct stats_event *events, size_t nr_events, bool all,
		struct strbuf *out);

#endif
