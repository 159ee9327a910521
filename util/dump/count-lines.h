/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the counts of a `perf stat record` file as lines, with a table for each round. */
#ifndef PERF_DUMP_COUNT_LINES_H
#define PERF_DUMP_COUNT_LINES_H

#include "base/hash.h"
#include "session/session.h"

struct stat_count {
	u32 idx; /* of the event */
	s32 cpu;
	u32 thread;
	u64 value, enabled, running;
};

struct count_lines {
	s32 *cpus, *pids; /* owned; of the maps */
	size_t nr_cpus, cap_cpus, nr_pids, cap_pids;
	struct stat_count *counts; /* owned; the latest of each event, CPU and thread */
	size_t nr, cap;
	struct map64 place; /* of one in counts */
	bool titled;
};

/** count_lines_put - take a record in; a STAT_ROUND appends the table. In the order of the file. */
void count_lines_put(struct count_lines *st, const struct session *s,
		     const struct session_event *ev, struct strbuf *out);
void count_lines_release(struct count_lines *st);

#endif
