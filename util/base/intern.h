/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interning: each distinct string (of any bytes) is stored once and gets a small dense id. Id 0 is
 * always "". Not thread-safe.
 */
#ifndef PERF_BASE_INTERN_H
#define PERF_BASE_INTERN_H

#include "base/arena.h"

struct intern {
	struct arena arena;
	const char **strs; /* by id, zero-terminated, owned by the arena */
	u32 *lens;
	u64 *hashes;
	u32 *slots; /* open addressing: id, or UINT32_MAX */
	size_t nr, cap, mask;
};

/**
 * intern_id - return the id of the @len bytes at @s; a new string is copied and gets the next id.
 */
u32 intern_id(struct intern *in, const char *s, size_t len);
/** intern_str_id - do what intern_id() does, for a zero-terminated string. */
u32 intern_str_id(struct intern *in, const char *s);
/**
 * intern_find - return the id of the @len bytes at @s, or UINT32_MAX when they were never interned.
 */
u32 intern_find(const struct intern *in, const char *s, size_t len);
/** intern_str - return the text of @id, which lives as long as the pool; "" for an unknown id. */
const char *intern_str(const struct intern *in, u32 id);
/** intern_release - free all strings and tables. */
void intern_release(struct intern *in);

#endif
