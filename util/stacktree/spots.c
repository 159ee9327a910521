// SPDX-License-Identifier: GPL-2.0-or-later
/* Where in the functions with most samples they were: what source and assembly are shown beside. */
#include "base/compat.h"

#include "machine/machine.h"
#include "stacktree/stacks-internal.h"

#define MOST_FUNCTIONS 64

struct hot {
	u32 place; /* of the hist */
	u64 samples;
	u64 start;
	const char *name;
};

static u32 place_of(const struct hist *h, const struct spot_count *c)
{
	return hist_frame(h, hist_leaf_frame(h, c->leaf))->place;
}

static bool counts(const struct hist *h, const struct counted_stacks *w, const struct spot_count *c)
{
	return hist_spot_passes(h, w, c) && hist_place(h, place_of(h, c))->sym != UINT32_MAX;
}

/* Where two have as many samples, their names decide: frames come in any order. */
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

/* By place: is it a function with many samples? The caller frees. */
static bool *choose(struct hist *h)
{
	size_t nr_places = hist_nr_places(h), nr = 0;
	struct hot *hot = xcalloc(nr_places + 1, sizeof(*hot));
	bool *chosen = xcalloc(nr_places + 1, sizeof(*chosen));

	for (int i = 0; i < hist_nr_workers(h); i++) {
		struct counted_stacks w = hist_counted_stacks(h, i);

		for (size_t k = 0; k < w.nr_spots; k++)
			if (counts(h, &w, &w.spots[k]))
				hot[place_of(h, &w.spots[k])].samples += w.spots[k].nr;
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

static int spot_cmp(const void *pa, const void *pb)
{
	const struct stacks_spot *a = pa, *b = pb;

	if (a->frame != b->frame)
		return a->frame < b->frame ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

void stacks_sort_spots(struct stacks *s)
{
	size_t nr = 0;

	if (s->nr_spots)
		qsort(s->spots, s->nr_spots, sizeof(*s->spots), spot_cmp);
	for (size_t i = 0; i < s->nr_spots; i++) {
		struct stacks_spot *last = nr ? &s->spots[nr - 1] : NULL;

		if (last && !spot_cmp(last, &s->spots[i])) {
			last->samples += s->spots[i].samples;
			last->period += s->spots[i].period;
			continue;
		}
		s->spots[nr++] = s->spots[i];
	}
	s->nr_spots = nr;
}

/* While spots are gathered. */
struct gathering {
	struct hist *h;
	struct stacks_builder *b;
	const u32 *frame; /* of the hist -> of the builder */
	struct dso *const *dsos;
	struct index by_spot;
	size_t cap;
};

/* The one at an address of a frame of the hist, made when new. */
static struct stacks_spot *spot_make(struct gathering *g, u32 event, u32 frame, u64 addr)
{
	const struct hist_frame *f = hist_frame(g->h, frame);
	const struct hist_place *p = hist_place(g->h, f->place);
	struct stacks *s = g->b->s;
	const struct stacks_spot new = {
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

	index_reserve(&g->by_spot);
	index_for_each(&g->by_spot, hash, pos)
	{
		struct stacks_spot *o = &s->spots[index_at(&g->by_spot, pos)];

		if (!spot_cmp(o, &new))
			return o;
	}
	VEC_GROW(s->spots, s->nr_spots + 1, g->cap);
	s->spots[s->nr_spots] = new;
	index_put(&g->by_spot, pos, hash, (u32)s->nr_spots);
	return &s->spots[s->nr_spots++];
}

static void add_spot(struct gathering *g, const struct counted_stacks *w,
		     const struct spot_count *c, const bool *chosen, const char *const *names)
{
	u32 frame = hist_leaf_frame(g->h, c->leaf), evsel = w->bases[c->base].evsel;
	const struct hist_frame *f = hist_frame(g->h, frame);
	struct stacks_spot *spot;

	if (!chosen[f->place] || !f->dso || !counts(g->h, w, c))
		return;
	spot = spot_make(g, stacks_builder_event(g->b, names[evsel], evsel), frame, c->addr);
	spot->samples += c->nr;
	spot->period += c->period;
}

void stacks_find_spots(struct hist *h, struct stacks_builder *b, const u32 *frame,
		       const char *const *names)
{
	struct gathering g = { .h = h, .b = b, .frame = frame };
	bool *chosen = choose(h);
	size_t nr;

	g.dsos = machine_dsos(hist_machine(h), &nr);
	for (int i = 0; i < hist_nr_workers(h); i++) {
		struct counted_stacks w = hist_counted_stacks(h, i);

		for (size_t k = 0; k < w.nr_spots; k++)
			add_spot(&g, &w, &w.spots[k], chosen, names);
	}
	index_release(&g.by_spot);
	free(chosen);
	stacks_sort_spots(b->s);
}
