/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps by which an annotation is made. Each thread has tools of its own. */
#ifndef PERF_ANNOTATE_ANNOTATE_INTERNAL_H
#define PERF_ANNOTATE_ANNOTATE_INTERNAL_H

#include "annotate/annotate.h"
#include "annotate/flow.h"
#include "base/hash.h"
#include "base/intern.h"
#include "datatype/datatype.h"
#include "disasm/code-files.h"
#include "disasm/disasm.h"
#include "resolve/source-files.h"
#include "resolve/srcline.h"

#define MOST_CODE ((size_t)16 << 20) /* the most bytes of a function that are disassembled */

/* The tools of one thread. */
struct annotate_tools {
	const struct annotate_conf *conf;
	struct code_files *files;
	struct source_files *sources;
	const struct arch *arch;                /* of the function at hand */
	struct disasm *disasm[ARCH_CODE_NR][2]; /* for programs of 32 and of 64 bits */
	bool tried[ARCH_CODE_NR][2];
	bool bad_syntax; /* the library cannot write what conf->syntax names */
	u8 *code;        /* owned; MOST_CODE bytes at most */
	size_t cap_code;
	struct strbuf scratch;
};

/* The place in the source that an instruction comes from. Texts are offsets into the annotation's;
 * 0: unknown. */
struct position {
	u32 file, line, function;
	u32 inlined; /* as of struct annotate_line */
	u32 text;    /* what the line says, where the debug information has it */
};

/** annotation_put - append a text to an annotation. Return: its offset. */
u32 annotation_put(struct annotation *a, const char *s, size_t len);
/** annotation_add - append a line; it is valid until the next one is added. */
struct annotate_line *annotation_add(struct annotation *a, enum annotate_kind kind, u32 text);
/** annotation_fail - set why a function has no lines, unless that is set. */
void annotation_fail(struct annotation *a, const char *fmt, ...) __printf(2, 3);

/** annotate_no_code - tell why the code of a function cannot be read, and what could be done. */
void annotate_no_code(struct annotation *a);
/** annotate_code - disassemble a function with the library: its lines are instructions alone. */
void annotate_code(struct annotation *a, struct annotate_tools *t);
/** annotate_objdump - run objdump on a function and take over its lines. */
void annotate_objdump(struct annotation *a, struct annotate_tools *t);
/** annotate_objdump_parse - take over the lines that objdump wrote: @len bytes, which need not be
 * text. */
void annotate_objdump_parse(struct annotation *a, const struct arch *arch, const char *text,
			    size_t len);
/** annotate_take_arch - set the architecture of a function: its object's, or the recording's. */
void annotate_take_arch(const struct annotation *a, struct annotate_tools *t);
/**
 * annotate_positions - find where each line of an annotation comes from.
 * Return: an array with an entry for each line; the caller frees it.
 */
struct position *annotate_positions(struct annotation *a, struct srclines *lines);
/** annotate_types - find the type of data that each instruction accesses. */
void annotate_types(struct annotation *a, struct annotate_tools *t, struct datatypes *types);
/** annotate_interleave - put headings and lines of source between the instructions. */
void annotate_interleave(struct annotation *a, struct annotate_tools *t,
			 const struct position *positions);
/** annotate_bytes - add the bytes of all instructions. */
void annotate_bytes(struct annotation *a, struct annotate_tools *t);
/** annotate_sites - make a line without text of each sampled address of a function. */
void annotate_sites(struct annotation *a, struct annotate_tools *t);

/* The numbers of inlined calls of a function, by what they are. */
struct inline_numbers {
	struct intern by_call;
};
/**
 * annotate_inlined - return the number of the innermost of some inlined calls, which are added to
 * the annotation when they are new.
 * @frames: the functions as of srcline_inlines(), @nr of them inlined
 * @put: makes texts of names
 */
u32 annotate_inlined(struct annotation *a, struct inline_numbers *numbers,
		     const struct inline_frame *frames, u32 nr,
		     u32 (*put)(void *ctx, const char *name), void *ctx);

/** annotate_link - find where jumps of the function lead to, and what was counted at each line. */
void annotate_link(struct annotation *a);

/** annotate_name_targets - find which functions jumps and calls lead to the beginning of. */
void annotate_name_targets(struct annotation *a, struct annotate_tools *t);
/** annotate_name_target - append "address <function+offset>" for an address in the same object. */
void annotate_name_target(const struct annotation *a, struct annotate_tools *t, u64 vaddr,
			  struct strbuf *out);

/** annotate_expand_line - copy a line without the blanks around it, and with blanks in place of
 * tabs.
 * @out: replaced by the line
 * Return: whether anything is left. */
bool annotate_expand_line(const char *s, size_t len, struct strbuf *out);

#endif
