// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolving while counting, with stacks of functions: they are kept as early frames (a symbol, or
 * an address without one) instead of addresses, of which there are three times as many. Each worker
 * turns addresses into them before it counts them. A small memory of the addresses seen last saves
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

/* ---- early frames ---- */

static u32 early_frame_new(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr)
{
	struct location l;
	struct early_frame s;
	size_t pos;
	u64 hash;

	resolver_find(w->h->resolver, object_near(w, ip, epoch), epoch, mode, ip, &l);
	*addr = l.addr;
	s = (struct early_frame){ .dso = l.dso ? l.dso->id + 1 : 0, .sym = l.sym };
	if (l.sym == UINT32_MAX && !hist_whole_objects(w->h))
		s.addr = l.addr;
	object_note(w, &l);
	hash = hash_u64(s.addr ^ hash_u64((u64)s.dso << 32 | s.sym));
	index_reserve(&w->by_early_frame);
	index_for_each(&w->by_early_frame, hash, pos)
	{
		const struct early_frame *o = &w->early_frames[index_at(&w->by_early_frame, pos)];

		if (o->addr == s.addr && o->dso == s.dso && o->sym == s.sym)
			return index_at(&w->by_early_frame, pos);
	}
	VEC_GROW(w->early_frames, w->nr_early_frames + 1, w->cap_early_frames);
	w->early_frames[w->nr_early_frames] = s;
	index_put(&w->by_early_frame, pos, hash, w->nr_early_frames);
	return w->nr_early_frames++;
}

/* @addr: set to where it is in the object, where that is wanted. */
static inline u32 early_frame_at(struct hist_worker *w, const struct address_key *k, u64 *addr)
{
	u32 frame = address_cache_find(&w->cache, k, addr);

	if (frame == UINT32_MAX) {
		frame = early_frame_new(w, k->ip, k->epoch, k->mode, addr);
		address_cache_put(&w->cache, k, frame, *addr);
	}
	return frame;
}

u32 early_frame_find(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr)
{
	struct address_key k = address_key(ip, epoch, mode, 0);

	return early_frame_at(w, &k, addr);
}

u32 early_frame_of(struct hist_worker *w, u64 ip, u32 epoch, u8 mode)
{
	struct address_key k = address_key(ip, epoch, mode, 0);
	u64 addr;

	return early_frame_at(w, &k, &addr);
}

/* The frames of the early frames of one worker. */
static void worker_frames(struct hist *h, struct tables *t, struct hist_worker *w)
{
	size_t i;

	w->addr_ids = xcalloc(w->nr_early_frames + 1, sizeof(*w->addr_ids));
	for (i = 0; i < w->nr_early_frames; i++) {
		const struct early_frame *s = &w->early_frames[i];
		struct location l = object_location(w, s->dso, s->sym);

		w->addr_ids[i] = hist_frame_id(h, t, &l, s->addr);
	}
}

static void early_frames_to_frames(struct hist *h)
{
	struct tables t;

	tables_init(h, &t);
	for (int i = 0; i < h->nr_workers; i++) {
		worker_frames(h, &t, h->workers[i]);
		early_release(h->workers[i]); /* the next one makes more */
	}
	tables_done(h, &t);
}

/* ---- what was counted ---- */

void early_finish(struct hist *h)
{
	int i;

	for (i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		index_release(&w->by_tally);
		index_release(&w->by_early_frame);
		address_cache_release(&w->cache);
	}
	if (h->conf.stacks)
		early_frames_to_frames(h);
	else
		early_places_finish(h);
	for (i = 0; i < h->nr_workers; i++)
		early_release(h->workers[i]);
}

void early_release(struct hist_worker *w)
{
	address_cache_release(&w->cache);
	free(w->early_frames);
	index_release(&w->by_early_frame);
	free(w->objects);
	w->early_frames = NULL;
	w->objects = NULL;
	w->nr_early_frames = w->cap_early_frames = w->nr_objects = 0;
}
