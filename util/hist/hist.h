/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregation. Samples are first counted by what is raw: (event, thread, comm, epoch, cpu, raw stack);
 * each worker has its own table. hist_finish() merges the tables, resolves unique addresses once, and
 * folds the sums into entries keyed by the sort keys that were asked for.
 */
#ifndef PERF_HIST_HIST_H
#define PERF_HIST_HIST_H

#include "base/compat.h"

/* What one sample contributes. The caller (a builtin) fills it from the session's event and the machine. */
struct hist_sample {
	u32 evsel;		/* idx */
	u32 thread, comm, epoch;	/* from struct thread_at */
	u32 pid, tid, cpu;
	u8 cpumode;
	u64 ip, period, time;
	u64 order;		/* file offset: decides ties deterministically */
	const u64_una *chain;	/* raw call chain with context markers; NULL without */
	u64 nr_chain;
};

#endif
