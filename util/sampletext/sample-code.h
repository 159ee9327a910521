/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of samples as `perf script` shows it: the instruction at an address, what ran between
 * the branches of a branch stack, and the lines of source.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_CODE_H
#define PERF_SAMPLETEXT_SAMPLE_CODE_H

#include "base/strbuf.h"
#include "machine/machine.h"
#include "sampletext/branch-counters.h"
#include "sampletext/sample-fields.h"
#include "symbol/symbol.h"

struct sample_code; /* of one thread of the program */

struct sample_code_conf {
	const struct machine *machine; /* borrowed, as all of these; sealed unless from a pipe */
	struct symbols *symbols;
	const char *arch; /* of the recording; NULL: not known, code is taken to be of an x86 */
	u32 max_blocks;   /* of a branch stack; 0: all */
	bool full_source_path;                  /* not the last part alone */
	const struct branch_counters *counters; /* of SF_BRCNTR; NULL: none */
};

/** sample_code_new - nothing is read yet. Free with sample_code_free(). */
struct sample_code *sample_code_new(const struct sample_code_conf *conf);
void sample_code_free(struct sample_code *sc);

/** sample_code_insn - " ilen: 2", " insn: 89 c2", "\t\tmovl %eax, %edx" at the address of a sample,
 * as far as @fields (SF_*) ask for it and it is known. */
void sample_code_insn(struct sample_code *sc, const struct thread_at *at, const struct sample *s,
		      u64 fields, struct strbuf *out);
/** sample_code_branches - the instructions between the branches of a sample of @e, oldest first,
 * each on a line; with their lengths, as text, with lines of source, with counters as @fields ask
 * for it. */
void sample_code_branches(struct sample_code *sc, const struct thread_at *at, const struct evsel *e,
			  const struct sample *s, u64 fields, struct strbuf *out);

/** sample_code_srcline - where in the source an address is: "file.c:12" or "object[1a0]"; nothing
 * where nothing is mapped. */
void sample_code_srcline(struct sample_code *sc, const struct thread_at *at, u8 cpumode, u64 ip,
			 struct strbuf *out);
/** sample_code_source - "|12       line of the source" of the address of a sample, when it can be
 * read and is not the one shown last for that thread. */
void sample_code_source(struct sample_code *sc, const struct thread_at *at, const struct sample *s,
			struct strbuf *out);

#endif
