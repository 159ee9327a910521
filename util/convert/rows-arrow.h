/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packed rows of samples as an Arrow file, or a stream where the output is one: one table, with a
 *column for everything that any event has, null where an event does not have it. One table keeps
 *the order of time of all events, and programs read it at once; the fields of one name of many
 *tracepoints are one column.
 *
 *	a = rows_arrow_new(out);
 *	r = rows_new(ROWS_PACKED, &conf, rows_arrow_store(a));
 *	rows_arrow_begin(a, r);
 *	rows_put(writer, ..., &text), rows_finish(writer, &text)	and so on
 *	rows_arrow_take(a, text.buf, text.len)	and so on
 *	rows_arrow_end(a);
 *	rows_arrow_free(a);
 */
#ifndef PERF_CONVERT_ROWS_ARROW_H
#define PERF_CONVERT_ROWS_ARROW_H

#include "convert/rows.h"
#include "export/export.h"

#define ROWS_ARROW_BATCH 65536 /* rows at most */

struct rows_arrow;

/** rows_arrow_new - make a table without columns. @out is borrowed. rows_arrow_free() frees the
 * result. */
struct rows_arrow *rows_arrow_new(struct export_out *out);
void rows_arrow_free(struct rows_arrow *a);
/** rows_arrow_store - return where its rows and their names are. It is borrowed. */
struct row_store *rows_arrow_store(struct rows_arrow *a);
/** rows_arrow_begin - make the columns of packed rows, and write what stands before the first batch
 * of them. */
void rows_arrow_begin(struct rows_arrow *a, const struct rows *r);
/** rows_arrow_take - take whole packed rows, in their order. A batch is written when it is full. */
void rows_arrow_take(struct rows_arrow *a, const char *rows, size_t len);
/** rows_arrow_rows - return how many rows were taken. */
u64 rows_arrow_rows(const struct rows_arrow *a);
/** rows_arrow_end - write the rest: the last batch, the names, the list of batches. */
void rows_arrow_end(struct rows_arrow *a);

#endif
