/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of chunks in native order. Most chunks are in the mapping. Those of compressed records
 * are expanded again, which is possible only in the order of the file, and those of the other byte
 * order are converted in a copy.
 */
#ifndef PERF_SESSION_WINDOWS_H
#define PERF_SESSION_WINDOWS_H

#include "session/session-internal.h"

/* Chunks whose bytes become available together: one of the mapping, or all of one window. */
struct window {
	size_t first, nr; /* chunks */
	u8 *bytes;        /* EXPAND_WINDOW bytes if expanded */
	size_t len;
};

struct windows {
	struct session *s;
	size_t next;               /* chunk */
	const u8 *at;              /* the current compressed record */
	struct expander *expander; /* owned */
};

/**
 * windows_next - return the next chunks.
 * @out: out->bytes belongs to the caller; EXPAND_WINDOW bytes are allocated when they are
 *	needed
 * Return: false when there are no more.
 */
bool windows_next(struct windows *w, struct window *out);
/** windows_release - free the expander. */
void windows_release(struct windows *w);
/** windows_needed - tell whether some chunks are expanded. */
bool windows_needed(const struct session *s);

/* A buffer for foreign chunks after conversion. */
struct swap_buffer {
	u8 *buf; /* owned */
	size_t cap;
};

/**
 * chunk_bytes - return the records of a chunk in native order.
 * @w: the window of an expanded chunk, otherwise NULL
 * Return: chunk->len bytes (see rec_whole()), or NULL when damage makes them inaccessible. They are
 * borrowed from the mapping, @w or @t, and valid until @t is used again.
 */
const u8 *chunk_bytes(struct session *s, const struct chunk *c, const struct window *w,
		      struct swap_buffer *t, struct id_cache *cache);

#endif
