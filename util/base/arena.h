/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This is a bump allocator for many small objects, which are freed together. It is not thread-safe:
 * each owner has an arena. */
#ifndef PERF_BASE_ARENA_H
#define PERF_BASE_ARENA_H

#include "base/compat.h"

struct arena {
	struct arena_block *head;
	size_t used; /* bytes handed out from head */
};

/** arena_alloc - allocate @size uninitialised bytes, aligned to 8. The arena owns them. */
void *arena_alloc(struct arena *a, size_t size);
/** arena_strdup - return a copy of @s. The arena owns it. */
char *arena_strdup(struct arena *a, const char *s);
/** arena_strndup - return a zero-terminated copy of @len bytes. The arena owns it. */
char *arena_strndup(struct arena *a, const char *s, size_t len);
/** arena_release - free everything that was allocated from the arena. */
void arena_release(struct arena *a);

#endif
