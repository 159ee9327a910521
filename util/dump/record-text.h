/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Print the contents of a record that is not a sample, for -D and `script --show-*-events`. */
#ifndef PERF_DUMP_RECORD_TEXT_H
#define PERF_DUMP_RECORD_TEXT_H

#include "base/strbuf.h"
#include "wire/event.h"

struct machine;
struct symbols;

/*
 * One line for each record, or the form of -D of a command, with all contents of user records and
 * with a remark when the command does not use a record.
 */
enum record_style { RECORD_LINE, RECORD_SCRIPT, RECORD_REPORT };

/* Facts that are not in the record itself. */
struct record_about {
	const struct evsel *evsel;  /* its event; NULL: unknown */
	const struct sample_id *id; /* its trailer; NULL for user records */
	enum record_style style;
	bool unordered;     /* a dump of a file in which rounds have no meaning */
	u32 aux_type;       /* from an AUXTRACE_INFO record; 0: none */
	const void *trace;  /* the data behind an AUXTRACE record */
	size_t trace_size;  /* 0: they are not at hand */
	const char *symbol; /* for TEXT_POKE: the symbol at its address; NULL: none */
	u64 symoff;         /* offset of the address in the symbol */
};

/**
 * record_text_put - append "PERF_RECORD_MMAP 12/12: [...]: x name" and a newline. In a dump, the
 * line of a record without contents is left open, because the next line begins with a newline. For
 * a record that is not valid, the text says so.
 */
void record_text_put(const wire_header *rec, size_t size, const struct record_about *about,
		     struct strbuf *out);

/** record_about_poke - find the symbol that a TEXT_POKE changes. */
void record_about_poke(const wire_header *rec, const struct machine *machine,
		       struct symbols *symbols, struct record_about *about);

#endif
