/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function of a jitdump as an ELF file of its own, which any reader of symbols, line numbers and
 * unwind tables takes: .text at JIT_CODE_OFFSET, one symbol, .eh_frame and its index behind the
 * code, a build-id, and a line table.
 */
#ifndef PERF_JIT_JIT_IMAGE_H
#define PERF_JIT_JIT_IMAGE_H

#include "base/strbuf.h"
#include "jit/jitdump.h"

struct jit_line {
	u64 addr; /* run-time */
	u32 line;
	u32 file; /* offset in @files */
};

/* Collected from the records of one function. Zero it first; jit_image_reset() for the next. */
struct jit_image {
	u32 machine;
	bool swap;
	u64 addr;           /* run-time address of the code */
	struct strbuf name; /* zero-terminated */
	struct strbuf code;
	struct strbuf frame; /* .eh_frame, then the index */
	size_t frame_index_size;
	struct jit_line *lines; /* owned */
	size_t nr_lines, cap_lines;
	struct strbuf files; /* names, zero-terminated */
	u8 build_id[20];
	u64 frame_mapped; /* bytes behind the code that the compiler keeps for unwinding */
};

/** jit_image_reset - forget everything; nothing is known of the next function yet. */
void jit_image_reset(struct jit_image *im);
void jit_image_release(struct jit_image *im);
/** jit_image_add - take what a DEBUG_INFO, UNWINDING_INFO or LOAD record says of the function. The
 * LOAD makes it complete, with its build-id. Return: it is complete. */
bool jit_image_add(struct jit_image *im, struct jitdump *d, const struct jit_record *r);
/** jit_image_span - return the bytes of memory that belong to the function. */
u64 jit_image_span(const struct jit_image *im);
/** jit_image_elsewhere - tell whether the file @path is the image of another function. */
bool jit_image_elsewhere(const struct jit_image *im, const char *path);
/** jit_image_write - write the file, whole or not at all. @st: of it. Return: 0, negative errno and
 * a sentence. */
struct stat;
int jit_image_write(const struct jit_image *im, const char *path, struct stat *st, struct err *err);

#endif
