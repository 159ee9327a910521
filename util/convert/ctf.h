/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording as a trace in the Common Trace Format 1.8: a directory with `metadata`, a TSDL text
 * that describes the bytes, and a file `perf_stream_N` for each CPU.
 *
 *	ctf_sample(), ctf_record()	events as bytes, on any thread -> frames in a buffer
 *	ctf_trace_add()			frames in time order -> packets of the CPU's file
 *	ctf_trace_end()			the remaining events, and the metadata
 *
 * Format: Common Trace Format v1.8.3 (diamon.org/ctf). A packet is
 *
 *	header   u32 magic, u8 uuid[16], u32 stream_id
 *	context  u64 timestamp_begin, timestamp_end, content_size, packet_size (both in bits),
 *		 events_discarded, u32 cpu_id
 *	events   u32 id, u64 timestamp, the fields of that id
 *
 * in the byte order of this machine, everything on byte boundaries, filled up with zeros to whole
 * pages.
 */
#ifndef PERF_CONVERT_CTF_H
#define PERF_CONVERT_CTF_H

#include "events/evlist.h"
#include "file/env.h"
#include "tracefmt/tracefmt.h"

#define CTF_MAX_CPUS 8192 /* streams; events without a CPU, or with a higher one, go to the first */
#define CTF_UUID_SIZE 16

struct ctf_shape;
struct ctf_trace;

/** ctf_shape_new - make a description without events. ctf_shape_free() frees it. */
struct ctf_shape *ctf_shape_new(void);
void ctf_shape_free(struct ctf_shape *sh);
/**
 * ctf_shape_events - add the events of @l that are new. No other thread may write events meanwhile.
 * @tf: their formats, borrowed permanently; NULL: data of tracepoints are written as words
 */
void ctf_shape_events(struct ctf_shape *sh, const struct evlist *l, const struct tracefmt *tf);
/** ctf_shape_records - add the kinds of records other than samples. */
void ctf_shape_records(struct ctf_shape *sh);

/* A field of a class of events that is no event of a recording. */
struct ctf_part {
	const char *name;
	u8 size;   /* of a number: 4 or 8 bytes; 0: it is a text */
	bool sign; /* the number has a sign */
};

/** ctf_shape_class - add such a class. @name, @parts: copied. Return: its id. */
u32 ctf_shape_class(struct ctf_shape *sh, const char *name, const struct ctf_part *parts,
		    size_t nr);

/* The header of each event in a buffer. */
struct ctf_frame {
	u32 size; /* size of the event that follows */
	u32 cpu;
	u32 record_size; /* size of the record in the recording */
	bool sample;
};

/** ctf_sample - append a frame with a sample; nothing when its event is unknown. Thread-safe. */
void ctf_sample(const struct ctf_shape *sh, const struct evsel *e, const struct sample *s, u64 time,
		u32 record_size, struct strbuf *out);
/**
 * ctf_record - append a frame with a record other than a sample; nothing when it is malformed or of
 * a kind that is not written. Thread-safe.
 * @e: its event, or NULL
 * @cpu: CPU of its trailer
 */
void ctf_record(const struct ctf_shape *sh, const struct evsel *e, const wire_header *rec, u32 cpu,
		u64 time, struct strbuf *out);

/* The value of a field: a number, or a text that is borrowed. */
struct ctf_value {
	u64 number;
	const char *text;
};

/** ctf_values - append a frame with an event of a class of ctf_shape_class(). @values: one for each
 * of its fields, in their order */
void ctf_values(const struct ctf_shape *sh, u32 class, const struct ctf_value *values, u32 cpu,
		u64 time, struct strbuf *out);

/** ctf_uuid - make a random UUID of CTF_UUID_SIZE bytes. Return: 0, or negative errno and a
 * sentence. */
int ctf_uuid(u8 *uuid, struct err *err);

/* The contents of the metadata other than events. */
struct ctf_about {
	const struct env *env;
	bool wall_clock; /* times are those of the wall clock; env must have CLOCK_DATA */
};

/** ctf_metadata - append the TSDL text. @trace_uuid, @clock_uuid: CTF_UUID_SIZE bytes each */
void ctf_metadata(const struct ctf_shape *sh, const struct ctf_about *about, const u8 *trace_uuid,
		  const u8 *clock_uuid, struct strbuf *out);

struct ctf_counts {
	u64 samples, others, bytes; /* bytes: their size in the recording */
	u64 late; /* events after a later event of their CPU, which got the time of that one */
};

/**
 * ctf_trace_new - create the directory and those above it. In an existing directory, an older trace
 * is removed. ctf_trace_free() frees the result.
 * @uuid: CTF_UUID_SIZE bytes; copied
 * Return: 0, or a negative errno and a sentence.
 */
int ctf_trace_new(const char *path, const u8 *uuid, struct ctf_trace **out, struct err *err);
void ctf_trace_free(struct ctf_trace *t);
/** ctf_trace_add - write complete frames. */
int ctf_trace_add(struct ctf_trace *t, const char *frames, size_t size, struct err *err);
/** ctf_trace_end - write the remaining events and @metadata. */
int ctf_trace_end(struct ctf_trace *t, const char *metadata, size_t size, struct err *err);
/** ctf_trace_discard - remove everything that was written, and the directory if it was created. */
void ctf_trace_discard(struct ctf_trace *t);
/** ctf_trace_counts - return the statistics so far. */
struct ctf_counts ctf_trace_counts(const struct ctf_trace *t);

#endif
