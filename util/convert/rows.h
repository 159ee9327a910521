/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples as rows for other programs: a JSON object on each line (NDJSON), or comma-separated
 * values (RFC 4180) below a line of names. What the columns are called and what is in them:
 * Documentation/format/samples.md.
 *
 * What is to be written is laid out once per event as a list of steps, each with the text before
 * its value; for a sample the list is gone through. One writer per thread.
 */
#ifndef PERF_CONVERT_ROWS_H
#define PERF_CONVERT_ROWS_H

#include "sampletext/sample-text.h"

enum rows_format { ROWS_NDJSON, ROWS_CSV };

struct rows;
struct rows_writer;

/** rows_new - lay out the events of a file; @conf is copied, what it points to is borrowed. Free
 * with rows_free(). */
struct rows *rows_new(enum rows_format format, const struct sample_text_conf *conf);
void rows_free(struct rows *r);

/** rows_head - the first line, "" for NDJSON; borrowed. */
const char *rows_head(const struct rows *r);

/** rows_unknown - a column (SF_*) that is among @fields and cannot be in rows; 0: none. */
u64 rows_unknown(u64 fields);

/** rows_writer_new - one thread's caches; @r is borrowed. Free with rows_writer_free(). */
struct rows_writer *rows_writer_new(const struct rows *r);
void rows_writer_free(struct rows_writer *w);

/**
 * rows_put - append the row of one sample.
 * @time: the place of the sample in time order
 */
void rows_put(struct rows_writer *w, const struct evsel *e, const struct sample *s, u64 time,
	      struct strbuf *out);

/**
 * rows_record - append a record that is no sample as the object of an NDJSON line, whose "type" no
 * sample has.
 * @e: its event, for READ records; NULL when not known
 * @id: its trailer
 */
void rows_record(const struct evsel *e, const wire_header *rec, const struct sample_id *id,
		 struct strbuf *out);

#endif
