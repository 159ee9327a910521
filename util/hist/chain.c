// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call graphs of rows. No tree of all chains is ever built: a row's chains are a list of
 * (sequence, weight), which is split by its next frame, and parts below the limit are dropped
 * before they are split further. So the work is bounded by what will be printed, the memory by
 * one small item per sample set, and rows are independent of each other.
 *
 *   a b c  2         b c 2          [a] -+- [b c] 2
 *   a b c  1   -->   b c 1    -->        |
 *   a d    5         d   5               +- [d]   5
 */
#include "base/compat.h"

#include <math.h>

#include "hist/hist-internal.h"

#define NOT_WANTED UINT32_MAX

/* What is left of one sequence. */
struct item {
	const u32_alias *p;
	u32 left, nr;
	u64 period;
};

struct items {
	struct item *v;
	size_t nr, cap;
};

struct group {
	u32 frame;
	size_t nr_items, at;
	u64 period, nr;
};

/* One pool thread's scratch. */
struct scratch {
	u32 *slot; /* frame -> group + 1 while splitting, else 0 */
};

struct chains {
	struct hist *h;
	const struct hist_event *ev;
	u32 evsel;
	u32 *want;              /* row index -> list, or NOT_WANTED */
	struct hist_row **rows; /* by list */
	u32 nr_rows;
	bool *hot;            /* by place key: some wanted row has it */
	struct items **lists; /* [worker][list] */
	struct scratch *scratch;
	struct arena *arenas; /* by list */
	u64 min_hit;          /* limit of modes with one limit for all */
};

struct split {
	struct chains *c;
	struct arena *arena;
	struct item *tmp;
	u32 *slot;
};

/* ---- the items of each wanted row ---- */

static void item_add(struct items *l, const struct raw *raw, const struct stack *s, u32 from)
{
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr++] = (struct item){ stack_frames(s) + from, s->nr - from,
				       MIN(raw->nr, UINT32_MAX), raw->period };
}

static u32 wanted_list(const struct chains *c, u32 base, u32 place)
{
	u32 key = c->h->places[place].key, row;

	if (!c->hot[key])
		return NOT_WANTED;
	row = map64_get(&c->h->by_row, (u64)base << 32 | key);
	return row == MAP64_NONE ? NOT_WANTED : c->want[row];
}

static void gather_raw(struct chains *c, struct hist_worker *w, struct items *lists, u32 *stamps,
		       size_t idx)
{
	const struct hist *h = c->h;
	const struct raw *raw = &w->raws[idx];
	const struct stack *s = &w->stacks[raw->stack];
	const u32_alias *frames = stack_frames(s);
	u32 place = raw->place, base = w->base_ids[raw->base], i, list;

	if (hist_hidden(h, place) || !hist_passes(h, w->bases[raw->base].comm, place))
		return;
	list = wanted_list(c, base, place);
	if (list != NOT_WANTED) {
		item_add(&lists[list], raw, s, 0);
		stamps[list] = idx + 1;
	}
	if (!h->conf.children)
		return;
	for (i = 0; i < s->nr; i++) {
		list = wanted_list(c, base, h->frames[frames[i]].place);
		if (list == NOT_WANTED || stamps[list] == idx + 1)
			continue;
		stamps[list] = idx + 1;
		item_add(&lists[list], raw, s, i);
	}
}

static void gather(void *ctx, int worker, size_t item)
{
	struct chains *c = ctx;
	struct hist_worker *w = c->h->workers[item];
	u32 *stamps = xcalloc(c->nr_rows, sizeof(*stamps));
	size_t i;

	c->lists[item] = xcalloc(c->nr_rows, sizeof(**c->lists));
	for (i = 0; i < w->nr_raws; i++)
		if (w->raws[i].stack != UINT32_MAX && w->stacks[w->raws[i].stack].nr &&
		    w->bases[w->raws[i].base].evsel == c->evsel)
			gather_raw(c, w, c->lists[item], stamps, i);
	free(stamps);
}

/* ---- splitting ---- */

static int frame_order(const struct hist *h, u32 a, u32 b)
{
	const struct hist_frame *fa = &h->frames[a], *fb = &h->frames[b];

	if (fa->dso != fb->dso)
		return fa->dso < fb->dso ? 1 : -1;
	if (fa->addr != fb->addr)
		return fa->addr < fb->addr ? 1 : -1;
	return 0;
}

static int group_by_frame(const void *a, const void *b, void *h)
{
	return frame_order(h, ((const struct group *)a)->frame, ((const struct group *)b)->frame);
}

static int group_by_period(const void *a, const void *b, void *h)
{
	const struct group *ga = a, *gb = b;

	if (ga->period != gb->period)
		return ga->period > gb->period ? -1 : 1;
	return frame_order(h, ga->frame, gb->frame);
}

/* Take out the chains that end here, adding them to the node. Return: what is left. */
static size_t drop_ended(struct chain_node *n, struct item *it, size_t nr)
{
	size_t i, kept = 0;

	for (i = 0; i < nr; i++) {
		if (it[i].left) {
			it[kept++] = it[i];
			continue;
		}
		n->period += it[i].period;
		n->nr += it[i].nr;
	}
	return kept;
}

static bool all_go_on_alike(const struct item *it, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!it[i].left || *it[i].p != *it[0].p)
			return false;
	return true;
}

static void step(struct item *it, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		it[i].p++;
		it[i].left--;
	}
}

/* The parts of @it by next frame. The caller frees. */
static struct group *find_groups(struct split *s, const struct item *it, size_t nr,
				 size_t *nr_groups)
{
	struct group *g = NULL;
	size_t i, n = 0, cap = 0;

	for (i = 0; i < nr; i++) {
		u32 frame = *it[i].p;

		if (!s->slot[frame]) {
			VEC_GROW(g, n + 1, cap);
			g[n++] = (struct group){ .frame = frame };
			s->slot[frame] = n;
		}
		g[s->slot[frame] - 1].nr_items++;
		g[s->slot[frame] - 1].period += it[i].period;
		g[s->slot[frame] - 1].nr += it[i].nr;
	}
	*nr_groups = n;
	return g;
}

/* Bring the items of parts over the limit together, at the front of @it; reset the slots. Return:
 * parts kept. */
static size_t keep_groups(struct split *s, struct item *it, size_t nr, struct group *g,
			  size_t nr_groups, u64 min)
{
	size_t i, kept = 0, at = 0;

	for (i = 0; i < nr_groups; i++) {
		if (g[i].period < min) {
			s->slot[g[i].frame] = 0;
			continue;
		}
		g[i].at = at;
		at += g[i].nr_items;
		g[kept] = g[i];
		s->slot[g[i].frame] = ++kept;
	}
	for (i = 0; i < nr; i++) {
		u32 slot = s->slot[*it[i].p];

		if (slot)
			s->tmp[g[slot - 1].at++] = it[i];
	}
	memcpy(it, s->tmp, at * sizeof(*it));
	for (i = 0; i < kept; i++) {
		g[i].at -= g[i].nr_items;
		s->slot[g[i].frame] = 0;
	}
	return kept;
}

static struct chain_node *split_node(struct split *s, struct item *it, size_t nr, bool root)
{
	const struct chain_conf *conf = &s->c->h->conf.chain;
	struct chain_node *n = arena_alloc(s->arena, sizeof(*n));
	size_t nr_groups, i;
	struct group *g;
	u64 min = s->c->min_hit;

	*n = (struct chain_node){ .frames = nr ? (const u32 *)it[0].p : NULL };
	while (nr && !root) {
		n->nr_frames++;
		step(it, nr);
		if (!all_go_on_alike(it, nr))
			break;
	}
	nr = drop_ended(n, it, nr);
	g = find_groups(s, it, nr, &nr_groups);
	for (i = 0; i < nr_groups; i++) {
		n->children_period += g[i].period;
		n->children_nr += g[i].nr;
	}
	if (conf->mode == CHAIN_FRACTAL)
		min = ceil(n->children_period * (conf->min_percent / 100));
	n->nr_children = keep_groups(s, it, nr, g, nr_groups, min);
	if (n->nr_children) {
		bool listed = conf->mode == CHAIN_FLAT || conf->mode == CHAIN_FOLDED;

		n->children = arena_alloc(s->arena, n->nr_children * sizeof(*n->children));
		qsort_r(g, n->nr_children, sizeof(*g), listed ? group_by_frame : group_by_period,
			s->c->h);
		for (i = 0; i < n->nr_children; i++)
			n->children[i] = split_node(s, it + g[i].at, g[i].nr_items, false);
	}
	free(g);
	return n;
}

static void build_row(void *ctx, int worker, size_t list)
{
	struct chains *c = ctx;
	struct items all = { 0 };
	struct split s = { .c = c, .arena = &c->arenas[list] };
	struct chain_node *root;
	int i;

	for (i = 0; i < c->h->nr_workers; i++) {
		struct items *l = &c->lists[i][list];

		if (l->nr) {
			VEC_GROW(all.v, all.nr + l->nr, all.cap);
			memcpy(all.v + all.nr, l->v, l->nr * sizeof(*l->v));
			all.nr += l->nr;
		}
		free(l->v);
	}
	if (!all.nr)
		return;
	if (!c->scratch[worker].slot)
		c->scratch[worker].slot = xcalloc(c->h->nr_frames + 1, sizeof(u32));
	s.slot = c->scratch[worker].slot;
	s.tmp = xcalloc(all.nr, sizeof(*s.tmp));
	root = split_node(&s, all.v, all.nr, true);
	if (root->nr_children)
		c->rows[list]->chain = root;
	free(s.tmp);
	free(all.v);
}

/* ---- which rows ---- */

static void pick_rows(struct chains *c, double percent)
{
	struct hist *h = c->h;
	const struct hist_event *ev = c->ev;
	size_t i;

	c->want = xcalloc(h->nr_rows, sizeof(*c->want));
	memset(c->want, 0xff, h->nr_rows * sizeof(*c->want));
	c->hot = xcalloc(MAX(h->nr_places, h->dso_names.nr) + 1, sizeof(*c->hot));
	c->rows = xcalloc(ev->nr_rows + 1, sizeof(*c->rows));
	for (i = 0; i < ev->nr_rows; i++) {
		struct hist_row *r = ev->rows[i];
		u64 sum = h->conf.children ? r->acc_period : r->period;

		r->chain = NULL;
		if (sum < c->min_hit || sum * 100.0 < percent * ev->period)
			continue;
		c->hot[h->places[r->place].key] = true;
		c->want[r - h->rows] = c->nr_rows;
		c->rows[c->nr_rows++] = r;
	}
}

static void chains_release(struct chains *c)
{
	int i;

	for (i = 0; i < c->h->nr_workers; i++)
		free(c->lists[i]);
	for (i = 0; i < c->h->conf.workers; i++)
		free(c->scratch[i].slot);
	free(c->lists);
	free(c->scratch);
	free(c->want);
	free(c->hot);
	free(c->rows);
}

void hist_chains(struct hist *h, u32 evsel, double percent)
{
	struct chains c = { .h = h, .ev = &h->events[evsel], .evsel = evsel };
	u32 i;

	if (!hist_keeps_stacks(h) || h->conf.chain.mode == CHAIN_NONE || !h->nr_rows)
		return;
	if (h->conf.chain.mode != CHAIN_FRACTAL)
		c.min_hit = c.ev->period * (h->conf.chain.min_percent / 100);
	c.lists = xcalloc(h->nr_workers + 1, sizeof(*c.lists));
	c.scratch = xcalloc(h->conf.workers, sizeof(*c.scratch));
	pick_rows(&c, percent);
	if (c.nr_rows) {
		c.arenas = xcalloc(c.nr_rows, sizeof(*c.arenas));
		pool_run(h->conf.workers, h->nr_workers, gather, &c);
		pool_run(h->conf.workers, c.nr_rows, build_row, &c);
		VEC_GROW(h->chain_arenas, h->nr_chain_arenas + c.nr_rows, h->cap_chain_arenas);
		for (i = 0; i < c.nr_rows; i++)
			h->chain_arenas[h->nr_chain_arenas++] = c.arenas[i];
		free(c.arenas);
	}
	chains_release(&c);
}
