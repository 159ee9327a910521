/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events that are opened for what is asked for, with filters that the kernel applies. */
#ifndef PERF_TRACERUN_EVENTS_H
#define PERF_TRACERUN_EVENTS_H

#include "events/parse.h"
#include "tracerun/tracerun.h"

/**
 * trace_events_add - add the events of system calls, page faults and the scheduler.
 * @sa: calls of this machine
 * Return: 0, or negative errno and a sentence.
 */
int trace_events_add(struct evlist *l, const struct trace_asked *asked, const struct sysargs *sa,
		     const struct parse_env *env, struct err *err);
/**
 * trace_events_leave_out - have tracepoints take nothing of some processes.
 * @pids: their numbers
 */
void trace_events_leave_out(struct evlist *l, const s32 *pids, size_t nr);
/**
 * trace_call_filter - append the filter of the kernel that lets calls through.
 * @wanted: of each number below @nr; NULL: all are wanted
 * Nothing is appended where no filter is needed, or it would be too long for the kernel.
 */
void trace_call_filter(struct strbuf *out, const bool *wanted, u32 nr);
/**
 * trace_events_numbers - append the filter that lets the calls through that are wanted and have no
 * filter on their arguments.
 * @narrow: those of narrow programs that @sa contains as well
 */
void trace_events_numbers(struct strbuf *filter, const struct trace_select *s,
			  const struct sysargs *sa, bool narrow);
/**
 * trace_own_pids - find the processes that would be traced because they show the trace: this one
 * and the terminal or the server of a remote login that it runs in.
 * Return: their number, at most @max.
 */
size_t trace_own_pids(const struct sysroot *sr, s32 *pids, size_t max);

#endif
