/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of perf trace -s and -S as rows for programs: JSON objects, or comma-separated values.
 */
#ifndef PERF_TRACETEXT_TRACE_ROWS_H
#define PERF_TRACETEXT_TRACE_ROWS_H

#include "codec/table.h"
#include "tracetext/trace-summary.h"

/** trace_rows_head - append what stands above all rows. @t: as for trace_rows() */
void trace_rows_head(struct strbuf *out, enum table_form form, const struct trace_summary *t);
/**
 * trace_rows - append a row for each call of each group; a group without calls has one without
 * them. Times are in ns.
 * @form: TABLE_JSON or TABLE_CSV
 * @sums: sorted (syscall_sums_sort())
 */
void trace_rows(struct strbuf *out, enum table_form form, const struct trace_summary *t,
		const struct sysargs *sa, const struct syscall_sums *sums);

#endif
