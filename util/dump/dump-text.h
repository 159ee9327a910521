/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The raw dump of a recording, -D: for each record its bytes in hex, the line that tells what it
 * says, and everything a sample carries.
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
	const struct evlist *evlist;   /* borrowed; may grow between records of a pipe */
	const struct machine *machine; /* borrowed; sealed, or fed in step with the records */
	struct symbols *symbols;       /* borrowed */
	const struct env *env;         /* borrowed; whose registers these are */
	enum record_style style;       /* of the command */
	bool unordered;                /* records come as they stand in the file */
	bool swapped;                  /* the file is of the other byte order */
	bool pipe;                     /* events become known by the records that are dumped */
	u32 aux_type;    /* of the AUXTRACE_INFO record seen, by dump_text_note(); 0: none */
	size_t nr_attrs; /* pipes: HEADER_ATTR records dumped so far */
	/* by dump_text_init(): */
	struct strbuf place; /* owned; "@" and the file */
	u64 types;           /* all bits of sample_type of the events known */
	size_t nr_known;
};

struct dump_record {
	const wire_header *hdr; /* whole and in native order */
	u64 offset;             /* as shown */
	bool whole;             /* of a sample: no parts of it, each with its thread, follow */
	u32 part;               /* number of the part of a directory it is in, from 1; 0: none */
	const struct evsel *evsel;
	const struct sample *sample; /* of a SAMPLE that could be decoded, else NULL */
	const struct sample_id *id;  /* of other kernel records: the trailer */
	const struct thread_at *at;  /* of a sample: its thread; NULL: not to be told */
};

/** dump_text_init - after the fields above are set. @path: what stands behind the "@". */
void dump_text_init(struct dump_text *d, const char *path);
void dump_text_release(struct dump_text *d);

/** dump_text_put - everything about one record. Any number of threads for a file, one for a pipe.
 */
void dump_text_put(struct dump_text *d, const struct dump_record *r, struct strbuf *out);

/** dump_text_thread - of a part of a sample (not whole): whose it is, and in which object. */
void dump_text_thread(const struct dump_text *d, const struct dump_record *r, struct strbuf *out);

/** dump_text_note - to be called with each record that is no sample before any that needs it. */
void dump_text_note(struct dump_text *d, const wire_header *rec);

/** dump_hex - the block of bytes with offsets and text. */
void dump_hex(struct strbuf *out, const void *bytes, size_t size);

#endif
