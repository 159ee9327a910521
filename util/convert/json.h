/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording as JSON:
 *
 *	{
 *		"linux-perf-json-version": 1,
 *		"headers": { ... },
 *		"samples": [ { "timestamp": ..., "callchain": [ ... ], "event": ... }, ... ],
 *		"events": [ { "timestamp": ..., "type": "COMM", ... }, ... ]
 *	}
 *
 * Documentation/perf-data.txt describes the contents. The functions append pieces to buffers, and
 * the caller puts these together: head, samples, middle, other records, tail. Each sample and
 * record begins with a comma of JSON_COMMA bytes, which has to be removed from the first one.
 */
#ifndef PERF_CONVERT_JSON_H
#define PERF_CONVERT_JSON_H

#include "events/evlist.h"
#include "file/reader.h"
#include "machine/machine.h"
#include "symbol/symbol.h"
#include "tracefmt/tracefmt.h"

#define JSON_COMMA 1

/* Everything is borrowed and must outlive the objects that are made with it. */
struct json_conf {
	const struct evlist *evlist;
	const struct machine *machine; /* sealed, unless from a pipe */
	struct symbols *symbols;
	const struct tracefmt *tracefmt; /* NULL: data of tracepoints are written as bytes */
	const char *arch;                /* architecture of the registers; NULL: this machine's */
	u64 time_offset;                 /* added to every timestamp */
};

struct json_shape;
struct json_writer;

/**
 * json_shape_new - prepare the events; the result is read-only afterwards. json_shape_free() frees
 * it.
 */
struct json_shape *json_shape_new(const struct json_conf *conf);
void json_shape_free(struct json_shape *sh);

/**
 * json_writer_new - make the caches of one thread. @sh is borrowed. json_writer_free() frees the
 * result.
 */
struct json_writer *json_writer_new(const struct json_shape *sh);
void json_writer_free(struct json_writer *w);

/** json_soon - prefetch what json_sample() needs for a sample that will come soon. */
void json_soon(struct json_writer *w, const struct evsel *e, const struct sample *s, u64 time);

/**
 * json_sample - append a comma and the object of one sample.
 * @time: the place of the sample in time order
 */
void json_sample(struct json_writer *w, const struct evsel *e, const struct sample *s, u64 time,
		 struct strbuf *out);

/**
 * json_record - append a comma and the object of a record other than a sample.
 * @e: its event, for READ records; NULL: unknown
 * @id: its trailer
 */
void json_record(const struct evsel *e, const wire_header *rec, const struct sample_id *id,
		 u64 time_offset, struct strbuf *out);

/**
 * json_head - append everything before the first sample.
 * @captured: when the file was last written, in seconds since 1970
 */
void json_head(const struct perf_file *f, s64 captured, struct strbuf *out);
/**
 * json_middle - append the text between the samples and other records, if there is an array of
 * these.
 */
void json_middle(struct strbuf *out);
/** json_tail - append the end. */
void json_tail(struct strbuf *out);

#endif
