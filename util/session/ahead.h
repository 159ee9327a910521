/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a file part by part and does pass 1 over each, where possible on a thread of its own, a few
 * parts ahead of whoever takes them.
 *
 * Pass 1 over a part needs to know where the first record begins and nothing else of the parts
 * before it, so its result does not depend on when it is done. Special and damaged records do
 * depend on what was before. The thread stops at them, until it is told where to go on.
 */
#ifndef PERF_SESSION_AHEAD_H
#define PERF_SESSION_AHEAD_H

#include "session/session-internal.h"

#define PART_BYTES ((size_t)1 << 17) /* that are read at once, more than the largest record */
#define PARTS_KEPT 128               /* buffers that whoever takes parts may keep */

/* A part of the file. */
struct part {
	const u8 *at; /* the address in the mapping of the first byte */
	size_t len;
	u8 *bytes;      /* them; a buffer of ahead_next() that is given back with ahead_give() */
	bool read;      /* they could be read */
	bool whole;     /* records were taken up to the end of the part, or the last one is cut */
	const u8 *to;   /* the first record, in the mapping, that was not taken */
	const u8 *last; /* the last one that was; NULL: none */
	struct tally t; /* what there is to join, with addresses in the mapping */
};

struct ahead;

/**
 * ahead_new - begin with the record at @at, up to @end.
 * @sc: pass 1 after pass1_begin() and pass1_span_begin(); borrowed
 * @thread: a thread may be started. If that is not possible, ahead_next() does the work
 * Return: owned, ahead_free() frees it with all its buffers.
 */
struct ahead *ahead_new(const struct scan *sc, const u8 *at, const u8 *end, bool thread);
/**
 * ahead_next - return the part that begins at @at, where the last one has ended (.to), or where
 * whoever takes parts has come if it was not whole. It is valid until the next call, and its buffer
 * until it is given back. No more than PARTS_KEPT may be out.
 */
struct part *ahead_next(struct ahead *a, const u8 *at);
/** ahead_give - give a buffer back. */
void ahead_give(struct ahead *a, u8 *bytes);
void ahead_free(struct ahead *a);

#endif
