/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BPF programs that were loaded while recording, as the header features BPF_PROG_INFO and
 * BPF_BTF describe them: functions, their machine code, and the lines of source that it was made
 * from. Sources of the formats: struct bpf_prog_info in linux/bpf.h, linux/btf.h.
 */
#ifndef PERF_CODEC_BPF_INFO_H
#define PERF_CODEC_BPF_INFO_H

#include "base/compat.h"

/* The code from an offset on comes from a line of source. */
struct bpf_line {
	u32 at, line;
	const char *file, *text; /* borrowed from the feature; text: what the line says, or "" */
};

struct bpf_function {
	char *name; /* owned; "bpf_prog_TAG_NAME" */
	u64 addr;   /* at run time */
	u32 size;
	u32 id;                 /* of its program */
	const u8 *code;         /* borrowed from the feature; size bytes, or NULL */
	struct bpf_line *lines; /* owned; sorted */
	size_t nr_lines;
};

struct bpf_programs {
	struct bpf_function *v; /* owned; as the feature has them: those of a program in a row */
	size_t nr, cap;
};

/**
 * bpf_programs_read - read the bodies of the two features, in the byte order of this machine. What
 * is damaged is left out.
 * @info, @btf: borrowed as long as @p lives; NULL: there is none
 */
void bpf_programs_read(struct bpf_programs *p, const void *info, size_t info_size, const void *btf,
		       size_t btf_size);
void bpf_programs_release(struct bpf_programs *p);
/**
 * bpf_programs_find - return the function that was at an address, or NULL. Of several, one after
 * the other, it is the one whose own name @name ends with.
 */
const struct bpf_function *bpf_programs_find(const struct bpf_programs *p, u64 addr, u64 size,
					     const char *name);
/** bpf_function_line - return the line that the code at an offset comes from, or NULL. */
const struct bpf_line *bpf_function_line(const struct bpf_function *f, u64 at);

#endif
