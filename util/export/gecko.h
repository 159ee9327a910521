/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the files that write the format of the Firefox Profiler. */
#ifndef PERF_EXPORT_GECKO_H
#define PERF_EXPORT_GECKO_H

#include "base/alloc.h"
#include "export/places.h"
#include "export/export.h"

enum category { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_JIT, CATEGORY_GUEST };

/* The items of the tree that a track uses, numbered in the order of their first use. */
struct subset {
	u32 *local; /* number + 1; 0: not used */
	u32 *ids;
	u32 nr;
	size_t cap;
};

struct track {
	u32 thread, event; /* thread: its last name; event: UINT32_MAX for markers alone */
	u32 first, nr;     /* a part of order[] */
};

struct gecko {
	const struct stacks *s;
	struct export_out *o;
	enum stacks_weight weight;
	u32 only;       /* event, or EXPORT_ALL */
	bool *is_point; /* by event: whether its samples are markers */
	u32 nr_sampled; /* events whose samples are not markers */
	struct track *tracks;
	u32 nr_tracks;
	size_t cap_tracks;
	u32 *track_of; /* by sample */
	u32 *order;    /* samples by track, then time */
	u32 *markers;  /* of the current track: the samples that are markers */
	u32 *samples;  /* of the current track: the others */
	u32 nr_markers, nr_samples;
	u32 *path; /* room for one path */
	struct code_places places;
	struct subset nodes, frames, functions, objects, texts;
};

/* Returns the number of an item and adds it if it is new. */
static inline u32 subset_add(struct subset *s, u32 id)
{
	if (!s->local[id]) {
		VEC_GROW(s->ids, s->nr + (size_t)1, s->cap);
		s->ids[s->nr++] = id;
		s->local[id] = s->nr;
	}
	return s->local[id] - 1;
}

/* Appends a time in ms. */
static inline void gecko_put_ms(struct export_out *o, u64 ns)
{
	export_f(o, "%" PRIu64 ".%06u", ns / 1000000, (unsigned int)(ns % 1000000));
}

/**
 * gecko_put_tables - append all tables of a track except the strings, after its samples and markers
 * were collected.
 */
void gecko_put_tables(struct gecko *w, const struct track *t);

#endif
