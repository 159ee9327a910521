/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What follows from the options of perf trace together, before a live run. */
#ifndef PERF_TRACERUN_SETTLE_H
#define PERF_TRACERUN_SETTLE_H

#include "recordopts/options.h"
#include "tracerun/select.h"
#include "tracerun/tracerun.h"

/**
 * trace_check - find what was asked for together and does not go together.
 * @sa: the calls that there are
 * @stacks: samples have call chains
 * Return: 0, or -EINVAL and a sentence.
 */
int trace_check(const struct trace_asked *a, const struct sysargs *sa, bool stacks,
		struct err *err);
/**
 * trace_leave_out - find the processes that are not traced: those that the user names, and where
 * the whole system or a user is traced those that show the trace.
 * @named: gets the processes of @text
 * @text: a list with commas, as the user gave it; NULL: none
 * @many: processes are traced that nobody has named
 * @out: gets all of them; there is a most, behind which they are traced
 * Return: 0, or negative errno and a sentence.
 */
int trace_leave_out(struct int_list *named, const char *text, bool many, const struct sysroot *sr,
		    struct int_list *out, struct err *err);
/** trace_settle_sampling - set what each sample has to have. @a: gets whether there are chains. */
void trace_settle_sampling(struct trace_asked *a, struct sample_opts *s);
/**
 * trace_settle_copies - tell which memory of calls is copied for their lines.
 * Return: a row for each call, which the caller frees; NULL: there are no lines of calls.
 */
struct call_copies *trace_settle_copies(const struct trace_asked *a, const struct trace_select *s,
					const struct sysargs *sa);

#endif
