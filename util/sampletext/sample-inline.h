/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that were inlined at the entries of call chains, for printers that write one sample
 * after the other. There is one object for each thread of the program.
 */
#ifndef PERF_SAMPLETEXT_SAMPLE_INLINE_H
#define PERF_SAMPLETEXT_SAMPLE_INLINE_H

#include "machine/machine.h"
#include "resolve/srcline.h"

struct sample_inlines;

/* The functions at an address. */
struct inlines_at {
	const struct inline_frame
		*frames; /* nr functions, innermost first; the last one contains the others */
	u32 nr;          /* 0: none, and frames is not set */
	u32 symoff;      /* offset of the address in the last function */
	u64 addr;        /* address in the object */
};

/** sample_inlines_new - prepare. All is borrowed. sample_inlines_free() frees the result. */
struct sample_inlines *sample_inlines_new(const struct machine *m, struct symbols *s,
					  struct srclines *lines);
void sample_inlines_free(struct sample_inlines *si);
/**
 * sample_inlines_find - return the functions that were inlined at an entry of a call chain.
 * @call: the entry is a return address
 * Return: a result that is valid until the next call.
 */
const struct inlines_at *sample_inlines_find(struct sample_inlines *si, const struct thread_at *at,
					     u8 cpumode, bool call, u64 ip);
/** sample_inlines_line - append the source line of a frame, "file.c:12". */
void sample_inlines_line(const struct sample_inlines *si, const struct inline_frame *f,
			 struct strbuf *out);

#endif
