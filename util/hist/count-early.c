// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counting with early resolution, for rows without stacks. Samples of one function in one object
 * are one in all that such a report shows, so there is a tally for each function, or address
 * without one, that samples were in. An address cache leads to it; the addresses that are not in
 * there are looked up many at a time, as each step of the search waits for memory.
 */
#include "base/compat.h"

#include "hist/counting-internal.h"
#include "hist/rows-internal.h"

/* ---- counting ---- */

/* Count the waiting samples that the address cache knows. The others stay in the queue. */
static void count_cached(struct hist_worker *w)
{
	u32 id[PENDING], i, left = 0;
	u64 more;

	for (i = 0; i < w->nr_queued; i++) {
		id[i] = address_cache_find(&w->early.cache, &w->queue[i].key, &more);
		if (id[i] != UINT32_MAX)
			tally_fetch(w, id[i]);
	}
	for (i = 0; i < w->nr_queued; i++) {
		const struct tally *s = &w->queue[i].tally;
		struct tally *t = id[i] != UINT32_MAX ? &w->tallies[id[i]] : NULL;

		if (t && t->base == s->base && likely(t->nr < UINT32_MAX))
			tally_merge(t, s);
		else if (left++ != i)
			w->queue[left - 1] = w->queue[i];
	}
	w->nr_queued = left;
}

struct early_frame early_function(struct hist_worker *w, const struct location *l)
{
	struct early_frame f = { .dso = l->dso ? l->dso->id + 1 : 0, .sym = l->sym };

	object_note(w, l);
	if (l->sym != UINT32_MAX)
		f.addr = symtab_range(l->symtab, l->sym).start;
	else if (hist_needs_symbol(w->h))
		f.addr = l->addr;
	return f;
}

void early_locate(struct hist_worker *w, const u8 *which, u32 nr, struct location *at)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		const struct tally *t = &w->queue[which[i]].tally;
		u8 mode = hist_ip_mode(w->h, t->ip, t->mode);

		resolver_place(w->h->resolver, early_near(w, t->ip, t->epoch), t->epoch, mode,
			       t->ip, &at[i]);
		symtab_ask(at[i].symtab, at[i].addr, 0);
	}
	for (i = 0; i < nr; i++)
		symtab_ask(at[i].symtab, at[i].addr, 1);
	for (i = 0; i < nr; i++)
		if (at[i].symtab)
			at[i].sym = symtab_find(at[i].symtab, at[i].addr);
}

/* Make the waiting tally one of the function (or else the address) that it was located in. */
static void set_function(struct hist_worker *w, struct pending *p, const struct location *l)
{
	struct early_frame f = early_function(w, l);

	tally_in_function(&p->tally, &f);
	tally_end(w, p);
}

static void locate_queue(struct hist_worker *w)
{
	struct location at[PENDING];
	u8 all[PENDING];
	u32 i;

	for (i = 0; i < w->nr_queued; i++)
		all[i] = (u8)i;
	early_locate(w, all, w->nr_queued, at);
	for (i = 0; i < w->nr_queued; i++)
		set_function(w, &w->queue[i], &at[i]);
}

static void flush(struct hist_worker *w)
{
	count_cached(w);
	locate_queue(w);
	tallies_fetch(w);
	for (u32 i = 0; i < w->nr_queued; i++) {
		size_t tally = tally_add(w, &w->queue[i]);

		address_cache_put(&w->early.cache, &w->queue[i].key, (u32)tally, 0);
	}
	w->nr_queued = 0;
}

static void count(struct hist_worker *w, const struct hist_sample *s)
{
	struct pending *p = tally_begin(w, s, NO_STACK);
	const struct tally *t = &p->tally;

	p->key = address_cache_key(t->ip, t->epoch, hist_ip_mode(w->h, t->ip, t->mode), t->base);
	address_cache_prefetch(&w->early.cache, &p->key);
}

/* ---- from functions to places ---- */

/* The places of one part of the tallies are made by one thread. */
struct placing {
	struct hist *h;
	struct place_table *parts;
};

static u32 part_of_address(const struct hist *h, const struct tally *r, u32 nr)
{
	return nr > 1 ? (hash_u64(r->start) >> 32) % nr : 0;
}

static void place_part(void *ctx, int worker, size_t part)
{
	const struct placing *p = ctx;
	struct place_table t = p->parts[part]; /* a copy: threads must not share cache lines */

	place_table_expect(&t, part_size(p->h, part));
	for (int i = 0; i < p->h->nr_workers; i++) {
		struct hist_worker *w = p->h->workers[i];
		size_t end = w->part_at[part + 1];

		for (size_t k = w->part_at[part]; k < end; k += PLACE_TALLIES)
			place_tallies(p->h, &t, w, &w->tallies[k],
				      MIN(end - k, (size_t)PLACE_TALLIES));
	}
	p->parts[part] = t;
}

/* Turn numbers within a part into numbers among all. */
static void renumber_part(void *ctx, int worker, size_t part)
{
	const struct placing *p = ctx;

	for (int i = 0; i < p->h->nr_workers; i++) {
		struct hist_worker *w = p->h->workers[i];

		for (size_t k = w->part_at[part]; k < w->part_at[part + 1]; k++)
			w->tallies[k].place += p->h->part_keys[part];
	}
}

/* Name all objects before the threads begin. */
static void name_objects(struct placing *p)
{
	for (int i = 0; i < p->h->nr_workers; i++) {
		const struct hist_worker *w = p->h->workers[i];

		for (u32 k = 0; k < w->early.nr_objects; k++) {
			struct location l = object_location(w, k + 1, 0);

			place_table_name_object(p->h, &p->parts[0], &l);
		}
	}
	for (u32 i = 1; i < p->h->nr_parts; i++) {
		p->parts[i].dso_name = p->parts[0].dso_name;
		p->parts[i].nr_dsos = p->parts[0].nr_dsos;
	}
}

/*
 * Put the places of all parts into one array, in which each part has room for as many as it may
 * make.
 */
static void share_places(struct placing *p)
{
	struct place_table *all = &p->parts[0];
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

/* Move the places of each part up to those of the part before. */
static void join_parts(struct placing *p)
{
	struct place_table *all = &p->parts[0];
	u32 nr = p->h->nr_parts, *first = p->h->part_keys;

	for (u32 i = 0; i < nr; i++)
		first[i + 1] = first[i] + (u32)p->parts[i].nr_places;
	for (u32 i = 1; i < nr; i++) {
		struct place_table *t = &p->parts[i];

		index_release(&t->by_place);
		memmove(all->places + first[i], t->places, t->nr_places * sizeof(*t->places));
	}
	all->nr_places = all->cap_places = first[nr];
	all->places = xrealloc(all->places, first[nr], sizeof(*all->places));
}

void early_places_resolve(struct hist *h)
{
	struct placing p = { .h = h };

	early_end(h);
	parts_make(h, parts_wanted(h), part_of_address);
	p.parts = xcalloc(h->nr_parts, sizeof(*p.parts));
	place_table_init(h, &p.parts[0]);
	share_places(&p);
	name_objects(&p);
	crew_run(h->crew, h->nr_parts, place_part, &p);
	join_parts(&p);
	crew_run(h->crew, h->nr_parts, renumber_part, &p);
	place_table_done(h, &p.parts[0]);
	free(p.parts);
	if (!(h->conf.cols.need & NEED_SYM))
		h->part_keys[1] = (u32)hist_place_keys(h);
	for (int i = 0; i < h->nr_workers; i++)
		early_release(h->workers[i]);
}

const struct counting counting_early = {
	.at_once = true,
	.count = count,
	.flush = flush,
	.resolve = early_places_resolve,
	.merge = rows_in_parts,
};
