/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings (any bytes) to small dense ids, each stored once. Id 0 is always "". Not thread-safe. */
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

/** intern_id - the id of the @len bytes at @s, made when new. */
u32 intern_id(struct intern *in, const char *s, size_t len);
/** intern_str_id - the same for a zero-terminated string. */
u32 intern_str_id(struct intern *in, const char *s);
/** intern_find - the id of @s, or UINT32_MAX when it was never interned. */
u32 intern_find(const struct intern *in, const char *s, size_t len);
/** intern_str - the text of @id, borrowed for the life of the pool; "" for an unknown id. */
const char *intern_str(const struct intern *in, u32 id);
/** intern_release - free the contents. */
void intern_release(struct intern *in);

#endif
