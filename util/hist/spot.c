// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolving while counting. Samples of one function in one object are one in all that a report
 * without stacks shows, so each worker turns addresses to spots (a symbol, or an address without
 * one) before it counts them, and its table has no more entries than rows come of it. A small
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
	w->spot_dsos[l->dso->id] = (struct spot_dso){ l->dso, l->symtab };
}

static u32 spot_id(struct hist_worker *w, const struct raw *raw)
{
	struct location l;
	struct spot s;
	size_t pos;
	u64 hash;

	resolver_find(w->h->resolver, &w->near[(raw->ip >> 22 ^ raw->epoch) % NEARS], raw->epoch,
		      raw->mode, raw->ip, &l);
	s = (struct spot){ .dso = l.dso ? l.dso->id + 1 : 0, .sym = l.sym };
	if (l.sym == UINT32_MAX && hist_needs_symbol(w->h))
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

void spots_locate(struct hist_worker *w)
{
	u32 i;

	for (i = 0; i < w->nr_queued; i++) {
		struct pending *p = &w->queue[i];
		struct spot_known *k = &w->known[p->hash & w->known_mask];
		struct raw *r = &p->raw;
		u32 spot = (k->spot_mode >> 3) - 1;

		if (!k->spot_mode || k->ip != r->ip || k->epoch != r->epoch ||
		    (k->spot_mode & 7) != r->mode) {
			spot = spot_id(w, r);
			if (spot + 1 <= UINT32_MAX >> 3 && r->mode <= 7)
				*k = (struct spot_known){ r->ip, r->epoch,
							  (spot + 1) << 3 | r->mode };
		}
		r->ip = spot;
		r->epoch = 0;
		p->hash = raw_hash(r);
		raw_prefetch(w, p->hash);
	}
}

/* The places of the spots of one worker, whose table of them then goes. */
static void worker_places(struct hist *h, struct tables *t, struct hist_worker *w)
{
	size_t i;

	w->addr_ids = xcalloc(w->nr_spots + 1, sizeof(*w->addr_ids));
	for (i = 0; i < w->nr_spots; i++) {
		const struct spot *s = &w->spots[i];
		struct location l = { .sym = s->sym };

		if (s->dso) {
			l.dso = w->spot_dsos[s->dso - 1].dso;
			l.symtab = w->spot_dsos[s->dso - 1].symtab;
		}
		w->addr_ids[i] = hist_place_id(h, t, &l, s->addr, 0);
	}
	for (i = 0; i < w->nr_raws; i++)
		w->raws[i].place = w->addr_ids[w->raws[i].ip];
	free(w->addr_ids);
	w->addr_ids = NULL;
	spots_release(w);
}

void spots_to_places(struct hist *h)
{
	struct tables t = { 0 };
	int i;

	for (i = 0; i < h->nr_workers; i++) {
		struct hist_worker *w = h->workers[i];

		index_release(&w->by_raw);
		index_release(&w->by_spot);
		free(w->known);
		w->known = NULL;
	}
	for (i = 0; i < h->nr_workers; i++)
		worker_places(h, &t, h->workers[i]);
	tables_release(&t);
}

void spots_release(struct hist_worker *w)
{
	free(w->known);
	free(w->spots);
	index_release(&w->by_spot);
	free(w->spot_dsos);
	w->known = NULL;
	w->spots = NULL;
	w->spot_dsos = NULL;
	w->nr_spots = w->cap_spots = w->nr_spot_dsos = 0;
}
