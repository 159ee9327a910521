// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of rows, and the widths of their columns. */
#include "base/compat.h"

#include "hist/hist-internal.h"

static int identity(const struct hist *h, const struct hist_row *a, const struct hist_row *b)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 i;

	for (i = 0; i < c->nr_sort; i++) {
		const struct hist_column *col = c->sort[i];
		int cmp;

		if (col->metric)
			continue;
		cmp = col->identity ? col->identity(h, a, b) : col->order(h, a, b);
		if (cmp)
			return cmp;
	}
	return 0;
}

static int compare(const struct hist *h, const struct hist_row *a, const struct hist_row *b)
{
	const struct hist_columns *c = &h->conf.cols;
	u32 i;

	for (i = 0; i < c->nr_sort; i++) {
		int cmp = c->sort[i]->order(h, a, b);

		if (cmp)
			return cmp;
	}
	return 0;
}

static int row_cmp(const void *a, const void *b, void *h)
{
	const struct hist_row *ra = *(struct hist_row *const *)a, *rb = *(struct hist_row *const *)b;
	int cmp = compare(h, ra, rb);

	return cmp ? cmp : identity(h, ra, rb);
}

static int identity_cmp(const void *a, const void *b, void *h)
{
	return identity(h, *(struct hist_row *const *)a, *(struct hist_row *const *)b);
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
	struct hist_row *row;
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

static void order_by_callchain(struct hist *h, struct hist_row **rows, size_t nr)
{
	struct node *t = xcalloc(nr + 1, sizeof(*t));
	u32 root = 0, x, p;
	size_t i;

	parallel_sort(rows, nr, sizeof(*rows), identity_cmp, h, h->conf.workers);
	for (i = 1; i <= nr; i++) {
		int side = 0;

		t[i].row = rows[i - 1];
		for (p = 0, x = root; x; x = t[x].child[side]) {
			p = x;
			side = compare(h, t[i].row, t[x].row) >= 0;
		}
		t[i].parent = p;
		if (p)
			t[p].child[side] = i;
		else
			root = i;
		rebalance(t, &root, i);
	}
	for (i = 0, x = root ? leftmost(t, root) : 0; x; i++) {
		rows[i] = t[x].row;
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

static void measure(struct hist *h, struct hist_event *ev)
{
	const struct hist_columns *c = &h->conf.cols;
	u16 dso_width = 0;
	size_t i;
	u32 k;

	for (k = 0; k < c->nr; k++)
		ev->width[k] = MAX((size_t)c->col[k]->width, strlen(c->col[k]->header));
	for (i = 0; i < ev->nr_rows; i++)
		for (k = 0; k < c->nr; k++)
			if (c->col[k]->measure)
				c->col[k]->measure(h, ev->rows[i], &ev->width[k], &dso_width);
	for (k = 0; k < c->nr; k++)
		if (c->col[k]->need == NEED_DSO)
			ev->width[k] = MAX(ev->width[k], dso_width);
}

void hist_order(struct hist *h)
{
	size_t *at = xcalloc(h->conf.nr_events + 1, sizeof(*at)), i;
	u32 e;

	name_places(h);
	hist_rank_places(h);
	for (i = 0; i < h->nr_rows; i++)
		h->events[h->bases[h->rows[i].base].evsel].nr_rows++;
	for (e = 0; e < h->conf.nr_events; e++)
		h->events[e].rows = xcalloc(h->events[e].nr_rows + 1, sizeof(struct hist_row *));
	for (i = 0; i < h->nr_rows; i++) {
		e = h->bases[h->rows[i].base].evsel;
		h->events[e].rows[at[e]++] = &h->rows[i];
	}
	for (e = 0; e < h->conf.nr_events; e++) {
		struct hist_event *ev = &h->events[e];

		if (h->conf.by_callchain)
			order_by_callchain(h, ev->rows, ev->nr_rows);
		else
			parallel_sort(ev->rows, ev->nr_rows, sizeof(*ev->rows), row_cmp, h, h->conf.workers);
		measure(h, ev);
	}
	free(at);
}
