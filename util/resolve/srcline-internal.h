/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of objects, as far as they are known; srcline.c makes texts of them. */
#ifndef PERF_RESOLVE_SRCLINE_INTERNAL_H
#define PERF_RESOLVE_SRCLINE_INTERNAL_H

#include "base/hash.h"
#include "base/intern.h"
#include "dwarf/lines.h"
#include "resolve/srcline.h"

#include <pthread.h>

/* The line and the inlined functions of an address. */
struct line_place {
	u64 addr;                          /* as lines_find() takes it */
	const struct inline_frame *frames; /* nr + 1 of them, the innermost first */
	u16 nr;                            /* functions that were inlined */
	bool whole;                        /* these were looked up */
};

/* An object whose lines were asked for. */
struct line_object {
	pthread_mutex_t lock; /* held while it is opened */
	bool opened;
	bool virtual;        /* addresses are as the headers number them: of a kernel */
	u64 moved;           /* of a kernel: run-time address minus address in its file */
	struct lines *lines; /* NULL: none */
	struct map64 known;  /* address -> index of its place */
};

struct srclines {
	bool whole_paths;
	pthread_mutex_t lock;         /* of all that follows, and of what is known of objects */
	struct line_object **objects; /* owned, by dso id; NULL: not asked for */
	size_t nr;
	struct line_place *places;
	size_t nr_places, cap_places;
	struct arena arena;
	struct intern names;  /* the printed names of inlined functions */
	struct map64 name_of; /* place of a name in the debug information -> its number */
};

/** line_object - return the object of a location, opened; NULL: it has no lines. */
struct line_object *line_object(struct srclines *s, const struct location *l);
/** line_object_addr - return the address of a location as lines_find() takes it. */
static inline u64 line_object_addr(const struct line_object *o, const struct location *l)
{
	return l->addr - o->moved;
}
/**
 * line_place - find the line of a location, and with @whole the functions that were inlined there.
 * Return: whether it has any.
 */
bool line_place(struct srclines *s, const struct location *l, bool whole, struct line_place *out);

#endif
