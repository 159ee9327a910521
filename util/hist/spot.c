// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolving while counting, with stacks of functions: they are kept as spots (a symbol, or an
 * address without one) instead of addresses, of which there are three times as many. Each worker
 * turns addresses to spots before it counts them. A small memory of the addresses seen last saves
 * most of the looking up.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"

/* ---- objects ---- */

void object_note(struct hist_worker *w, const struct location *l)
{
	size_t old = w->nr_objects;

	if (!l->dso)
		return;
	if (l->dso->id >= old) {
		w->nr_objects = MAX((size_t)l->dso->id + 1, old * 2);
		w->objects = xrealloc(w->objects, w->nr_objects, sizeof(*w->objects));
		memset(w->objects + old, 0, (w->nr_objects - old) * sizeof(*w->objects));
	}
	w->objects[l->dso->id] = (struct object){ l->dso, l->symtab, l->map, l->cpumode };
}

struct location object_location(const struct hist_worker *w, u32 dso, u32 sym)
{
	const struct object *o = dso ? &w->objects[dso - 1] : NULL;

	if (!o)
		return (struct location){ .sym = sym };
	return (struct location){
		.sym = sym,
		.dso = o->dso,
		.symtab = o->symtab,
		.map = o->map,
		.cpumode = o->cpumode,
	};
}

/* ---- spots ---- */

static u32 spot_id(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr)
{
	struct location l;
	struct spot s;
	size_t pos;
	u64 hash;

	resolver_find(w->h->resolver, object_near(w, ip, epoch), epoch, mode, ip, &l);
	*addr = l.addr;
	s = (struct spot){ .dso = l.dso ? l.dso->id + 1 : 0, .sym = l.sym };
	if (l.sym == UINT32_MAX && !hist_whole_objects(w->h))
		s.addr = l.addr;
	object_note(w, &l);
	hash = hash_u64(s.addr ^ hash_u64((u64)s.dso << 32 | s.sym));
	index_reserve(&w->by_spot);
	index_for_each(&w->by_spot, hash, pos)
	{
		const struct spot *o = &w->spots[index_at(&w->by_spot, pos)];

		if (o->addr == s.addr && o->dso == s.dso && o->sym == s.sym)
			return index_at(&w->by_spot, pos);
	}
	VEC_GROW(w->spots, w->nr_spots + 1, w->cap_spots);
	w->spots[w->nr_spots] = s;
	index_put(&w->by_spot, pos, hash, w->nr_spots);
	return w->nr_spots++;
}

/* @addr: set to where it is in the object, where that is wanted. */
static inline u32 spot_at(struct hist_worker *w, const struct known_key *k, u64 *addr)
{
	u32 spot = known_find(&w->known, k, addr);

	if (spot == UINT32_MAX) {
		spot = spot_id(w, k->ip, k->epoch, k->mode, addr);
		known_put(&w->known, k, spot, *addr);
	}
	return spot;
}

u32 spot_find(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr)
{
	struct known_key k = known_key(ip, epoch, mode, 0);

	return spot_at(w, &k, addr);
}

u32 spot_of(struct hist_worker *w, u64 ip, u32 epoch, u8 mode)
{
	struct known_key k = known_key(ip, epoch, mode, 0);
	u64 addr;

	return spot_at(w, &k, &addr);
}

/* The frames of the spots of one worker. */
static void worker_frames(struct hist *h, struct tables *t, struct hist_worker *w)
{
	size_t i;

	w->addr_ids = xcalloc(w->nr_spots + 1, sizeof(*w->addr_ids));
	for (i = 0; i < w->nr_spots; i++) {
		const struct spot *s = &w->spots[i];
		struct location l = object_location(w, s->dso, s->sym);

		w->addr_ids[i] = hist_frame_id(h, t, &l, s->addr);
	}
}

static void spots_to_frames(struct hist *h)
{
	struct tables t;

	tables_init(h, &t);
	for (int i = 0; i < h->nr_workers; i++) {
		worker_frames(h, &t, h->workers[i]);
		spots_release(h->workers[i]); /* the next one makes more */
	}
	tables_done(h, &t);
}

/* ---- what was counted ---- */

void located_finish(struct hist *h)
{
	int i;

	for (i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		index_release(&w->by_raw);
		index_release(&w->by_spot);
		known_release(&w->known);
	}
	if (h->conf.stacks)
		spots_to_frames(h);
	else
		raws_to_places(h);
	for (i = 0; i < h->nr_workers; i++)
		spots_release(h->workers[i]);
}

void spots_release(struct hist_worker *w)
{
	known_release(&w->known);
	free(w->spots);
	index_release(&w->by_spot);
	free(w->objects);
	w->spots = NULL;
	w->objects = NULL;
	w->nr_spots = w->cap_spots = w->nr_objects = 0;
}
