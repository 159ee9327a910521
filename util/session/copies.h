/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of records whose bytes do not stay where they were read: from a pipe, out of a compressed
 * record, or of the other byte order. Each knows its place in the file.
 */
#ifndef PERF_SESSION_COPIES_H
#define PERF_SESSION_COPIES_H

#include "base/compat.h"

struct slab;

/* A queue of copies: memory is given back when all copies that share it were dropped. */
struct slabs {
	struct slab *all, *cur; /* owned; cur: where copies go, NULL before the first */
	size_t live;            /* bytes that are not dropped */
};

/** slabs_copy - @rec is of any byte order; the copy is aligned to 8. */
u8 *slabs_copy(struct slabs *s, const void *rec, size_t size, u64 offset);
/** slabs_drop - @copy, which is still @size long, is not needed any more. */
void slabs_drop(struct slabs *s, const u8 *copy, size_t size);
/** slabs_release - drop what is left. */
void slabs_release(struct slabs *s);
/** copy_offset - the place in the file that a copy came with. */
u64 copy_offset(const u8 *copy);

#endif
