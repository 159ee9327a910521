// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The call paths that account for a difference. The call graphs of a row in all profiles are
 * overlaid frame by frame: frames with the same name are equal, and so are any number of
 * consecutive frames without symbols in the same object. Then the parts that changed are selected.
 */
#include "base/compat.h"

#include <math.h>

#include "diff/diff.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "hist/index.h"
#include "base/intern.h"

#define UNNAMED (1u << 31) /* marks the name of an object */

/* A frame of the paths of a row. Node 0 is the row. */
struct node {
	u32 name;
	u32 parent, first, next; /* 0: none */
};

struct diff_paths {
	const struct diff *d;
	double min_percent;
	struct intern names;
	u32 **of_frame; /* by side and frame; 0: not computed yet */
	/* for the current row: */
	struct node *nodes;
	size_t nr, cap, cap_sums;
	struct diff_sum *sums; /* by node, then by side */
	struct index by_name;
	struct arena arena; /* for the current tree */
};

/* ---- laying over ---- */

static u32 name_of(struct diff_paths *p, u32 side, u32 frame)
{
	const struct hist *h = p->d->sides[side].hist;
	u32 *known = &p->of_frame[side][frame];
	u32 place = hist_frame(h, frame)->place;
	const char *name;
	char object[512];

	if (*known)
		return *known;
	name = hist_symbol_name(h, place);
	if (name) {
		*known = intern_str_id(&p->names, name);
	} else {
		const char *dso = hist_dso_name(h, hist_place(h, place)->dso);

		snprintf(object, sizeof(object), *dso == '[' ? "%s" : "[%s]", dso);
		*known = intern_str_id(&p->names, object) | UNNAMED;
	}
	return *known;
}

static struct diff_sum *sums_of(const struct diff_paths *p, u32 node)
{
	return &p->sums[(size_t)node * p->d->nr_sides];
}

static u32 new_node(struct diff_paths *p, u32 name, u32 parent)
{
	size_t sides = p->d->nr_sides;

	VEC_GROW(p->nodes, p->nr + 1, p->cap);
	VEC_GROW(p->sums, (p->nr + 1) * sides, p->cap_sums);
	p->nodes[p->nr] = (struct node){ .name = name, .parent = parent };
	memset(&p->sums[p->nr * sides], 0, sides * sizeof(*p->sums));
	if (p->nr) {
		p->nodes[p->nr].next = p->nodes[parent].first;
		p->nodes[parent].first = (u32)p->nr;
	}
	return (u32)p->nr++;
}

/*
 * Return the node of a name below @parent, or @parent itself when it continues the same unknown
 * object.
 */
static u32 node_below(struct diff_paths *p, u32 parent, u32 name)
{
	u64 hash = hash_u64((u64)parent << 32 | name);
	u32 node;
	size_t pos;

	if (parent && name & UNNAMED && p->nodes[parent].name == name)
		return parent;
	index_reserve(&p->by_name);
	index_for_each(&p->by_name, hash, pos)
	{
		node = index_at(&p->by_name, pos);
		if (p->nodes[node].parent == parent && p->nodes[node].name == name)
			return node;
	}
	node = new_node(p, name, parent);
	index_put(&p->by_name, pos, hash, node);
	return node;
}

static void lay_over(struct diff_paths *p, u32 side, const struct chain_node *n, u32 at)
{
	u32 i, node;

	for (i = 0; i < n->nr_frames; i++) {
		node = node_below(p, at, name_of(p, side, n->frames[i]));
		if (node != at) {
			sums_of(p, node)[side].period += n->period + n->children_period;
			sums_of(p, node)[side].nr += n->nr + n->children_nr;
		}
		at = node;
	}
	for (i = 0; i < n->nr_children; i++)
		lay_over(p, side, n->children[i], at);
}

static void start_row(struct diff_paths *p, const struct diff_row *r)
{
	const struct diff_part *part;
	u32 i;

	index_release(&p->by_name);
	arena_release(&p->arena);
	p->nr = 0;
	new_node(p, 0, 0);
	memcpy(p->sums, r->sums, p->d->nr_sides * sizeof(*p->sums));
	for (i = r->parts; i; i = part->next) {
		part = &p->d->parts[i - 1];
		if (hist_row_chain(part->row))
			lay_over(p, part->side, hist_row_chain(part->row), 0);
	}
}

/* ---- cutting out ---- */

static double change(const struct diff *d, const struct diff_sum *sums, u32 side)
{
	return diff_share(d, sums, side) - diff_share(d, sums, 0);
}

static bool worth_it(const struct diff_paths *p, const struct diff_sum *sums)
{
	for (u32 side = 1; side < p->d->nr_sides; side++)
		if (fabs(change(p->d, sums, side)) >= p->min_percent)
			return true;
	return false;
}

static int path_cmp(const void *pa, const void *pb, void *ctx)
{
	const struct diff_path *a = *(struct diff_path *const *)pa;
	const struct diff_path *b = *(struct diff_path *const *)pb;
	const struct diff *d = ctx;
	u32 side = d->conf.order ? d->conf.order : 1;
	double ca = fabs(change(d, a->sums, side)), cb = fabs(change(d, b->sums, side));

	if (ca != cb)
		return ca > cb ? -1 : 1;
	for (side = 0; side < d->nr_sides; side++)
		if (a->sums[side].period != b->sums[side].period)
			return a->sums[side].period > b->sums[side].period ? -1 : 1;
	return strcmp(a->frames[0], b->frames[0]);
}

/* Tell whether everything that goes through a node continues to a single child. */
static bool goes_on(const struct diff_paths *p, u32 node)
{
	u32 child = p->nodes[node].first;

	return child && !p->nodes[child].next &&
	       !memcmp(sums_of(p, node), sums_of(p, child), p->d->nr_sides * sizeof(*p->sums));
}

static struct diff_path *cut_out(struct diff_paths *p, u32 node);

static void cut_children(struct diff_paths *p, struct diff_path *path, u32 node)
{
	u32 nr = 0, child;

	for (child = p->nodes[node].first; child; child = p->nodes[child].next)
		nr++;
	path->children = arena_alloc(&p->arena, (nr + 1) * sizeof(*path->children));
	for (child = p->nodes[node].first; child; child = p->nodes[child].next) {
		path->children[path->nr_children] = cut_out(p, child);
		path->nr_children += !!path->children[path->nr_children];
	}
	qsort_r(path->children, path->nr_children, sizeof(*path->children), path_cmp, (void *)p->d);
}

static struct diff_path *cut_out(struct diff_paths *p, u32 node)
{
	struct diff_path *path = arena_alloc(&p->arena, sizeof(*path));
	u32 nr = 1, i;

	*path = (struct diff_path){ .sums = sums_of(p, node) };
	for (i = node; goes_on(p, i); i = p->nodes[i].first)
		nr++;
	path->frames = arena_alloc(&p->arena, nr * sizeof(*path->frames));
	for (;; node = p->nodes[node].first) {
		path->frames[path->nr_frames++] =
			intern_str(&p->names, p->nodes[node].name & ~UNNAMED);
		if (path->nr_frames == nr)
			break;
	}
	cut_children(p, path, node);
	return path->nr_children || worth_it(p, path->sums) ? path : NULL;
}

/* Return the start of the paths: after the function that the row itself shows. */
static u32 begin(struct diff_paths *p, const struct diff_row *r)
{
	const struct hist *h = p->d->sides[r->side].hist;
	const char *name = hist_config(h)->cols.need & NEED_SYM ? hist_symbol_name(h, r->row->place)
								: NULL;
	u32 first = p->nodes[0].first;

	if (!name || !first || p->nodes[first].next || hist_config(h)->chain.caller ||
	    strcmp(name, intern_str(&p->names, p->nodes[first].name & ~UNNAMED)))
		return 0;
	return first;
}

const struct diff_path *diff_paths_of(struct diff_paths *p, const struct diff_row *r)
{
	struct diff_path *root;

	start_row(p, r);
	root = arena_alloc(&p->arena, sizeof(*root));
	*root = (struct diff_path){ .sums = sums_of(p, 0) };
	cut_children(p, root, begin(p, r));
	return root->nr_children ? root : NULL;
}

struct diff_paths *diff_paths_new(const struct diff *d, double min_percent)
{
	struct diff_paths *p = xzalloc(sizeof(*p));

	p->d = d;
	p->min_percent = min_percent;
	p->of_frame = xcalloc(d->nr_sides, sizeof(*p->of_frame));
	for (u32 side = 0; side < d->nr_sides; side++)
		if (d->sides[side].hist)
			p->of_frame[side] = xcalloc(hist_nr_frames(d->sides[side].hist) + 1,
						    sizeof(**p->of_frame));
	intern_str_id(&p->names, "");
	return p;
}

void diff_paths_free(struct diff_paths *p)
{
	if (!p)
		return;
	for (u32 side = 0; side < p->d->nr_sides; side++)
		free(p->of_frame[side]);
	free(p->of_frame);
	free(p->nodes);
	free(p->sums);
	index_release(&p->by_name);
	intern_release(&p->names);
	arena_release(&p->arena);
	free(p);
}
