/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summaries whose calls are counted in the kernel (bpf/call-sums.h), without an event per call. */
#ifndef PERF_TRACERUN_COUNTED_H
#define PERF_TRACERUN_COUNTED_H

#include "bpf/call-sums.h"
#include "recordopts/options.h"
#include "tracerun/tracerun.h"

/**
 * trace_counted_open - have the calls of a live run counted in the kernel.
 * @opts: what is traced
 * @named: events other than calls are asked for
 * @cgroup: the control group that is traced; NULL: any
 * @left_out: processes that are not counted
 * Return: 0, or negative errno and a sentence when only rings can tell what is asked for, or the
 * kernel or our rights do not allow BPF; then there is nothing to close.
 */
int trace_counted_open(struct call_sums *counted, const struct trace_asked *asked,
		       const struct record_opts *opts, bool named, const char *cgroup,
		       const struct sysargs *sa, const struct int_list *left_out,
		       const struct sysroot *sr, struct err *err);
/** trace_counted_event - add the event that tells of threads, which is needed without lines. */
void trace_counted_event(struct evlist *l);

#endif
