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
	object_note(w, l);
	p->tally.ip = 0;
	if (l->sym != UINT32_MAX)
		p->tally.ip = symtab_range(l->symtab, l->sym).start;
	else if (hist_needs_symbol(w->h))
		p->tally.ip = l->addr;
	p->tally.epoch = l->dso ? l->dso->id + 1 : 0;
	p->tally.place = l->sym;
	p->hash = tally_hash(&p->tally);
	tally_prefetch(w, p->hash);
}

void early_places_find(struct hist_worker *w)
{
	struct location at[PENDING];
	u32 i;

	for (i = 0; i < w->nr_queued; i++) {
		const struct tally *r = &w->queue[i].tally;
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

/* ---- what was counted ---- */

/* Of each part of what was counted a thread makes the places. */
struct placing {
	struct hist *h;
	struct tables *parts;
};

static u32 part_of_address(const struct hist *h, const struct tally *r, u32 nr)
{
	return nr > 1 ? (hash_u64(r->ip) >> 32) % nr : 0;
}

static void place_part(void *ctx, int worker, size_t part)
{
	const struct placing *p = ctx;
	struct tables t = p->parts[part]; /* what threads write often is not side by side */

	tables_expect(&t, part_size(p->h, part));
	for (int i = 0; i < p->h->nr_workers; i++) {
		struct hist_worker *w = p->h->workers[i];
		size_t end = w->part_at[part + 1];

		for (size_t k = w->part_at[part]; k < end; k += PLACE_TALLIES)
			hist_place_tallies(p->h, &t, w, &w->tallies[k],
					   MIN(end - k, (size_t)PLACE_TALLIES));
	}
	p->parts[part] = t;
}

/* From numbers in a part to those of all. */
static void renumber_part(void *ctx, int worker, size_t part)
{
	const struct placing *p = ctx;

	for (int i = 0; i < p->h->nr_workers; i++) {
		struct hist_worker *w = p->h->workers[i];

		for (size_t k = w->part_at[part]; k < w->part_at[part + 1]; k++)
			w->tallies[k].place += p->h->part_keys[part];
	}
}

/* The names of all objects are there when the threads begin. */
static void name_objects(struct placing *p)
{
	for (int i = 0; i < p->h->nr_workers; i++) {
		const struct hist_worker *w = p->h->workers[i];

		for (u32 k = 0; k < w->nr_objects; k++) {
			struct location l = object_location(w, k + 1, 0);

			tables_name_object(p->h, &p->parts[0], &l);
		}
	}
	for (u32 i = 1; i < p->h->nr_parts; i++) {
		p->parts[i].dso_name = p->parts[0].dso_name;
		p->parts[i].nr_dsos = p->parts[0].nr_dsos;
	}
}

/* The places of all parts are in one array, each part has room for as many as it may make. */
static void share_places(struct placing *p)
{
	struct tables *all = &p->parts[0];
	size_t nr = all->nr_places;

	for (u32 i = 0; i < p->h->nr_parts; i++)
		nr += part_size(p->h, i);
	all->places = xrealloc(all->places, nr, sizeof(*all->places));
	all->cap_places = all->nr_places + part_size(p->h, 0);
	for (u32 i = 1; i < p->h->nr_parts; i++) {
		p->parts[i].places = p->parts[i - 1].places + p->parts[i - 1].cap_places;
		p->parts[i].cap_places = part_size(p->h, i);
	}
}

/* Those of each part move up to the ones before. */
static void join_parts(struct placing *p)
{
	struct tables *all = &p->parts[0];
	u32 nr = p->h->nr_parts, *first = p->h->part_keys;

	for (u32 i = 0; i < nr; i++)
		first[i + 1] = first[i] + (u32)p->parts[i].nr_places;
	for (u32 i = 1; i < nr; i++) {
		struct tables *t = &p->parts[i];

		index_release(&t->by_place);
		memmove(all->places + first[i], t->places, t->nr_places * sizeof(*t->places));
	}
	all->nr_places = all->cap_places = first[nr];
	all->places = xrealloc(all->places, first[nr], sizeof(*all->places));
}

void early_places_finish(struct hist *h)
{
	struct placing p = { .h = h };

	parts_make(h, parts_wanted(h), part_of_address);
	p.parts = xcalloc(h->nr_parts, sizeof(*p.parts));
	tables_init(h, &p.parts[0]);
	share_places(&p);
	name_objects(&p);
	crew_run(h->crew, h->nr_parts, place_part, &p);
	join_parts(&p);
	crew_run(h->crew, h->nr_parts, renumber_part, &p);
	tables_done(h, &p.parts[0]);
	free(p.parts);
	if (!(h->conf.cols.need & NEED_SYM))
		h->part_keys[1] = (u32)hist_place_keys(h);
}
