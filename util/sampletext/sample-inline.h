/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions that were inlined where the entries of call chains are, for those who write samples
 * one by one. One per thread of the program.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_INLINE_H
#define PERF_SAMPLETEXT_SAMPLE_INLINE_H

#include "machine/machine.h"
#include "resolve/srcline.h"

struct sample_inlines;

/* What is at an address. */
struct inlines_at {
	const struct inline_frame *frames; /* nr, innermost first, and the function they are in */
	u32 nr;                            /* 0: none; then frames is not set */
	u32 symoff;                        /* of the address, in that function */
	u64 addr;                          /* in the object */
};

/** sample_inlines_new - @m and @s are borrowed. Free with sample_inlines_free(). */
struct sample_inlines *sample_inlines_new(const struct machine *m, struct symbols *s,
					  bool whole_paths);
void sample_inlines_free(struct sample_inlines *si);
/**
 * sample_inlines_find - what was inlined at an entry of a call chain.
 * @call: the entry is the address behind a call
 * Return: valid until the next call.
 */
const struct inlines_at *sample_inlines_find(struct sample_inlines *si, const struct thread_at *at,
					     u8 cpumode, bool call, u64 ip);
/** sample_inlines_line - "file.c:12" of a frame. */
void sample_inlines_line(const struct sample_inlines *si, const struct inline_frame *f,
			 struct strbuf *out);

#endif
