/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a record that is no sample says, as text: shared by -D and `script --show-*-events`. */
#ifndef PERF_DUMP_RECORD_TEXT_H
#define PERF_DUMP_RECORD_TEXT_H

#include "base/strbuf.h"
#include "wire/event.h"

struct machine;
struct symbols;

/*
 * One line each, or as -D of a command has them: with all that records of recorders hold, and the
 * word that the command itself makes no use of one.
 */
enum record_style { RECORD_LINE, RECORD_SCRIPT, RECORD_REPORT };

/* What the record itself does not hold. */
struct record_about {
	const struct evsel *evsel;  /* the event it belongs to; NULL: unknown */
	const struct sample_id *id; /* its trailer; NULL for user records */
	enum record_style style;
	bool unordered;     /* a dump of a file in which rounds mean nothing */
	u32 aux_type;       /* of the AUXTRACE_INFO record seen; 0: none */
	const char *symbol; /* TEXT_POKE: at its address; NULL: none */
	u64 symoff;         /* of the address in it */
};

/**
 * record_text_put - "PERF_RECORD_MMAP 12/12: [...]: x name" and the end of the line.
 * The line of a record without anything to tell is left open in a dump, as the reader's next line
 * begins with a newline. A record that makes no sense says so.
 */
void record_text_put(const wire_header *rec, size_t size, const struct record_about *about,
		     struct strbuf *out);

/** record_about_poke - find the symbol that a TEXT_POKE changes. */
void record_about_poke(const wire_header *rec, const struct machine *machine,
		       struct symbols *symbols, struct record_about *about);

#endif
