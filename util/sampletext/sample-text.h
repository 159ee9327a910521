/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples as the lines of `perf script`:
 *
 *	spin  2542 [000]   541.158132:    1001001 cpu-clock:      55971f7893d7 leaf+0x11 (/tmp/spin)
 *
 * With a call chain, there is one line for each frame, followed by an empty line. Expensive parts
 * (symbols, names) are rendered once for each (epoch, address) or thread and then copied, so the
 * work for each sample is to copy text and to format integers. There is one writer for each thread
 * of the program.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_TEXT_H
#define PERF_SAMPLETEXT_SAMPLE_TEXT_H

#include "events/evlist.h"
#include "machine/machine.h"
#include "session/guest-ids.h"
#include "sampletext/place-filter.h"
#include "sampletext/sample-fields.h"
#include "sampletext/sample-time.h"
#include "symbol/symbol.h"
#include "tracefmt/tracefmt.h"
#include "unwind/style.h"

/* The settings. Everything is borrowed and must outlive the sample_text. */
struct sample_text_conf {
	const struct evlist *evlist;
	const struct sample_fields *fields; /* after sample_fields_check() */
	const struct tracefmt *tracefmt;    /* NULL: the fields of tracepoints are not shown */
	const struct machine *machine;
	struct symbols *symbols;
	u32 max_stack;       /* the most frames of a call chain to show */
	bool hide_callchain; /* show only the sampled address */
	bool narrow;         /* short names, and CPUs without brackets */
	bool kernel_path;    /* show the kernel as the path of the vmlinux with its symbols */
	bool wide_objects;   /* pad the names of objects */
	struct sample_time_conf times;     /* forms other than TIMES_FULL allow only one writer */
	const struct place_filter *places; /* NULL: none */
	bool inlines;                      /* inlined functions are frames of call chains */
	bool runtime_addresses; /* frames have the address in memory, not that in the object */
	bool full_source_path;  /* show source files with their directories */
	u32 max_blocks;         /* the most blocks of branch stacks as instructions; 0: all */
	const struct guest_ids *guests;         /* for SF_MACHINE_PID and SF_VCPU */
	const struct branch_counters *counters; /* for SF_BRCNTR */
	const char *arch; /* architecture, for names of registers; NULL: this machine's */
	bool swap;        /* the recording is of the other byte order */
	enum unwind_style unwind_style; /* who unwinds copied stacks */
};

struct sample_text;
struct sample_writer;

/** sample_chain_source - the recording of @conf, for callchain_conf_open(). */
struct callchain_source sample_chain_source(const struct sample_text_conf *conf);

/** sample_text_new - prepare for the events of a file. sample_text_free() frees the result. */
struct sample_text *sample_text_new(const struct sample_text_conf *conf);
void sample_text_free(struct sample_text *st);

/**
 * sample_object_name - return the name of a location's object in the form that @conf demands. It is
 * borrowed.
 */
const char *sample_object_name(const struct sample_text_conf *conf, const struct location *l);

/**
 * sample_writer_new - make the caches of one thread. @st is borrowed. sample_writer_free() frees
 * the result.
 */
struct sample_writer *sample_writer_new(const struct sample_text *st);
void sample_writer_free(struct sample_writer *w);

/**
 * sample_writer_thread - return the thread of a sample from the writer's cache. It is valid until
 * the next call.
 */
const struct thread_at *sample_writer_thread(struct sample_writer *w, u32 pid, u32 tid, u64 time);
/**
 * sample_writer_chain - append the call chain of a sample, one frame on each line, if chains of its
 * event are shown.
 */
void sample_writer_chain(struct sample_writer *w, const struct evsel *e, const struct sample *s,
			 u64 time, struct strbuf *out);
/**
 * sample_writer_start - append the beginning of a line for a record that is not a sample.
 * @hdr: the record, for its type and misc
 * @id: the values of the columns
 * @comm: the name of the thread to show
 */
void sample_writer_start(struct sample_writer *w, const struct evsel *e, const wire_header *hdr,
			 const struct sample_id *id, const char *comm, struct strbuf *out);
/** sample_writer_wants - tell whether conf.places selects a sample. */
bool sample_writer_wants(struct sample_writer *w, const struct sample *s, u64 time);
/** sample_writer_put - append the text of one sample. */
void sample_writer_put(struct sample_writer *w, const struct evsel *e, const struct sample *s,
		       u64 time, struct strbuf *out);

#endif
