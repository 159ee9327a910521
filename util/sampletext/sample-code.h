/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of samples in `perf script`: the instruction at an address, the instructions between the
 * branches of a branch stack, and source lines.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_CODE_H
#define PERF_SAMPLETEXT_SAMPLE_CODE_H

#include "base/strbuf.h"
#include "machine/machine.h"
#include "sampletext/branch-counters.h"
#include "sampletext/sample-fields.h"
#include "symbol/symbol.h"

struct sample_code; /* for one thread of the program */

struct sample_code_conf {
	const struct machine
		*machine; /* borrowed, like all pointers here; sealed unless from a pipe */
	struct symbols *symbols;
	struct srclines *lines;
	const char
		*arch; /* architecture of the recording; NULL: unknown, this machine's is assumed */
	u32 max_blocks;        /* the most blocks of a branch stack to show; 0: all */
	bool full_source_path; /* show the whole path, not only its last part */
	const struct branch_counters *counters; /* for SF_BRCNTR; NULL: none */
};

/** sample_code_new - prepare; nothing is read yet. sample_code_free() frees the result. */
struct sample_code *sample_code_new(const struct sample_code_conf *conf);
void sample_code_free(struct sample_code *sc);

/**
 * sample_code_insn - append " ilen: 2", " insn: 89 c2" and "\t\tmovl %eax, %edx" for the address of
 * a sample, as far as @fields (SF_*) ask for it and the instruction is known.
 */
void sample_code_insn(struct sample_code *sc, const struct thread_at *at, const struct sample *s,
		      u64 fields, struct strbuf *out);
/**
 * sample_code_branches - append the instructions between the branches of a sample of @e, oldest
 * first, one on each line, with lengths, disassembly, source lines and counters as @fields demand.
 */
void sample_code_branches(struct sample_code *sc, const struct thread_at *at, const struct evsel *e,
			  const struct sample *s, u64 fields, struct strbuf *out);

/**
 * sample_code_srcline - append the source line of an address, "file.c:12", "object[1a0]" or, in a
 * function without lines, "??:0"; nothing where nothing is mapped.
 */
void sample_code_srcline(struct sample_code *sc, const struct thread_at *at, u8 cpumode, u64 ip,
			 struct strbuf *out);
/**
 * sample_code_source - append "|12       text of the line" for the address of a sample, if the
 * source can be read and the line is not the one shown last for that thread.
 */
void sample_code_source(struct sample_code *sc, const struct thread_at *at, const struct sample *s,
			struct strbuf *out);

#endif
