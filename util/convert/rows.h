/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples as rows for other programs: a JSON object on each line (NDJSON), comma-separated values
 * (RFC 4180) below a line of names, or packed, as rows-arrow.h takes them.
 * Documentation/format/samples.md describes names and contents of the columns.
 *
 * The output is prepared once for each event, as a list of steps that each have the text before a
 * value; a sample is written by going through the list. There is one writer for each thread.
 */
#ifndef PERF_CONVERT_ROWS_H
#define PERF_CONVERT_ROWS_H

#include "sampletext/sample-text.h"

enum rows_format { ROWS_NDJSON, ROWS_CSV, ROWS_PACKED };

struct row_store;
struct rows;
struct rows_writer;

/**
 * rows_new - prepare the events of a file. @conf is copied, but what it points to is borrowed.
 * @store: takes packed rows and their names; borrowed; NULL with other formats
 * rows_free() frees the result.
 */
struct rows *rows_new(enum rows_format format, const struct sample_text_conf *conf,
		      struct row_store *store);
void rows_free(struct rows *r);

/** rows_head - return the first line, "" for NDJSON. Of packed rows it is a text that tells which
 * columns there are. It is borrowed. */
const char *rows_head(const struct rows *r);

/** rows_unknown - return a column (SF_*) among @fields that rows do not have; 0: none. */
u64 rows_unknown(u64 fields);

/**
 * rows_writer_new - make the caches of one thread. @r is borrowed. rows_writer_free() frees the
 * result.
 */
struct rows_writer *rows_writer_new(const struct rows *r);
void rows_writer_free(struct rows_writer *w);

/**
 * rows_put - append the row of one sample.
 * @time: the place of the sample in time order
 */
void rows_put(struct rows_writer *w, const struct evsel *e, const struct sample *s, u64 time,
	      struct strbuf *out);
/** rows_soon - prefetch what rows_put() of a sample needs. */
void rows_soon(struct rows_writer *w, const struct evsel *e, const struct sample *s, u64 time);
/** rows_finish - append those rows that rows_put() has kept; only packed ones are. */
void rows_finish(struct rows_writer *w, struct strbuf *out);

/**
 * rows_record - append a record other than a sample as the object of an NDJSON line. It has a
 * member "type", which samples do not have.
 * @e: its event, for READ records; NULL: unknown
 * @id: its trailer
 */
void rows_record(const struct evsel *e, const wire_header *rec, const struct sample_id *id,
		 struct strbuf *out);

#endif
