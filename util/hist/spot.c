// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolving while counting. Samples of one function in one object are one in all that a report
 * without stacks shows, so each worker turns addresses to spots (a symbol, or an address without
 * one) before it counts them, and its table has no more entries than rows come of it. Stacks of
 * functions are kept as spots too: there are a third of those that addresses would make. A small
 * memory of the addresses seen last saves most of the looking up.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"

static void note_dso(struct hist_worker *w, const struct location *l)
{
	size_t old = w->nr_spot_dsos;

	if (l->dso->id >= old) {
		w->nr_spot_dsos = MAX((size_t)l->dso->id + 1, old * 2);
		w->spot_dsos = xrealloc(w->spot_dsos, w->nr_spot_dsos, sizeof(*w->spot_dsos));
		memset(w->spot_dsos + old, 0, (w->nr_spot_dsos - old) * sizeof(*w->spot_dsos));
	}
	w->spot_dsos[l->dso->id] = (struct spot_dso){ l->dso, l->symtab, l->map, l->cpumode };
}

static u32 spot_id(struct hist_worker *w, u64 ip, u32 epoch, u8 mode, u64 *addr)
{
	struct location l;
	struct spot s;
	size_t pos;
	u64 hash;

	resolver_find(w->h->resolver, &w->near[(ip >> 22 ^ epoch) % NEARS], epoch, mode, ip, &l);
	*addr = l.addr;
	s = (struct spot){ .dso = l.dso ? l.dso->id + 1 : 0, .sym = l.sym };
	if (l.sym == UINT32_MAX && hist_needs_symbol(w->h) && !hist_whole_objects(w->h))
		s.addr = l.addr;
	if (l.dso)
		note_dso(w, &l);
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

/* @hash: spot_hash() of it. @addr: set to where it is in the object, where that is wanted. */
static inline u32 spot_at(struct hist_worker *w, u64 hash, u64 ip, u32 epoch, u8 mode, u64 *addr)
{
	size_t at = hash & w->known_mask;
	struct spot_known *k = &w->known[at];
	u32 spot;

	if (k->spot_mode && k->ip == ip && k->epoch == epoch && (k->spot_mode & 7) == mode) {
		*addr = w->known_addr ? w->known_addr[at] : 0;
		return (k->spot_mode >> 3) - 1;
	}
	spot = spot_id(w, ip, epoch, mode, addr);
	if (spot + 1 <= UINT32_MAX >> 3 && mode <= 7) {
		*k = (struct spot_known){ ip, epoch, (spot + 1) << 3 | mode };
		if (w->known_addr)
			w->known_addr[at] = *addr;
	}
	return spot;
}

u32 spot_of(struct hist_worker *w, u64 ip, u32 epoch, u8 mode)
{
	u64 addr;

	return spot_at(w, spot_hash(ip, epoch), ip, epoch, mode, &addr);
}

void spots_locate(struct hist_worker *w)
{
	const struct hist *h = w->h;
	u32 i;

	for (i = 0; i < w->nr_queued; i++) {
		struct pending *p = &w->queue[i];
		struct raw *r = &p->raw;
		u64 addr;
		u32 spot = spot_at(w, p->hash, r->ip, r->epoch, hist_ip_mode(h, r->ip, r->mode),
				   &addr);

		r->ip = h->conf.stacks ? (w->known_addr ? addr : 0) : spot;
		r->epoch = h->conf.stacks ? spot : 0;
		p->hash = raw_hash(r);
		raw_prefetch(w, p->hash);
	}
}

static struct location spot_location(const struct hist_worker *w, const struct spot *s)
{
	const struct spot_dso *d = s->dso ? &w->spot_dsos[s->dso - 1] : NULL;

	if (!d)
		return (struct location){ .sym = s->sym };
	return (struct location){
		.sym = s->sym,
		.dso = d->dso,
		.symtab = d->symtab,
		.map = d->map,
		.cpumode = d->cpumode,
	};
}

/* The places of the spots of one worker, or the frames where stacks are kept; its table of them
 * then goes. */
static void worker_places(struct hist *h, struct tables *t, struct hist_worker *w)
{
	size_t i;

	w->addr_ids = xcalloc(w->nr_spots + 1, sizeof(*w->addr_ids));
	for (i = 0; i < w->nr_spots; i++) {
		const struct spot *s = &w->spots[i];
		struct location l = spot_location(w, s);

		w->addr_ids[i] = h->conf.stacks ? hist_frame_id(h, t, &l, s->addr)
						: hist_place_id(h, t, &l, s->addr, 0);
	}
	spots_release(w);
	if (h->conf.stacks)
		return; /* still to be put into the stacks */
	for (i = 0; i < w->nr_raws; i++)
		w->raws[i].place = w->addr_ids[w->raws[i].ip];
	free(w->addr_ids);
	w->addr_ids = NULL;
}

void spots_to_places(struct hist *h)
{
	struct tables t = { 0 };
	int i;

	for (i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		index_release(&w->by_raw);
		index_release(&w->by_stack);
		index_release(&w->by_spot);
		free(w->known);
		free(w->known_addr);
		w->known = NULL;
		w->known_addr = NULL;
	}
	for (i = 0; i < h->nr_workers; i++)
		worker_places(h, &t, h->workers[i]);
	tables_release(&t);
}

void spots_release(struct hist_worker *w)
{
	free(w->known);
	free(w->known_addr);
	free(w->spots);
	index_release(&w->by_spot);
	free(w->spot_dsos);
	w->known = NULL;
	w->known_addr = NULL;
	w->spots = NULL;
	w->spot_dsos = NULL;
	w->nr_spots = w->cap_spots = w->nr_spot_dsos = 0;
}
