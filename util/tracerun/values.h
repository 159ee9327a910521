/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of options of perf trace. */
#ifndef PERF_TRACERUN_VALUES_H
#define PERF_TRACERUN_VALUES_H

#include "tracerun/tracerun.h"

/**
 * trace_read_fn - read the value of an option into what is asked for.
 * @text: NULL: the option is taken back
 * Return: 0, or -EINVAL and a sentence that names the option.
 */
typedef int trace_read_fn(struct trace_asked *a, const char *text, struct err *err);

/** trace_read_faults - read -F: "all", "maj" or "min". */
trace_read_fn trace_read_faults;
/** trace_read_duration - read --duration: milliseconds, which may have a fraction. */
trace_read_fn trace_read_duration;
/** trace_read_columns - read the columns of --summary, as in "p50,p99.9,wall". */
trace_read_fn trace_read_columns;
/** trace_read_string_len - read --string-len: a number of bytes. */
trace_read_fn trace_read_string_len;
/** trace_read_mode - read --summary-mode: "thread", "total" or "cgroup". */
trace_read_fn trace_read_mode;

#endif
