/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of an object's addresses, as they are kept on disk. All numbers are of the byte order
 * of this machine; sections follow each other without gaps:
 *
 *	header    struct lc_header
 *	places    struct lc_place, sorted by address
 *	frames    struct lc_frame; those of a place follow each other
 *	strings   zero-terminated; the first one is empty and stands for none
 */
#ifndef PERF_RESOLVE_LINE_CACHE_INTERNAL_H
#define PERF_RESOLVE_LINE_CACHE_INTERNAL_H

#include "base/intern.h"
#include "base/strbuf.h"
#include "objcache/objcache.h"
#include "resolve/srcline.h"

#define LINE_CACHE_VERSION 1 /* of the layout, and of what the reader of debug information finds */

struct lc_header {
	u64 nr_places, nr_frames, strings;
};

struct lc_place {
	u64 addr;  /* as lines_find() takes it */
	u32 first; /* of its frames, of which there are nr + 1 */
	u16 nr;    /* functions that were inlined */
	u16 whole; /* these were looked up */
};

struct lc_frame {
	u32 name, file, line; /* name and file: where they are in the strings */
};

/* A result that was read. */
struct line_cache {
	const struct lc_place *places; /* borrowed, as all of it; NULL: there is none */
	const struct lc_frame *frames;
	const char *strings;
	size_t nr_places, nr_frames, strings_len;
};

/** line_cache_read - read a result of @len bytes. Return: whether it makes sense. */
bool line_cache_read(struct line_cache *c, const void *data, size_t len);
/** line_cache_find - return the place of an address, or NULL. */
const struct lc_place *line_cache_find(const struct line_cache *c, u64 addr);
/** line_cache_frame - return frame @i of a place, without a name to show; its strings are
 * borrowed. */
struct inline_frame line_cache_frame(const struct line_cache *c, const struct lc_place *p, u32 i);

/* A result that is made. */
struct line_cache_maker {
	struct strbuf places, frames; /* owned */
	struct intern strings;        /* numbers are turned into places at the end */
};

/** line_cache_add - append a place with nr + 1 frames, behind the others in the order of
 * addresses. */
void line_cache_add(struct line_cache_maker *m, u64 addr, bool whole,
		    const struct inline_frame *frames, u16 nr);
/** line_cache_finish - append the result to @out, and release @m. */
void line_cache_finish(struct line_cache_maker *m, struct strbuf *out);

#endif
