// SPDX-License-Identifier: GPL-2.0-or-later
/* Find the places of samples in the functions with most samples, for source and assembly beside
 * them. */
#include "base/compat.h"

#include "machine/machine.h"
#include "stacktree/stacks-internal.h"

#define MOST_FUNCTIONS 64

struct hot {
	u32 place; /* place of the hist */
	u64 samples;
	u64 start;
	const char *name;
};

static u32 place_of(const struct hist *h, const struct site_count *c)
{
	return hist_frame(h, hist_leaf_frame(h, c->leaf))->place;
}

static bool counts(const struct hist *h, const struct counted_stacks *w, const struct site_count *c)
{
	return hist_site_passes(h, w, c) && hist_place(h, place_of(h, c))->sym != UINT32_MAX;
}

/*
 * If two functions have equally many samples, their names decide, because frames come in any order.
 */
static int hotter(const void *pa, const void *pb)
{
	const struct hot *a = pa, *b = pb;
	int ret;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	ret = strcmp(a->name, b->name);
	if (ret)
		return ret;
	return a->start < b->start ? -1 : a->start > b->start;
}

/*
 * Return for each place whether it is in a function with many samples. The caller frees the array.
 */
static bool *choose(struct hist *h)
{
	size_t nr_places = hist_nr_places(h), nr = 0;
	struct hot *hot = xcalloc(nr_places + 1, sizeof(*hot));
	bool *chosen = xcalloc(nr_places + 1, sizeof(*chosen));

	for (int i = 0; i < hist_nr_workers(h); i++) {
		struct counted_stacks w = hist_counted_stacks(h, i);

		for (size_t k = 0; k < w.nr_sites; k++)
			if (counts(h, &w, &w.sites[k]))
				hot[place_of(h, &w.sites[k])].samples += w.sites[k].nr;
	}
	for (size_t i = 0; i < nr_places; i++)
		if (hot[i].samples)
			hot[nr++] = (struct hot){ .place = (u32)i,
						  .samples = hot[i].samples,
						  .start = hist_place(h, (u32)i)->start,
						  .name = hist_symbol_name(h, (u32)i) };
	qsort(hot, nr, sizeof(*hot), hotter);
	for (size_t i = 0; i < MIN(nr, (size_t)MOST_FUNCTIONS); i++)
		chosen[hot[i].place] = true;
	free(hot);
	return chosen;
}

static int site_cmp(const void *pa, const void *pb)
{
	const struct stacks_site *a = pa, *b = pb;

	if (a->frame != b->frame)
		return a->frame < b->frame ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

void stacks_sort_sites(struct stacks *s)
{
	size_t nr = 0;

	if (s->nr_sites)
		qsort(s->sites, s->nr_sites, sizeof(*s->sites), site_cmp);
	for (size_t i = 0; i < s->nr_sites; i++) {
		struct stacks_site *last = nr ? &s->sites[nr - 1] : NULL;

		if (last && !site_cmp(last, &s->sites[i])) {
			last->samples += s->sites[i].samples;
			last->period += s->sites[i].period;
			continue;
		}
		s->sites[nr++] = s->sites[i];
	}
	s->nr_sites = nr;
}

/* State while code sites are collected. */
struct gathering {
	struct hist *h;
	struct stacks_builder *b;
	const u32 *frame; /* frame of the hist -> frame of the builder */
	struct dso *const *dsos;
	struct index by_site;
	size_t cap;
};

/* Return the site at an address of a frame of the hist; it is added when it is new. */
static struct stacks_site *site_make(struct gathering *g, u32 event, u32 frame, u64 addr)
{
	const struct hist_frame *f = hist_frame(g->h, frame);
	const struct hist_place *p = hist_place(g->h, f->place);
	struct stacks *s = g->b->s;
	const struct stacks_site new = {
		.event = event,
		.frame = g->frame[frame],
		.addr = addr,
		.start = p->start,
		.end = hist_place_end(p),
		.sym = p->sym,
		.symtab = p->symtab,
		.dso = g->dsos[f->dso - 1],
	};
	u64 hash = hash_u64(addr ^ hash_u64((u64)event << 32 | new.frame));
	size_t pos;

	index_reserve(&g->by_site);
	index_for_each(&g->by_site, hash, pos)
	{
		struct stacks_site *o = &s->sites[index_at(&g->by_site, pos)];

		if (!site_cmp(o, &new))
			return o;
	}
	VEC_GROW(s->sites, s->nr_sites + 1, g->cap);
	s->sites[s->nr_sites] = new;
	index_put(&g->by_site, pos, hash, (u32)s->nr_sites);
	return &s->sites[s->nr_sites++];
}

static void add_site(struct gathering *g, const struct counted_stacks *w,
		     const struct site_count *c, const bool *chosen, const char *const *names)
{
	u32 frame = hist_leaf_frame(g->h, c->leaf), evsel = w->bases[c->base].evsel;
	const struct hist_frame *f = hist_frame(g->h, frame);
	struct stacks_site *site;

	if (!chosen[f->place] || !f->dso || !counts(g->h, w, c))
		return;
	site = site_make(g, stacks_builder_event(g->b, names[evsel], evsel), frame, c->addr);
	site->samples += c->nr;
	site->period += c->period;
}

void stacks_find_sites(struct hist *h, struct stacks_builder *b, const u32 *frame,
		       const char *const *names)
{
	struct gathering g = { .h = h, .b = b, .frame = frame };
	bool *chosen = choose(h);
	size_t nr;

	g.dsos = machine_dsos(hist_machine(h), &nr);
	for (int i = 0; i < hist_nr_workers(h); i++) {
		struct counted_stacks w = hist_counted_stacks(h, i);

		for (size_t k = 0; k < w.nr_sites; k++)
			add_site(&g, &w, &w.sites[k], chosen, names);
	}
	index_release(&g.by_site);
	free(chosen);
	stacks_sort_sites(b->s);
}
