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
#ifndef PERF_OUTPUT_SAMPLE_TEXT_H
#define PERF_OUTPUT_SAMPLE_TEXT_H

#include "events/evlist.h"
#include "machine/machine.h"
#include "output/sample-fields.h"
#include "symbol/symbol.h"
#include "tracefmt/tracefmt.h"

/* Everything is borrowed and must outlive the sample_text. */
struct sample_text_conf {
	const struct evlist *evlist;
	const struct sample_fields *fields; /* after sample_fields_check() */
	const struct tracefmt *tracefmt;    /* NULL: tracepoints show no payload */
	const struct machine *machine;
	struct symbols *symbols;
	u32 max_stack;       /* frames shown per call chain */
	bool hide_callchain; /* show the sampled address alone */
	bool nanosecs;       /* times with nine digits */
};

struct sample_text;
struct sample_writer;

/** sample_text_new - prepare the events of a file; free with sample_text_free(). */
struct sample_text *sample_text_new(const struct sample_text_conf *conf);
void sample_text_free(struct sample_text *st);

/** sample_writer_new - one thread's caches; @st is borrowed. Free with sample_writer_free(). */
struct sample_writer *sample_writer_new(const struct sample_text *st);
void sample_writer_free(struct sample_writer *w);

/** sample_writer_thread - whose sample it is, through the writer's cache; valid until the next
 * call. */
const struct thread_at *sample_writer_thread(struct sample_writer *w, u32 pid, u32 tid, u64 time);
/** sample_writer_put - append the text of one sample. */
void sample_writer_put(struct sample_writer *w, const struct evsel *e, const struct sample *s,
		       u64 time, struct strbuf *out);

#endif
