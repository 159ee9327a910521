/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf script of counts: the table of each round of a `perf stat record` file. */
#ifndef PERF_CMD_SCRIPT_STAT_H
#define PERF_CMD_SCRIPT_STAT_H

#include "base/hash.h"
#include "session/session.h"

struct stat_count {
	u32 idx; /* of the event */
	s32 cpu;
	u32 thread;
	u64 value, enabled, running;
};

struct script_stat {
	s32 *cpus, *pids; /* owned; of the maps */
	size_t nr_cpus, cap_cpus, nr_pids, cap_pids;
	struct stat_count *counts; /* owned; the latest of each event, CPU and thread */
	size_t nr, cap;
	struct map64 place; /* of one in counts */
	bool titled;
};

/** script_stat_put - take a record in; a STAT_ROUND appends the table. In the order of the file. */
void script_stat_put(struct script_stat *st, const struct session *s,
		     const struct session_event *ev, struct strbuf *out);
void script_stat_release(struct script_stat *st);

#endif
