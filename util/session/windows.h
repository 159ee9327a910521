/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of chunks, in native order. Most stand in the mapping. Those of compressed records are
 * expanded again, which goes in the order of the file only; those of the other byte order are
 * turned, in a copy.
 */
#ifndef PERF_SESSION_WINDOWS_H
#define PERF_SESSION_WINDOWS_H

#include "session/session-internal.h"

/* Chunks whose bytes come together: one in the mapping, or all of one window. */
struct window {
	size_t first, nr; /* chunks */
	u8 *bytes;        /* EXPAND_WINDOW of them when expanded */
	size_t len;
};

struct windows {
	struct session *s;
	size_t next;               /* chunk */
	const u8 *at;              /* the compressed record at hand */
	struct expander *expander; /* owned */
};

/**
 * windows_next - the chunks that come next.
 * @out: out->bytes belongs to the caller; EXPAND_WINDOW bytes are allocated when they are needed
 * Return: false when there are no more.
 */
bool windows_next(struct windows *w, struct window *out);
void windows_release(struct windows *w);
/** windows_needed - some chunks are expanded. */
bool windows_needed(const struct session *s);

/* A buffer that foreign chunks are turned in. */
struct turned {
	u8 *buf; /* owned */
	size_t cap;
};

/**
 * chunk_bytes - where the records of a chunk stand, in native order.
 * @w: of an expanded one, else NULL
 * Return: chunk->len bytes (see rec_whole()), NULL when damage keeps them away; borrowed from the
 * mapping, @w or @t; valid until @t is used again.
 */
const u8 *chunk_bytes(struct session *s, const struct chunk *c, const struct window *w,
		      struct turned *t, struct id_cache *cache);

#endif
