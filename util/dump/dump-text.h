/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The raw dump of a recording, -D: for each record its bytes in hex, a line with its contents, and
 * all fields of samples.
 *
 *	0xe8@perf.data [0x50]: event: 1
 *	.
 *	. ... raw event: size 80 bytes
 *	.  0000:  01 00 00 00 01 00 50 00 ff ff ff ff 00 00 00 00  ......P.........
 *	...
 *	0 0xe8 [0x50]: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1f000000) @ ...
 */
#ifndef PERF_DUMP_DUMP_TEXT_H
#define PERF_DUMP_DUMP_TEXT_H

#include "base/strbuf.h"
#include "events/evlist.h"
#include "file/env.h"
#include "machine/machine.h"
#include "dump/record-text.h"
#include "symbol/symbol.h"

struct dump_text {
	const struct evlist *evlist;   /* borrowed; it may grow between records of a pipe */
	const struct machine *machine; /* borrowed; sealed, or updated together with the records */
	struct symbols *symbols;       /* borrowed */
	const struct env *env;         /* borrowed; it names the architecture of registers */
	enum record_style style;       /* the style of the command */
	bool unordered;                /* records come in the order of the file */
	bool swapped;                  /* the file has the other byte order */
	bool pipe;                     /* events become known from the records that are dumped */
	u32 aux_type;    /* from an AUXTRACE_INFO record, set by dump_text_note(); 0: none */
	size_t nr_attrs; /* pipes: HEADER_ATTR records dumped so far */
	/* Set by dump_text_init(): */
	struct strbuf place; /* owned; "@" and the name of the file */
	u64 types;           /* sample_type bits of all known events */
	size_t nr_known;
	struct dump_trace *traces; /* owned; of a pipe: those whose records wait for their turn */
	size_t nr_traces, cap_traces;
};

/* The data behind an AUXTRACE record of a pipe. */
struct dump_trace {
	u64 offset; /* of the record */
	u8 *bytes;  /* owned */
	size_t size;
};

struct dump_record {
	const wire_header *hdr; /* complete, in native order */
	u64 offset;             /* the offset that is shown */
	bool whole;             /* a sample that is not followed by its parts with their threads */
	u32 part;               /* number of its part of a directory, from 1; 0: none */
	const void *trace;      /* the data behind an AUXTRACE record */
	size_t trace_size;      /* 0: they are not at hand */
	const struct evsel *evsel;
	const struct sample *sample; /* a decoded SAMPLE, otherwise NULL */
	const struct sample_id *id;  /* the trailer of other kernel records */
	const struct thread_at *at;  /* the thread of a sample; NULL: do not show it */
};

/**
 * dump_text_init - initialize @d after the members above have been set. @path: the name after the
 * "@"
 */
void dump_text_init(struct dump_text *d, const char *path);
void dump_text_release(struct dump_text *d);

/**
 * dump_text_put - append everything about one record. For a file any number of threads may call it,
 * for a pipe only one.
 */
void dump_text_put(struct dump_text *d, const struct dump_record *r, struct strbuf *out);

/** dump_text_thread - append thread and object of a part of a sample (not whole). */
void dump_text_thread(const struct dump_text *d, const struct dump_record *r, struct strbuf *out);

/**
 * dump_text_note - take notice of a record that is not a sample. It has to be called before records
 * that depend on it are dumped.
 */
void dump_text_note(struct dump_text *d, const wire_header *rec);

/** dump_hex - append bytes with offsets and characters. */
void dump_hex(struct strbuf *out, const void *bytes, size_t size);

#endif
