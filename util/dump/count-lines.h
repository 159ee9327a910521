/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collect the counts of a `perf stat record` file, and print them as lines, with a table for each
 * round. */
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

/* A count at the end of a round. */
struct round_count {
	const struct evsel *evsel;
	s32 cpu, pid;
	u64 value, enabled, running;
};
/* Takes a count of the round at @time (in ns), or, with NULL, the end of the round. Nonzero
 * stops. */
typedef int (*count_lines_fn)(void *ctx, const struct round_count *c, u64 time);

/**
 * count_lines_take - take a record in, in the order of the file; at a STAT_ROUND, call @fn for each
 * event, thread and CPU. Return: 0, or what @fn returned.
 */
int count_lines_take(struct count_lines *st, const struct session *s,
		     const struct session_event *ev, count_lines_fn fn, void *ctx);
/** count_lines_put - do the same; a STAT_ROUND appends the table. */
void count_lines_put(struct count_lines *st, const struct session *s,
		     const struct session_event *ev, struct strbuf *out);
void count_lines_release(struct count_lines *st);

#endif
