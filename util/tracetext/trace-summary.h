/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of perf trace -s and -S: calls of each thread, each control group, or all. */
#ifndef PERF_TRACETEXT_TRACE_SUMMARY_H
#define PERF_TRACETEXT_TRACE_SUMMARY_H

#include "analyze/syscall-sums.h"
#include "sysargs/sysargs.h"

#define TRACE_QUANTILES 8 /* so many columns at most */

enum trace_summary_mode { TRACE_BY_THREAD, TRACE_BY_TOTAL, TRACE_BY_CGROUP };

struct trace_summary {
	enum trace_summary_mode mode;
	bool errnos;  /* below each call stand its errors */
	bool runtime; /* time on a CPU is known */
	u32 most;     /* rows of each table; 0: all */
	/* More columns: the times that so many millionths of the calls do not exceed. */
	u32 quantiles[TRACE_QUANTILES];
	u32 nr_quantiles;
	bool hist; /* the distribution of the times of calls @hist_of stands below each table */
	s64 hist_of[2]; /* -1: none */
	/* Return the name of a group (a task's comm, the path of a control group), borrowed until
	 * the next call; NULL: unknown. */
	const char *(*name)(void *ctx, const struct syscall_group *g);
	void *ctx;
};

/** trace_summary - append the tables. @sums: sorted (syscall_sums_sort()) */
void trace_summary(struct strbuf *out, const struct trace_summary *t, const struct sysargs *sa,
		   const struct syscall_sums *sums);

#endif
