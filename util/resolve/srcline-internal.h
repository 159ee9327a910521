/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of objects, as far as they are known; srcline.c makes texts of them.
 *
 *	line-object.c  an object: its debug information, and what the cache on disk has of it
 *	line-place.c   the lines of addresses
 *	line-cache.c   the layout of what is kept on disk
 */
#ifndef PERF_RESOLVE_SRCLINE_INTERNAL_H
#define PERF_RESOLVE_SRCLINE_INTERNAL_H

#include "base/hash.h"
#include "base/intern.h"
#include "dwarf/lines.h"
#include "resolve/line-cache-internal.h"
#include "resolve/srcline.h"

#include <pthread.h>
#include <stdatomic.h>

/* The line and the inlined functions of an address. */
struct line_place {
	u64 addr;                          /* as lines_find() takes it */
	const struct inline_frame *frames; /* nr + 1 of them, the innermost first */
	u16 nr;                            /* functions that were inlined */
	bool whole;                        /* these were looked up */
	bool fresh; /* it was found in the debug information, and may be kept on disk */
};

/* An object whose lines were asked for. */
struct line_object {
	const struct line_source *by; /* borrowed: who reads its lines */
	pthread_mutex_t lock;         /* held while it is opened */
	atomic_bool begun;            /* what follows up to @tried is there */
	bool virtual; /* addresses are as the headers number them: of kernels and modules */
	u64 moved;    /* of a kernel: run-time address minus address in its file */
	struct objcache_key key; /* id_size 0: nothing is kept of it */
	struct objcache_file file;
	struct line_cache cache; /* on @file */
	atomic_bool tried;       /* debug information was looked for */
	struct lines *lines;     /* NULL: none */
	bool fresh;              /* a place is; protected by the lock of srclines, as the next is */
	struct map64 known;      /* address -> index of its place */
};

struct srclines {
	struct line_source by;
	struct objcache *cache; /* borrowed; NULL: nothing is kept on disk */
	bool whole_paths;
	pthread_mutex_t lock;         /* of all that follows */
	struct line_object **objects; /* owned, by dso id; NULL: not asked for */
	size_t nr;
	struct line_place *places;
	size_t nr_places, cap_places;
	struct arena arena;
	struct intern names;  /* the printed names of inlined functions */
	struct map64 name_of; /* place of a name in memory -> its number */
};

/** line_object - return the object of a location; NULL: it is of a kind that has no lines. */
struct line_object *line_object(struct srclines *s, const struct location *l);
/** line_object_lines - return the debug information of an object, opened; NULL: there is none. */
struct lines *line_object_lines(struct line_object *o, const struct location *l);
/** line_object_free - free an object. What is new of it is kept on disk before. */
void line_object_free(struct srclines *s, struct line_object *o);
/** line_object_addr - return the address of a location as lines_find() takes it. */
static inline u64 line_object_addr(const struct line_object *o, const struct location *l)
{
	return l->addr - o->moved;
}

/**
 * line_place - find the line of a location, and with @whole the functions that were inlined there.
 * Return: whether its object is of a kind that has lines.
 */
bool line_place(struct srclines *s, const struct location *l, bool whole, struct line_place *out);

#endif
