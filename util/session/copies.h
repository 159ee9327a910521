/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of records whose bytes do not stay where they were read: records from a pipe, from a
 * compressed record, or of the other byte order. Each copy keeps the record's offset in the file.
 */
#ifndef PERF_SESSION_COPIES_H
#define PERF_SESSION_COPIES_H

#include "base/compat.h"

struct slab;

/* A queue of copies. A slab is freed when all copies in it have been dropped. */
struct slabs {
	struct slab *all, *cur; /* owned; cur: the slab for new copies, NULL at first */
	size_t live;            /* bytes of copies that are still needed */
};

/**
 * slabs_copy - return a copy, aligned to 8, of a record in any byte order. It lives until
 * slabs_drop().
 */
u8 *slabs_copy(struct slabs *s, const void *rec, size_t size, u64 offset);
/** slabs_drop - drop @copy, whose size is still @size. */
void slabs_drop(struct slabs *s, const u8 *copy, size_t size);
/** slabs_release - drop all copies. */
void slabs_release(struct slabs *s);
/** copy_offset - return the offset in the file that was stored with a copy. */
u64 copy_offset(const u8 *copy);

#endif
