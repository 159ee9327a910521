// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Make the tree of --hierarchy from the rows of an event, which are its leaves. A node has the sums
 * of all rows below it, also of those that do not pass the filters, as long as one of them does.
 */
#include "base/compat.h"

#include "hist/rows-internal.h"

struct growing {
	struct hist *h;
	const struct hist_event *ev;
	struct arena *arena;
	u32 level;
};

/* Compare two rows by the columns of a level: rows of one node are equal. */
static int key_cmp(const struct growing *g, const struct hist_row *a, const struct hist_row *b)
{
	const struct hist_columns *c = &g->h->conf.cols;
	u64 ka, kb;
	u32 i;

	for (i = 0; i < c->nr_level_cols; i++) {
		const struct hist_column *col = c->level_col[i];

		if (c->level_of[i] != g->level || col->metric)
			continue;
		ka = col->rank(g->h, col, a, 0);
		kb = col->rank(g->h, col, b, 0);
		if (ka == kb && col->identity) {
			ka = col->identity(g->h, a);
			kb = col->identity(g->h, b);
		}
		if (ka != kb)
			return ka < kb ? -1 : 1;
	}
	return 0;
}

/* Compare by the outermost level first, so that rows of one node stand together in every level. */
static int leaf_cmp(const void *a, const void *b, void *ctx)
{
	const struct growing *g = ctx;
	struct growing at = *g;
	int cmp = 0;

	for (at.level = 0; !cmp && at.level < g->h->conf.cols.nr_levels; at.level++)
		cmp = key_cmp(&at, *(struct hist_row *const *)a, *(struct hist_row *const *)b);
	return cmp;
}

/*
 * Compare by a sum, the larger first: that of the leader, then those of the members of its group.
 */
static int sum_cmp(const struct growing *g, const struct hist_column *col, const struct hist_row *a,
		   const struct hist_row *b)
{
	u32 k;
	int m;

	for (k = 0; (m = hist_sorted_member(g->h, g->ev, k)) >= 0; k++) {
		u64 sa = col->rank(g->h, col, a, m), sb = col->rank(g->h, col, b, m);

		if (sa != sb)
			return sa > sb ? -1 : 1;
	}
	return 0;
}

/*
 * Compare nodes as the flat report compares rows, by sums and keys. Values that have no order of
 * their own, such as addresses without symbol, go by what is below them.
 */
static int node_cmp(const void *a, const void *b, void *ctx)
{
	const struct growing *g = ctx;
	const struct hist_columns *c = &g->h->conf.cols;
	const struct hist_row *ra = (*(struct hist_node *const *)a)->row,
			      *rb = (*(struct hist_node *const *)b)->row;
	u32 i;

	for (i = 0; i < c->nr_sort; i++) {
		const struct hist_column *col = c->sort[i];
		u64 ka, kb;
		int cmp = col->metric ? sum_cmp(g, col, ra, rb) : 0;

		if (cmp)
			return cmp;
		if (col->metric)
			continue;
		ka = col->rank(g->h, col, ra, 0);
		kb = col->rank(g->h, col, rb, 0);
		if (ka != kb)
			return ka < kb ? -1 : 1;
	}
	return key_cmp(g, ra, rb);
}

/* Copy what a row has beside its sums. */
static struct hist_row_more *more_copy(const struct growing *g, const struct hist_row_more *from)
{
	u32 nr_members = MAX(g->ev->nr_members, 1u);
	struct hist_row_more *more;

	if (!from)
		return NULL;
	more = arena_alloc(g->arena, sizeof(*more));
	*more = *from;
	if (from->members) {
		more->members = arena_alloc(g->arena, (nr_members - 1) * sizeof(*more->members));
		memcpy(more->members, from->members, (nr_members - 1) * sizeof(*more->members));
	}
	if (from->modes) {
		size_t size = nr_members * hist_nr_modes(&g->h->conf.cols) * sizeof(*more->modes);

		more->modes = arena_alloc(g->arena, size);
		memcpy(more->modes, from->modes, size);
	}
	return more;
}

/* Keep those of a node's leaves that are shown; only a hidden key tells them apart. */
static size_t keep_shown(struct hist_row **rows, size_t nr)
{
	size_t i, kept = 0;

	for (i = 0; i < nr; i++)
		if (!rows[i]->filtered) {
			struct hist_row *r = rows[i];

			rows[i] = rows[kept];
			rows[kept++] = r;
		}
	return kept;
}

/* Return the row that stands for all of a node: the first with samples of the leader. */
static const struct hist_row *first_of_leader(struct hist_row **rows, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (rows[i]->nr)
			return rows[i];
	return rows[0];
}

static struct hist_row *sum_up(const struct growing *g, struct hist_row **rows, size_t nr)
{
	struct hist_row *sum = arena_alloc(g->arena, sizeof(*sum));
	const struct hist_row *first = first_of_leader(rows, nr);
	size_t i;

	*sum = *first;
	sum->more = more_copy(g, sum->more);
	for (i = 0; i < nr; i++) {
		const struct hist_row *r = rows[i];

		if (r == first)
			continue;
		sum->period += r->period;
		sum->nr += r->nr;
		row_add_members(g->h, sum, r);
	}
	return sum;
}

static bool any_shown(struct hist_row **rows, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!rows[i]->filtered)
			return true;
	return false;
}

/* Make the nodes of one level over @rows, which are sorted. */
static struct hist_node **grow(struct hist *h, const struct hist_event *ev, struct arena *arena,
			       u32 level, struct hist_row **rows, size_t nr, u32 *nr_nodes)
{
	struct growing g = { h, ev, arena, level };
	bool leaves = level + 1 == h->conf.cols.nr_levels;
	struct hist_node **nodes = arena_alloc(arena, (nr + 1) * sizeof(*nodes));
	size_t i, end;

	*nr_nodes = 0;
	for (i = 0; i < nr; i = end) {
		struct hist_node *n;
		size_t nr_summed;

		for (end = i + 1; end < nr && !key_cmp(&g, rows[i], rows[end]);)
			end++;
		if (!any_shown(rows + i, end - i))
			continue;
		n = arena_alloc(arena, sizeof(*n));
		*n = (struct hist_node){ .level = level };
		nr_summed = leaves ? keep_shown(rows + i, end - i) : end - i;
		n->row = leaves && nr_summed == 1 ? rows[i] : sum_up(&g, rows + i, nr_summed);
		if (!leaves)
			n->children =
				grow(h, ev, arena, level + 1, rows + i, end - i, &n->nr_children);
		nodes[(*nr_nodes)++] = n;
	}
	qsort_r(nodes, *nr_nodes, sizeof(*nodes), node_cmp, &g);
	return nodes;
}

void rows_to_tree(struct hist *h, u32 evsel)
{
	struct hist_event *ev = &h->events[evsel];
	struct hist_row **rows = xcalloc(h->nr_rows + 1, sizeof(*rows));
	size_t i, nr = 0;
	u32 m;

	for (i = 0; i < h->nr_rows; i++)
		if (hist_base(h, h->rows[i].base)->evsel == evsel)
			rows[nr++] = &h->rows[i];
	qsort_r(rows, nr, sizeof(struct hist_row *), leaf_cmp, &(struct growing){ .h = h });
	ev->tree = arena_alloc(&h->tree_arena, sizeof(*ev->tree));
	*ev->tree = (struct hist_node){ 0 };
	if (h->conf.cols.nr_levels)
		ev->tree->children =
			grow(h, ev, &h->tree_arena, 0, rows, nr, &ev->tree->nr_children);
	/* The samples of the outermost level are those that passed. */
	for (m = 0; m < ev->nr_members; m++) {
		const u32 latency = m * hist_nr_modes(&h->conf.cols) + MODE_LATENCY;

		ev[m].passed_period = ev[m].passed_latency = 0;
		for (i = 0; i < ev->tree->nr_children; i++) {
			const struct hist_row *r = ev->tree->children[i]->row;

			ev[m].passed_period += m ? r->more->members[m - 1].period : r->period;
			if (r->more && r->more->modes)
				ev[m].passed_latency += r->more->modes[latency];
		}
	}
	free(rows);
}
