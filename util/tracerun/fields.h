/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events that are no system calls, as lines of perf trace: name(field: value, ...). */
#ifndef PERF_TRACERUN_FIELDS_H
#define PERF_TRACERUN_FIELDS_H

#include "sysargs/sysargs.h"
#include "tracefmt/tracefmt.h"

/**
 * trace_fields - append the fields of an event, with the names and without those that are zero, as
 * the view says. Tasks are named by its operations.
 */
void trace_fields(struct strbuf *out, const struct tf_event *format, const void *raw, size_t size,
		  const struct sysargs_view *v);

#endif
