// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolving while counting, without stacks. Samples of one function in one object are one in all
 * that such a report shows, so the table that counts has an entry for each function, or address
 * without one, that samples were in. A small memory of the addresses seen last leads to it; the
 * others are looked for many at a time, as each step of the search waits for memory.
 */
#include "base/compat.h"

#include "hist/hist-internal.h"

/* What tells a location apart, where a sample has its address. */
static void put_location(struct hist_worker *w, struct pending *p, const struct location *l)
{
	bool address = l->sym == UINT32_MAX && hist_needs_symbol(w->h);

	object_note(w, l);
	p->raw.ip = address ? l->addr : 0;
	p->raw.epoch = l->dso ? l->dso->id + 1 : 0;
	p->raw.place = l->sym;
	p->hash = raw_hash(&p->raw);
	raw_prefetch(w, p->hash);
}

void samples_locate(struct hist_worker *w)
{
	struct location at[PENDING];
	u32 i;

	for (i = 0; i < w->nr_queued; i++) {
		const struct raw *r = &w->queue[i].raw;
		u8 mode = hist_ip_mode(w->h, r->ip, r->mode);

		resolver_place(w->h->resolver, object_near(w, r->ip, r->epoch), r->epoch, mode,
			       r->ip, &at[i]);
		symtab_ask(at[i].symtab, at[i].addr, 0);
	}
	for (i = 0; i < w->nr_queued; i++)
		symtab_ask(at[i].symtab, at[i].addr, 1);
	for (i = 0; i < w->nr_queued; i++) {
		if (at[i].symtab)
			at[i].sym = symtab_find(at[i].symtab, at[i].addr);
		put_location(w, &w->queue[i], &at[i]);
	}
}

void raws_to_places(struct hist *h, struct tables *t, struct hist_worker *w)
{
	for (size_t i = 0; i < w->nr_raws; i++) {
		struct raw *r = &w->raws[i];
		struct location l = object_location(w, r->epoch, r->place);

		r->place = hist_place_id(h, t, &l, r->ip, 0);
	}
}
