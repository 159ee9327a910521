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
	bool wall;     /* one more column: the share of the time that was traced */
	u64 wall_ns;   /* that time; 0: unknown */
	bool interval; /* tables come at intervals, this one from @from_ns on */
	u64 from_ns;
	bool hist; /* the distribution of the times of calls @hist_of stands below each table */
	s64 hist_of[2]; /* -1: none */
	/* Return the name of a group (a task's comm, the path of a control group), borrowed until
	 * the next call; NULL: unknown. */
	const char *(*name)(void *ctx, const struct syscall_group *g);
	void *ctx;
};

/** trace_wall_share - return the share of a call in the time that was traced, in per cent. Several
 * threads together may have more than 100. */
double trace_wall_share(const struct trace_summary *t, const struct syscall_sum *s);
/** trace_hist_wanted - tell whether the distribution of a call is asked for, and known. */
bool trace_hist_wanted(const struct trace_summary *t, const struct syscall_sum *s);
/** trace_hist_times - return how many times there are from one power of two of ns to the next. */
u64 trace_hist_times(const struct syscall_sum *s, u32 power);
/** trace_summary_order - return all groups in the order in which they are shown, in an array that
 * the caller frees. Those without events are not shown. */
const struct syscall_group **trace_summary_order(const struct syscall_sums *sums);
/** trace_summary - append the tables. @sums: sorted (syscall_sums_sort()) */
void trace_summary(struct strbuf *out, const struct trace_summary *t, const struct sysargs *sa,
		   const struct syscall_sums *sums);

#endif
