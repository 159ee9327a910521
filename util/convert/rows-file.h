/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write a file of rows of samples, as NDJSON or CSV, and of records beside them, or of columns. */
#ifndef PERF_CONVERT_ROWS_FILE_H
#define PERF_CONVERT_ROWS_FILE_H

#include "convert/rows-arrow.h"
#include "sampletext/record-lines.h"

#define ROWS_FILE_WORKERS 64

struct rows_file {
	/* options: paths, "-" for standard output; NULL: not asked for */
	const char *ndjson, *csv, *columnar;
	struct export_out *out;   /* once open */
	struct rows_arrow *arrow; /* once open, if it is columnar */
	struct rows *rows;
	struct rows_writer *writers[ROWS_FILE_WORKERS];
	char *head;         /* as rows_head() told it; NULL: not yet */
	u64 samples, bytes; /* that are columns of a file, once it is closed */
};

/** rows_file_any - tell whether one of them is asked for. */
static inline bool rows_file_any(const struct rows_file *sr)
{
	return sr->ndjson || sr->csv || sr->columnar;
}

/** rows_file_path - return the path that was asked for; NULL: none. */
static inline const char *rows_file_path(const struct rows_file *sr)
{
	return sr->csv ? sr->csv : sr->ndjson ? sr->ndjson : sr->columnar;
}

/** rows_file_open - open what is written to; the columns that users chose are checked. */
int rows_file_open(struct rows_file *sr, const struct sample_fields *fields, struct err *err);

/** rows_file_default - choose columns when nobody did: those of script, and what tells processes
 * apart. */
void rows_file_default(struct sample_fields *fields);

/** rows_file_make - make writers for that many workers, and the first line, now that the events are
 * known, or more of them. */
int rows_file_make(struct rows_file *sr, const struct sample_text_conf *conf, int workers,
		   struct err *err);

/** rows_file_show - append a record that is no sample, when its type is shown. */
void rows_file_show(const struct rows_file *sr, const struct record_lines *show,
		    const struct session_event *ev, struct strbuf *out);

/** rows_file_write - write finished rows. Return: 0, or negative: rows_file_close() says
 * why. */
int rows_file_write(struct rows_file *sr, const char *text, size_t len);

/** rows_file_drop - forget what rows_file_make() made. */
void rows_file_drop(struct rows_file *sr);

/** rows_file_close - end it; half a file is taken away again. @ret: what has failed so far, or 0.
 * Return: @ret, or negative and a sentence. */
int rows_file_close(struct rows_file *sr, int ret, struct err *err);

#endif
