// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call graphs of rows. No tree of all chains is ever built: a row's chains are a list of
 * (sequence, weight), which is split by its next frame, and parts below the limit are dropped
 * before they are split further. So the work is bounded by what will be printed, the memory by
 * one small item per tally, and rows are independent of each other.
 *
 *   a b c  2         b c 2          [a] -+- [b c] 2
 *   a b c  1   -->   b c 1    -->        |
 *   a d    5         d   5               +- [d]   5
 */
#include "base/compat.h"

#include <math.h>

#include "hist/rows-internal.h"

#define NOT_WANTED UINT32_MAX

/* The rest of one sequence. */
struct item {
	const u32 *p;
	const u64 *info; /* what branch stacks say of each frame; NULL */
	u32 left, nr;
	u64 period;
};

/*
 * A chain of a row, from the row's frame on, in as few bytes as an item can be made of: there are
 * many.
 */
struct item_ref {
	u32 tally, from;
};

struct items {
	struct item_ref *v;
	size_t nr, cap;
};

struct group {
	u32 frame;
	size_t nr_items, at;
	u64 period, nr;
};

/* The scratch memory of one thread. */
struct scratch {
	u32 *slot; /* by frame: group + 1 while splitting, else 0 */
};

struct chains {
	struct hist *h;
	const struct hist_event *ev;
	u32 evsel;
	u32 source;    /* the event whose chains are shown */
	u32 *want;     /* by row of @source: its list, or NOT_WANTED */
	double *scale; /* by list, factors to the sums of the row; NULL: the chains are its own */
	struct hist_row **rows; /* by list */
	u32 nr_rows;
	bool *hot;            /* by place key: some row has it whose chains are wanted */
	struct items **lists; /* by worker, then by list */
	struct scratch *scratch;
	struct arena *arenas; /* by list */
	bool marked;          /* some stacks have branches */
	u64 min_hit;          /* the limit, in modes that have one for all nodes */
};

struct split {
	struct chains *c;
	struct arena *arena;
	struct item *tmp;
	u32 *slot;
};

/* ---- the items of each wanted row ---- */

static void item_add(struct items *l, size_t tally, u32 from)
{
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr++] = (struct item_ref){ (u32)tally, from };
}

static struct item make_item(const struct hist_worker *w, const struct item_ref *ref, double scale)
{
	const struct tally *tally = &w->tallies[ref->tally];
	const struct stack *s = &w->stacks[tally->stack];
	struct item it = { .p = s->ids + ref->from,
			   .info = s->info ? s->info + ref->from : NULL,
			   .left = s->nr - ref->from,
			   .nr = MIN(tally->nr, UINT32_MAX),
			   .period = tally->period };

	if (scale != 1) {
		it.period = (u64)MIN(tally->period * scale + 0.5, 0x1p63);
		it.nr = (u32)MIN(tally->nr * scale + 0.5, (double)UINT32_MAX);
	}
	return it;
}

/* The state while the samples of one worker are gathered. */
struct gathering {
	struct chains *c;
	struct hist_worker *w;
	struct items *lists;
	u32 *stamps;           /* by list: the last tally in it, + 1 */
	struct row_near *near; /* by place key: the last list found, + 1 */
};

static u32 wanted_list(const struct gathering *g, u32 base, u32 place)
{
	const struct hist *h = g->c->h;
	u32 key = hist_place_key(h, place), row;
	struct row_near *near = &g->near[key];

	if (!g->c->hot[key])
		return NOT_WANTED;
	if (!near->id || near->base != base) {
		row = map64_get(&h->by_row, (u64)base << 32 | key);
		*near = (struct row_near){ base, row == MAP64_NONE ? 0 : g->c->want[row] + 1 };
	}
	return near->id - 1;
}

static void gather_tally(struct gathering *g, size_t idx)
{
	const struct hist *h = g->c->h;
	struct hist_worker *w = g->w;
	const struct tally *tally = &w->tallies[idx];
	const struct stack *s = &w->stacks[tally->stack];
	u32 place = tally->place, base = w->base_ids[tally->base], i, list;

	if (hist_hidden(h, place) || !filter_passes(h, &w->bases[tally->base], place))
		return;
	list = wanted_list(g, base, place);
	if (list != NOT_WANTED) {
		item_add(&g->lists[list], idx, 0);
		g->stamps[list] = idx + 1;
	}
	if (!h->conf.children || g->c->scale) /* a borrowed chain is the row's own */
		return;
	for (i = 0; i < s->nr; i++) {
		list = wanted_list(g, w->base_ids[caller_base(w, tally, s, i)],
				   h->frames[s->ids[i]].place);
		if (list == NOT_WANTED || g->stamps[list] == idx + 1)
			continue;
		g->stamps[list] = idx + 1;
		item_add(&g->lists[list], idx, i);
	}
}

static void gather(void *ctx, int worker, size_t item)
{
	struct chains *c = ctx;
	struct hist_worker *w = c->h->workers[item];
	struct gathering g = { c, w, xcalloc(c->nr_rows, sizeof(*g.lists)),
			       xcalloc(c->nr_rows, sizeof(*g.stamps)),
			       xcalloc(hist_place_keys(c->h), sizeof(*g.near)) };
	size_t i;

	c->lists[item] = g.lists;
	for (i = 0; i < w->nr_tallies; i++)
		if (w->tallies[i].stack != UINT32_MAX && w->stacks[w->tallies[i].stack].nr &&
		    w->bases[w->tallies[i].base].evsel == c->source)
			gather_tally(&g, i);
	free(g.stamps);
	free(g.near);
}

/* ---- splitting ---- */

/*
 * Decide the order of frames. Frames without symbol stand among those with one by their address in
 * memory, if their object was at one place in all of the recording (where a symbol starts is known
 * in the object). Otherwise frames are ordered by what tells them apart.
 */
static void order_frames(struct hist *h)
{
	struct place_in_memory {
		u64 shift;
		bool known, many;
	} * at;
	u32 nr = 0;
	size_t i;

	for (i = 0; i < h->nr_frames; i++)
		nr = MAX(nr, h->frames[i].dso + 1);
	at = xcalloc(nr + 1, sizeof(*at));
	for (i = 0; i < h->nr_frames; i++) {
		const struct hist_frame *f = &h->frames[i];
		struct place_in_memory *p = &at[f->dso];

		if (h->places[f->place].sym != UINT32_MAX) /* may be of several processes */
			continue;
		p->many |= p->known && p->shift != f->ip - f->at;
		p->shift = f->ip - f->at;
		p->known = true;
	}
	for (i = 0; i < h->nr_frames; i++) {
		struct hist_frame *f = &h->frames[i];

		f->order = f->addr;
		if (!at[f->dso].many && h->places[f->place].sym != UINT32_MAX &&
		    !h->conf.chain.address && !h->conf.chain.line && !h->conf.inlines)
			f->order += at[f->dso].shift;
	}
	free(at);
	h->frames_ordered = true;
}

static int frame_order(const struct hist *h, u32 a, u32 b)
{
	const struct hist_frame *fa = &h->frames[a], *fb = &h->frames[b];

	if (fa->dso != fb->dso)
		return fa->dso < fb->dso ? 1 : -1;
	if (fa->order != fb->order)
		return fa->order < fb->order ? 1 : -1;
	if (fa->at != fb->at)
		return fa->at < fb->at ? 1 : -1;
	return strcmp(intern_str(&h->inline_names, h->places[fa->place].inlined),
		      intern_str(&h->inline_names, h->places[fb->place].inlined));
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

/* Take out the chains that end here and add them to the node. Return: how many are left. */
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
		if (it[i].info)
			it[i].info++;
	}
}

/* Return groups of the items that have the same next frame; the caller frees. */
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

/*
 * Bring the items of each group over the limit together, at the front of @it, and reset the slots.
 * Return: how many groups are left.
 */
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

static void mark_add(struct chain_mark *m, u64 info, u64 nr)
{
	if (!(info & HIST_BRANCH))
		return;
	m->nr += nr;
	if (!(info & HIST_BRANCH_TO)) {
		m->cycles += HIST_BRANCH_CYCLES(info) * nr;
		m->rounds += HIST_BRANCH_ROUNDS(info) * nr;
		m->round_cycles += HIST_BRANCH_ROUND_CYCLES(info) * nr;
		return;
	}
	m->to = true;
	m->predicted += info & HIST_BRANCH_PREDICTED ? nr : 0;
	m->aborts += info & HIST_BRANCH_ABORT ? nr : 0;
	m->back += info & HIST_BRANCH_BACK ? nr : 0;
	m->pages += info & HIST_BRANCH_4K ? nr : 0;
	m->large_pages += info & HIST_BRANCH_2M ? nr : 0;
	m->types[HIST_BRANCH_TYPE(info)] += nr;
}

/* Take the frames that all of @it begin with as those of the node. */
static void take_frames(struct split *s, struct chain_node *n, struct item *it, size_t nr)
{
	struct chain_mark *marks = NULL;
	size_t i, cap = 0;

	do {
		if (s->c->marked) {
			VEC_GROW(marks, n->nr_frames + 1, cap);
			marks[n->nr_frames] = (struct chain_mark){ 0 };
		}
		for (i = 0; i < nr && marks; i++)
			mark_add(&marks[n->nr_frames], it[i].info ? *it[i].info : 0, it[i].nr);
		n->nr_frames++;
		step(it, nr);
	} while (all_go_on_alike(it, nr));
	if (!marks)
		return;
	n->marks = arena_alloc(s->arena, n->nr_frames * sizeof(*marks));
	memcpy((void *)n->marks, marks, n->nr_frames * sizeof(*marks));
	free(marks);
}

static struct chain_node *split_node(struct split *s, struct item *it, size_t nr, bool root)
{
	const struct chain_conf *conf = &s->c->h->conf.chain;
	struct chain_node *n = arena_alloc(s->arena, sizeof(*n));
	size_t nr_groups, i;
	struct group *g;
	u64 min = s->c->min_hit;

	*n = (struct chain_node){ .frames = nr ? it[0].p : NULL };
	if (nr && !root)
		take_frames(s, n, it, nr);
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

/* Return the chains that all workers have of a row; the caller frees. */
static struct item *make_items(struct chains *c, size_t list, size_t *nr)
{
	struct item *all;
	size_t k;
	int i;

	for (*nr = 0, i = 0; i < c->h->nr_workers; i++)
		*nr += c->lists[i][list].nr;
	all = xcalloc(*nr + 1, sizeof(*all));
	for (*nr = 0, i = 0; i < c->h->nr_workers; i++) {
		struct items *l = &c->lists[i][list];

		for (k = 0; k < l->nr; k++)
			all[(*nr)++] = make_item(c->h->workers[i], &l->v[k],
						 c->scale ? c->scale[list] : 1);
		free(l->v);
	}
	return all;
}

static void build_row(void *ctx, int worker, size_t list)
{
	struct chains *c = ctx;
	struct split s = { .c = c, .arena = &c->arenas[list] };
	struct chain_node *root;
	size_t nr;
	struct item *all = make_items(c, list, &nr);

	if (nr) {
		if (!c->scratch[worker].slot)
			c->scratch[worker].slot = xcalloc(c->h->nr_frames + 1, sizeof(u32));
		s.slot = c->scratch[worker].slot;
		s.tmp = xcalloc(nr, sizeof(*s.tmp));
		root = split_node(&s, all, nr, true);
		if (root->nr_children)
			c->rows[list]->more->chain = root;
		free(s.tmp);
	}
	free(all);
}

/* ---- which rows ---- */

/* Index the bases of an event. */
static void index_bases(const struct hist *h, u32 evsel, struct index *ix)
{
	size_t pos;

	for (size_t i = 0; i < h->nr_bases; i++) {
		u64 hash = base_row_hash(h, &h->bases[i], evsel);

		if (h->bases[i].evsel != evsel)
			continue;
		index_reserve(ix);
		index_for_each(ix, hash, pos)
		{
		}
		index_put(ix, pos, hash, i);
	}
}

/* Return the row with the keys of @r in the event that @ix indexes; NULL: there is none. */
static struct hist_row *row_like(const struct hist *h, const struct index *ix, u32 evsel,
				 const struct hist_row *r)
{
	const struct hist_base *b = &h->bases[r->base];
	u64 hash = base_row_hash(h, b, evsel);
	size_t pos;
	u32 row;

	if (!ix->nr)
		return NULL;
	index_for_each(ix, hash, pos)
	{
		if (!base_same_row(h, &h->bases[index_at(ix, pos)], b))
			continue;
		row = map64_get(&h->by_row,
				(u64)index_at(ix, pos) << 32 | hist_place_key(h, r->place));
		return row == MAP64_NONE ? NULL : &h->rows[row];
	}
	return NULL;
}

/* Show the chains of another event: those of its rows, scaled to the sums of ours. */
static void borrow_chains(struct chains *c)
{
	struct hist *h = c->h;
	u32 leader = hist_leader(h, c->source), nr = 0;
	struct index ix = { 0 };

	c->scale = xcalloc(c->nr_rows + 1, sizeof(*c->scale));
	index_bases(h, leader, &ix);
	memset(c->want, 0xff, h->nr_rows * sizeof(*c->want));
	for (u32 i = 0; i < c->nr_rows; i++) {
		struct hist_row *from = row_like(h, &ix, leader, c->rows[i]);

		if (!from || !from->period || !c->rows[i]->period)
			continue;
		c->want[from - h->rows] = nr;
		c->scale[nr] = (double)c->rows[i]->period / from->period;
		c->rows[nr++] = c->rows[i];
	}
	c->nr_rows = nr;
	index_release(&ix);
}

static void pick_rows(struct chains *c, double percent)
{
	struct hist *h = c->h;
	const struct hist_event *ev = c->ev;
	size_t i;

	c->want = xcalloc(h->nr_rows, sizeof(*c->want));
	memset(c->want, 0xff, h->nr_rows * sizeof(*c->want));
	c->hot = xcalloc(hist_place_keys(h), sizeof(*c->hot));
	c->rows = xcalloc(ev->nr_rows + 1, sizeof(*c->rows));
	for (i = 0; i < ev->nr_rows; i++) {
		struct hist_row *r = ev->rows[i];
		u64 sum = h->conf.children ? r->more->acc_period : r->period;

		r->more->chain = NULL;
		if (sum < c->min_hit || sum * 100.0 < percent * ev->period)
			continue;
		c->hot[hist_place_key(h, r->place)] = true;
		c->want[r - h->rows] = c->nr_rows;
		c->rows[c->nr_rows++] = r;
	}
	if (c->source != c->evsel)
		borrow_chains(c);
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
	free(c->scale);
}

void hist_chains(struct hist *h, u32 evsel, double percent)
{
	struct chains c = { .h = h, .ev = &h->events[evsel], .evsel = evsel, .source = evsel };
	u32 i;

	if (!(h->conf.chains || h->conf.children) || h->conf.chain.mode == CHAIN_NONE ||
	    !h->nr_rows)
		return;
	if (h->conf.chain.mode != CHAIN_FRACTAL)
		c.min_hit = c.ev->period * (h->conf.chain.min_percent / 100);
	if (h->conf.chains_of && evsel < h->conf.nr_events)
		c.source = h->conf.chains_of[evsel];
	c.marked = h->conf.chain.marks;
	c.lists = xcalloc(h->nr_workers + 1, sizeof(*c.lists));
	c.scratch = xcalloc(h->conf.workers, sizeof(*c.scratch));
	pick_rows(&c, percent);
	if (!h->frames_ordered)
		order_frames(h);
	if (c.nr_rows) {
		c.arenas = xcalloc(c.nr_rows, sizeof(*c.arenas));
		crew_run(h->crew, h->nr_workers, gather, &c);
		crew_run(h->crew, c.nr_rows, build_row, &c);
		VEC_GROW(h->chain_arenas, h->nr_chain_arenas + c.nr_rows, h->cap_chain_arenas);
		for (i = 0; i < c.nr_rows; i++)
			h->chain_arenas[h->nr_chain_arenas++] = c.arenas[i];
		free(c.arenas);
	}
	chains_release(&c);
}
