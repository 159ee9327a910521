// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of rows, and the widths of their columns. */
#include "base/compat.h"

#include "hist/hist-internal.h"

/*
 * What a row is compared by, copied out of the tables: the keys of the sort columns in their order
 * (sums inverted, so that smaller always comes first), then those that make the order total. A sum
 * is one word, two ranks share one. Entry i is of row i of the event.
 */
struct order {
	struct hist *h;
	struct hist_event *ev;
	u32 nr_keys;   /* words; identity keys follow the sort keys */
	u32 acc;       /* the word that is the sum with children, UINT32_MAX: none */
	size_t stride; /* words */
	u64 *entries;
	u32 *sorted; /* numbers of entries */
};

static u64 *entry_at(const struct order *o, u32 id)
{
	return o->entries + id * o->stride;
}

/* Words being filled with keys; without @key they are only counted. */
struct packing {
	u64 *key;
	u32 nr;
	u32 acc;   /* while counting: the last word of the sum with children */
	bool half; /* the lower half of the last word is free */
};

static void pack_sum(struct packing *p, u64 sum)
{
	if (p->key)
		p->key[p->nr] = ~sum;
	p->nr++;
	p->half = false;
}

static void pack_rank(struct packing *p, u32 rank)
{
	if (p->key && p->half)
		p->key[p->nr - 1] |= rank;
	else if (p->key)
		p->key[p->nr] = (u64)rank << 32;
	p->nr += !p->half;
	p->half = !p->half;
}

/* The sort keys of a row; NULL: only count. */
static u32 pack_keys(const struct order *o, const struct hist_row *row, struct packing *p)
{
	const struct hist_columns *c = &o->h->conf.cols;
	u32 i, m;

	for (i = 0; i < c->nr_sort; i++) {
		const struct hist_column *col = c->sort[i];

		for (m = 0; m < o->ev->nr_members && col->metric; m++)
			pack_sum(p, row ? col->rank(o->h, row, m) : 0);
		if (!col->metric)
			pack_rank(p, row ? col->rank(o->h, row, 0) : 0);
		else if (!row && !strcmp(col->name, "overhead_children"))
			p->acc = p->nr - 1;
	}
	return p->nr;
}

static u32 pack_identity(const struct order *o, const struct hist_row *row, struct packing *p)
{
	const struct hist_columns *c = &o->h->conf.cols;
	bool alone = o->h->conf.by_callchain; /* they are compared without the sort keys, too */
	u32 i;

	if (alone)
		p->half = false;
	for (i = 0; i < c->nr_sort; i++) {
		const struct hist_column *col = c->sort[i];

		if (!col->metric && (col->identity || alone))
			pack_rank(p, !row            ? 0
				     : col->identity ? col->identity(o->h, row)
						     : col->rank(o->h, row, 0));
	}
	return p->nr;
}

static void fill_entry(const struct order *o, u32 id)
{
	struct packing p = { .key = entry_at(o, id) };

	pack_keys(o, o->ev->rows[id], &p);
	pack_identity(o, o->ev->rows[id], &p);
}

#define BLOCK 4096

static void fill_block(void *ctx, int worker, size_t block)
{
	struct order *o = ctx;
	size_t i = block * BLOCK, end = MIN(i + BLOCK, o->ev->nr_rows);

	for (; i < end; i++) {
		fill_entry(o, i);
		o->sorted[i] = i;
	}
}

static int keys_cmp(const u64 *a, const u64 *b, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static int total_cmp(const void *a, const void *b, void *ctx)
{
	const struct order *o = ctx;

	return keys_cmp(entry_at(o, *(const u32 *)a), entry_at(o, *(const u32 *)b), o->stride);
}

static int identity_cmp(const void *a, const void *b, void *ctx)
{
	const struct order *o = ctx;

	return keys_cmp(entry_at(o, *(const u32 *)a) + o->nr_keys,
			entry_at(o, *(const u32 *)b) + o->nr_keys, o->stride - o->nr_keys);
}

/* ---- ordering with callers before callees ---- */

/*
 * Rows of equal share and thread go by chain depth, those of different threads by name. That is
 * no total order (a < b < c < a is possible), so the result depends on who is compared with whom.
 * To print what users of the format know, rows are inserted in the order of their keys into a
 * red-black tree, the way that fixed the known layout.
 */
enum { RED, BLACK };

struct node {
	u32 entry;
	u32 parent, child[2]; /* 0: none */
	u8 colour;
};

static void rotate(struct node *t, u32 *root, u32 x, int dir)
{
	u32 y = t[x].child[!dir], p = t[x].parent;

	t[x].child[!dir] = t[y].child[dir];
	if (t[y].child[dir])
		t[t[y].child[dir]].parent = x;
	t[y].parent = p;
	if (!p)
		*root = y;
	else
		t[p].child[t[p].child[1] == x] = y;
	t[y].child[dir] = x;
	t[x].parent = y;
}

static void rebalance(struct node *t, u32 *root, u32 x)
{
	while (t[x].parent && t[t[x].parent].colour == RED) {
		u32 p = t[x].parent, g = t[p].parent, uncle;
		int side = t[g].child[1] == p;

		uncle = t[g].child[!side];
		if (uncle && t[uncle].colour == RED) {
			t[p].colour = t[uncle].colour = BLACK;
			t[g].colour = RED;
			x = g;
			continue;
		}
		if (t[p].child[!side] == x) {
			rotate(t, root, p, side);
			x = p;
			p = t[x].parent;
		}
		t[p].colour = BLACK;
		t[g].colour = RED;
		rotate(t, root, g, !side);
	}
	t[*root].colour = BLACK;
}

static u32 leftmost(const struct node *t, u32 x)
{
	while (t[x].child[0])
		x = t[x].child[0];
	return x;
}

static int callchain_cmp(const struct order *o, u32 ia, u32 ib)
{
	const struct hist_row *ra = o->ev->rows[ia], *rb = o->ev->rows[ib];
	const u64 *a = entry_at(o, ia), *b = entry_at(o, ib);
	u32 i;

	for (i = 0; i < o->nr_keys; i++) {
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
		if (i != o->acc || ra->thread != rb->thread || ra->depth == rb->depth)
			continue;
		/* Callers above callees: root first, their chains are longer; else shorter. */
		return (ra->depth < rb->depth) == o->h->conf.chain.caller ? 1 : -1;
	}
	return 0;
}

static void order_by_callchain(struct order *o)
{
	size_t nr = o->ev->nr_rows, i;
	struct node *t = xcalloc(nr + 1, sizeof(*t));
	u32 root = 0, x, p;

	parallel_sort(o->sorted, nr, sizeof(*o->sorted), identity_cmp, o, o->h->conf.workers);
	for (i = 1; i <= nr; i++) {
		int side = 0;

		t[i].entry = o->sorted[i - 1];
		for (p = 0, x = root; x; x = t[x].child[side]) {
			p = x;
			side = callchain_cmp(o, t[i].entry, t[x].entry) >= 0;
		}
		t[i].parent = p;
		if (p)
			t[p].child[side] = i;
		else
			root = i;
		rebalance(t, &root, i);
	}
	for (i = 0, x = root ? leftmost(t, root) : 0; x; i++) {
		o->sorted[i] = t[x].entry;
		if (t[x].child[1]) {
			x = leftmost(t, t[x].child[1]);
			continue;
		}
		for (p = t[x].parent; p && t[p].child[1] == x; p = t[p].parent)
			x = p;
		x = p;
	}
	free(t);
}

static void order_rows(struct hist *h, struct hist_event *ev)
{
	struct order o = { .h = h, .ev = ev };
	struct packing p = { .acc = UINT32_MAX };
	struct hist_row **rows;
	size_t i;

	o.nr_keys = pack_keys(&o, NULL, &p);
	o.stride = pack_identity(&o, NULL, &p);
	o.acc = p.acc;
	o.entries = xmalloc((ev->nr_rows + 1) * o.stride * sizeof(u64));
	o.sorted = xcalloc(ev->nr_rows + 1, sizeof(*o.sorted));
	pool_run(h->conf.workers, (ev->nr_rows + BLOCK - 1) / BLOCK, fill_block, &o);
	if (h->conf.by_callchain)
		order_by_callchain(&o);
	else
		parallel_sort(o.sorted, ev->nr_rows, sizeof(*o.sorted), total_cmp, &o,
			      h->conf.workers);
	free(o.entries);
	rows = ev->rows;
	ev->rows = xcalloc(ev->nr_rows + 1, sizeof(struct hist_row *));
	for (i = 0; i < ev->nr_rows; i++)
		ev->rows[i] = rows[o.sorted[i]];
	free(rows);
	free(o.sorted);
}

/* ---- names and widths ---- */

static void name_place(void *ctx, int worker, size_t part)
{
	struct hist *h = ctx;
	size_t per = 1024, i, end = MIN((part + 1) * per, h->nr_places);

	for (i = part * per; i < end; i++)
		if (h->place_used[i] && h->places[i].sym != UINT32_MAX)
			h->place_names[i] = symtab_name(h->places[i].symtab, h->places[i].sym);
}

/* Names of the places that rows show, in parallel: demangling is what costs. */
static void name_places(struct hist *h)
{
	size_t i;

	h->place_names = xcalloc(h->nr_places + 1, sizeof(*h->place_names));
	if (!(h->conf.cols.need & NEED_SYM))
		return;
	h->place_used = xcalloc(h->nr_places + 1, sizeof(*h->place_used));
	for (i = 0; i < h->nr_rows; i++)
		h->place_used[h->rows[i].place] = true;
	pool_run(h->conf.workers, (h->nr_places + 1023) / 1024, name_place, h);
}

struct widths {
	u16 col[HIST_MAX_COLUMNS], dso;
};

struct measuring {
	const struct hist *h;
	const struct hist_event *ev;
	struct widths *blocks;
};

static void measure_block(void *ctx, int worker, size_t block)
{
	struct measuring *m = ctx;
	const struct hist_columns *c = &m->h->conf.cols;
	size_t i = block * BLOCK, end = MIN(i + BLOCK, m->ev->nr_rows);
	struct widths *w = &m->blocks[block];
	u32 k;

	for (; i < end; i++)
		for (k = 0; k < c->nr; k++)
			if (c->col[k]->measure)
				c->col[k]->measure(m->h, m->ev->rows[i], &w->col[k], &w->dso);
}

static void measure(struct hist *h, struct hist_event *ev)
{
	size_t nr_blocks = (ev->nr_rows + BLOCK - 1) / BLOCK, i;
	const struct hist_columns *c = &h->conf.cols;
	struct measuring m = { h, ev, xcalloc(nr_blocks + 1, sizeof(*m.blocks)) };
	u16 dso = 0;
	u32 k;

	pool_run(h->conf.workers, nr_blocks, measure_block, &m);
	for (k = 0; k < c->nr; k++) {
		ev->width[k] = MAX((size_t)c->col[k]->width, strlen(c->col[k]->header));
		if (c->col[k]->metric)
			ev->width[k] *= MAX(ev->nr_members, 1u);
		for (i = 0; i < nr_blocks; i++) {
			ev->width[k] = MAX(ev->width[k], m.blocks[i].col[k]);
			dso = MAX(dso, m.blocks[i].dso);
		}
	}
	for (k = 0; k < c->nr; k++)
		if (c->col[k]->need == NEED_DSO)
			ev->width[k] = MAX(ev->width[k], dso);
	free(m.blocks);
}

static bool shown(const struct hist *h, const struct hist_row *row)
{
	const char *name;

	if (!h->conf.symbol_filter || !(h->conf.cols.need & NEED_SYM))
		return true;
	name = hist_symbol_name(h, row->place);
	return name && strstr(name, h->conf.symbol_filter);
}

void hist_order(struct hist *h)
{
	size_t *at = xcalloc(h->conf.nr_events + 1, sizeof(*at)), i;
	u32 e;

	name_places(h);
	hist_rank_places(h);
	for (i = 0; i < h->nr_rows; i++)
		if (shown(h, &h->rows[i]))
			h->events[h->bases[h->rows[i].base].evsel].nr_rows++;
	for (e = 0; e < h->conf.nr_events; e++)
		h->events[e].rows = xcalloc(h->events[e].nr_rows + 1, sizeof(struct hist_row *));
	for (i = 0; i < h->nr_rows; i++) {
		e = h->bases[h->rows[i].base].evsel;
		if (shown(h, &h->rows[i]))
			h->events[e].rows[at[e]++] = &h->rows[i];
	}
	for (e = 0; e < h->conf.nr_events; e++) {
		struct hist_event *ev = &h->events[e];

		order_rows(h, ev);
		measure(h, ev);
	}
	free(at);
}
