/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples as the lines of `perf script`:
 *
 *	           spin  2542 [000]   541.158132:    1001001 cpu-clock:      55971f7893d7 leaf+0x11
 *(/tmp/spin)
 *
 * and with a call chain one line per frame and an empty line behind it. All that is expensive
 * (symbols, names) is rendered once per (epoch, address) or thread and then copied, so the work
 * per sample is copying text and formatting integers. One writer per thread.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_TEXT_H
#define PERF_SAMPLETEXT_SAMPLE_TEXT_H

#include "events/evlist.h"
#include "machine/machine.h"
#include "sampletext/guest-ids.h"
#include "sampletext/place-filter.h"
#include "sampletext/sample-fields.h"
#include "sampletext/sample-time.h"
#include "symbol/symbol.h"
#include "tracefmt/tracefmt.h"

/* Everything is borrowed and must outlive the sample_text. */
struct sample_text_conf {
	const struct evlist *evlist;
	const struct sample_fields *fields; /* after sample_fields_check() */
	const struct tracefmt *tracefmt;    /* NULL: tracepoints show no payload */
	const struct machine *machine;
	struct symbols *symbols;
	u32 max_stack;                     /* frames shown per call chain */
	bool hide_callchain;               /* show the sampled address alone */
	bool narrow;                       /* short names and bare CPUs, as for latencies */
	bool kernel_path;                  /* the kernel as the vmlinux its symbols are from */
	bool wide_objects;                 /* objects padded, as beside the calls of a trace */
	struct sample_time_conf times;     /* other than TIMES_FULL: one writer for all */
	const struct place_filter *places; /* NULL: none */
	bool inlines;                   /* functions that were inlined are frames of call chains */
	bool full_source_path;          /* source files with their folders */
	u32 max_blocks;                 /* of branch stacks shown as instructions; 0: all */
	const struct guest_ids *guests; /* of SF_MACHINE_PID and SF_VCPU */
	const struct branch_counters *counters; /* of SF_BRCNTR */
	const char *arch; /* of the recording, for names of registers; NULL: this machine's */
};

struct sample_text;
struct sample_writer;

/** sample_text_new - prepare the events of a file; free with sample_text_free(). */
struct sample_text *sample_text_new(const struct sample_text_conf *conf);
void sample_text_free(struct sample_text *st);

/** sample_object_name - the object of a location, as conf says it is shown; borrowed. */
const char *sample_object_name(const struct sample_text_conf *conf, const struct location *l);

/** sample_writer_new - one thread's caches; @st is borrowed. Free with sample_writer_free(). */
struct sample_writer *sample_writer_new(const struct sample_text *st);
void sample_writer_free(struct sample_writer *w);

/** sample_writer_thread - whose sample it is, through the writer's cache; valid until the next
 * call. */
const struct thread_at *sample_writer_thread(struct sample_writer *w, u32 pid, u32 tid, u64 time);
/**
 * sample_writer_start - append what the line of a record that is no sample starts with.
 * @hdr: the record, its type and misc; @id: the columns; @comm: the name that stands there
 */
void sample_writer_start(struct sample_writer *w, const struct evsel *e, const wire_header *hdr,
			 const struct sample_id *id, const char *comm, struct strbuf *out);
/** sample_writer_wants - does a sample pass conf.places? */
bool sample_writer_wants(struct sample_writer *w, const struct sample *s, u64 time);
/** sample_writer_put - append the text of one sample. */
void sample_writer_put(struct sample_writer *w, const struct evsel *e, const struct sample *s,
		       u64 time, struct strbuf *out);

#endif
