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
 * Described in Documentation/perf-data.txt. The pieces are appended to buffers here; putting them
 * together is up to the caller: head, samples (each starts with the comma that parts it from the
 * one before, JSON_COMMA bytes, which the first must lose), middle, other records, tail.
 */
#ifndef PERF_CONVERT_JSON_H
#define PERF_CONVERT_JSON_H

#include "events/evlist.h"
#include "file/reader.h"
#include "machine/machine.h"
#include "symbol/symbol.h"
#include "tracefmt/tracefmt.h"

#define JSON_COMMA 1

/* Everything is borrowed and must outlive what is made of it. */
struct json_conf {
	const struct evlist *evlist;
	const struct machine *machine; /* sealed, unless it is a pipe's */
	struct symbols *symbols;
	const struct tracefmt *tracefmt; /* NULL: payloads are shown as bytes */
	const char *arch;                /* that registers are named by; NULL: this machine's */
	u64 time_offset;                 /* added to every timestamp */
};

struct json_shape;
struct json_writer;

/** json_shape_new - prepare the events; read-only afterwards. Free with json_shape_free(). */
struct json_shape *json_shape_new(const struct json_conf *conf);
void json_shape_free(struct json_shape *sh);

/** json_writer_new - one thread's caches; @sh is borrowed. Free with json_writer_free(). */
struct json_writer *json_writer_new(const struct json_shape *sh);
void json_writer_free(struct json_writer *w);

/** json_soon - a sample that json_sample() will be called for soon: fetch what it needs. */
void json_soon(struct json_writer *w, const struct evsel *e, const struct sample *s, u64 time);

/**
 * json_sample - append the object of one sample, a comma before it.
 * @time: the place of the sample in time order
 */
void json_sample(struct json_writer *w, const struct evsel *e, const struct sample *s, u64 time,
		 struct strbuf *out);

/**
 * json_record - append the object of a record that is no sample, a comma before it.
 * @e: its event, for READ records; NULL when not known
 * @id: its trailer
 */
void json_record(const struct evsel *e, const wire_header *rec, const struct sample_id *id,
		 u64 time_offset, struct strbuf *out);

/**
 * json_head - everything before the first sample.
 * @captured: when the file was last written, seconds since 1970
 */
void json_head(const struct perf_file *f, s64 captured, struct strbuf *out);
/** json_middle - between the samples and other records; only when there is an array of them. */
void json_middle(struct strbuf *out);
/** json_tail - what ends it all. */
void json_tail(struct strbuf *out);

#endif
