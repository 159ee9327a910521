/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of perf trace --json: an object in each, with these members, of which those that are not
 * known are left out.
 *
 *	time_ns      when it began, since the first event or of the clock
 *	duration_ns  how long a call took
 *	comm, pid, tid, cpu
 *	call, nr     name and number of a call
 *	args         an object: names of arguments and their texts, as in lines of text
 *	ret, result  what a call returned, as a number and as text
 *	errno        the name of the error
 *	event, text  of an event that is no call, or a page fault: its name, and its fields as text
 *	lost         so many events were lost here; nothing else stands in this line
 */
#ifndef PERF_TRACETEXT_TRACE_JSON_H
#define PERF_TRACETEXT_TRACE_JSON_H

#include "tracetext/trace-line.h"

/** trace_json_call - append a call that has ended, and a newline. */
void trace_json_call(struct strbuf *out, const struct trace_head *h, const struct sysargs *sa,
		     const struct syscall_call *call, const struct sysargs_view *v);
/** trace_json_event - append an event that is no call, and a newline. */
void trace_json_event(struct strbuf *out, const struct trace_head *h, const char *name,
		      const char *text, size_t len);
/** trace_json_lost - append that @nr events were lost, and a newline. */
void trace_json_lost(struct strbuf *out, u64 nr);

#endif
