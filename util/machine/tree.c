// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The persistent tree of mappings: a treap of disjoint ranges. Every mapping adds at most three
 * ranges and removes those it covers, so the cost of a mapping is O(log n) whatever the pattern is
 * (a page remapped a hundred thousand times, or thousands of processes forked from one).
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "machine/machine-internal.h"

bool is_anon(const struct dso *dso)
{
	return dso->kind == DSO_ANON || dso->kind == DSO_PERF_MAP;
}

static bool fixed_address(const struct dso *dso)
{
	return dso->kind == DSO_KERNEL || is_anon(dso);
}

/* Tell whether every address has the same meaning in both maps. */
static bool same_meaning(const struct map *a, const struct map *b)
{
	return a->dso == b->dso &&
	       (fixed_address(a->dso) || a->start - a->pgoff == b->start - b->pgoff);
}

/*
 * Tell whether adjacent ranges are merged. Ranges of files are not, because the size of each
 * mapping is needed.
 */
static bool grows(const struct map *a, const struct map *b)
{
	return same_meaning(a, b) && fixed_address(b->dso);
}

/*
 * Tell whether one is a function in memory and the other is the memory around it; neither replaces
 * the other.
 */
static bool gives_way(const struct map *a, const struct map *b)
{
	return (is_anon(a->dso) && b->dso->kind == DSO_JIT) ||
	       (a->dso->kind == DSO_JIT && is_anon(b->dso));
}

static u32 node_new(struct map_tree *t, u64 start, u64 end, const struct map *map, u32 tag)
{
	if (!t->nr)
		t->nr = 1;
	VEC_GROW(t->nodes, (size_t)t->nr + 1, t->cap);
	t->nodes[t->nr] = (struct map_node){
		.start = start,
		.end = end,
		.map = map,
		.tag = tag,
		.prio = (u32)hash_mix(t->seed, t->nr),
	};
	return t->nr++;
}

/* Return the node itself if this version owns it, otherwise a copy that it owns. */
static u32 node_own(struct map_tree *t, u32 n, u32 tag)
{
	u32 copy;

	if (t->nodes[n].tag == tag)
		return n;
	copy = node_new(t, 0, 0, NULL, tag);
	t->nodes[copy] = t->nodes[n];
	t->nodes[copy].tag = tag;
	return copy;
}

/* Split a tree: *@l receives the nodes that start below @key, *@r the others. */
static void split(struct map_tree *t, u32 n, u64 key, u32 tag, u32 *l, u32 *r)
{
	u32 a, b;

	if (n == NIL) {
		*l = *r = NIL;
		return;
	}
	n = node_own(t, n, tag);
	if (t->nodes[n].start < key) {
		split(t, t->nodes[n].right, key, tag, &a, &b);
		t->nodes[n].right = a;
		*l = n;
		*r = b;
	} else {
		split(t, t->nodes[n].left, key, tag, &a, &b);
		t->nodes[n].left = b;
		*l = a;
		*r = n;
	}
}

/* Merge two trees, where all of @l starts below all of @r. */
static u32 merge(struct map_tree *t, u32 l, u32 r, u32 tag)
{
	u32 sub;

	if (l == NIL || r == NIL)
		return l == NIL ? r : l;
	if (t->nodes[l].prio >= t->nodes[r].prio) {
		l = node_own(t, l, tag);
		sub = merge(t, t->nodes[l].right, r, tag);
		t->nodes[l].right = sub;
		return l;
	}
	r = node_own(t, r, tag);
	sub = merge(t, l, t->nodes[r].left, tag);
	t->nodes[r].left = sub;
	return r;
}

static u32 find_last(const struct map_tree *t, u32 n)
{
	while (n != NIL && t->nodes[n].right != NIL)
		n = t->nodes[n].right;
	return n;
}

u32 map_tree_tag(struct map_tree *t)
{
	return ++t->last_tag;
}

u32 map_tree_find_range(const struct map_tree *t, u32 root, u64 addr, u64 *start, u64 *end)
{
	u32 floor = NIL;

	*start = 0;
	*end = UINT64_MAX;
	while (root != NIL) {
		const struct map_node *node = &t->nodes[root];

		if (node->start <= addr) {
			floor = root;
			root = node->right;
		} else {
			*end = node->start;
			root = node->left;
		}
	}
	if (floor == NIL || addr >= t->nodes[floor].end) {
		*start = floor == NIL ? 0 : t->nodes[floor].end;
		return NIL;
	}
	*start = t->nodes[floor].start;
	*end = t->nodes[floor].end;
	return floor;
}

u32 map_tree_find(const struct map_tree *t, u32 root, u64 addr)
{
	u64 start, end;

	return map_tree_find_range(t, root, addr, &start, &end);
}

bool map_tree_covered(const struct map_tree *t, u32 root, u64 start, u64 end, const struct map *map)
{
	u32 n = map_tree_find(t, root, start);

	if (n == NIL || t->nodes[n].end < end || !same_meaning(t->nodes[n].map, map))
		return false;
	return fixed_address(map->dso) || (t->nodes[n].start == start && t->nodes[n].end == end);
}

bool map_tree_conflict(const struct map_tree *t, u32 n, u64 start, u64 end, const struct map *map)
{
	while (n != NIL) {
		const struct map_node *node = &t->nodes[n];

		if (node->end <= start) {
			n = node->right;
		} else if (node->start >= end) {
			n = node->left;
		} else {
			return (!same_meaning(node->map, map) && !gives_way(node->map, map)) ||
			       map_tree_conflict(t, node->left, start, end, map) ||
			       map_tree_conflict(t, node->right, start, end, map);
		}
	}
	return false;
}

u32 map_tree_first_code(const struct map_tree *t, u32 n, u64 start, u64 end)
{
	while (n != NIL) {
		const struct map_node *node = &t->nodes[n];
		u32 first;

		if (node->end <= start) {
			n = node->right;
			continue;
		}
		first = node->start > start ? map_tree_first_code(t, node->left, start, end) : NIL;
		if (first != NIL)
			return first;
		if (node->start >= end)
			return NIL;
		if (node->map->dso->kind == DSO_JIT)
			return n;
		n = node->right;
	}
	return NIL;
}

/* Cut the last range of *@l, which reaches into @map, at @map's start, or let @map absorb it. */
static u32 trim_left(struct map_tree *t, u32 *l, u32 tag, struct map *map, u32 rest)
{
	u32 n = find_last(t, *l), x, piece;
	struct map_node old;

	if (n == NIL || t->nodes[n].end <= map->start)
		return rest;
	old = t->nodes[n];
	split(t, *l, old.start, tag, l, &x);
	if (grows(old.map, map)) {
		map->start = old.start;
		map->end = MAX(map->end, old.end);
		return rest;
	}
	piece = node_new(t, old.start, map->start, old.map, tag);
	*l = merge(t, *l, piece, tag);
	if (old.end > map->end) {
		piece = node_new(t, map->end, old.end, old.map, tag);
		rest = merge(t, piece, rest, tag);
	}
	return rest;
}

/* Do the same for the last range of @mid, which may reach beyond the end of @map. */
static u32 trim_right(struct map_tree *t, u32 mid, u32 tag, struct map *map, u32 rest)
{
	u32 n = find_last(t, mid), piece;

	if (n == NIL || t->nodes[n].end <= map->end)
		return rest;
	if (grows(t->nodes[n].map, map)) {
		map->end = t->nodes[n].end;
		return rest;
	}
	piece = node_new(t, map->end, t->nodes[n].end, t->nodes[n].map, tag);
	return merge(t, piece, rest, tag);
}

/*
 * Tell whether a range reaches into [@start, @end). Of the ranges that start before @end, it would
 * be the last one.
 */
static bool reached(const struct map_tree *t, u32 n, u64 start, u64 end)
{
	u64 last = 0;

	while (n != NIL) {
		const struct map_node *node = &t->nodes[n];

		if (node->start < end) {
			last = node->end;
			n = node->right;
		} else {
			n = node->left;
		}
	}
	return last > start;
}

/* Insert the node @n, where no other range is, at the depth that its priority requires. */
static u32 insert(struct map_tree *t, u32 root, u32 n, u32 tag)
{
	u32 l, r;

	if (root == NIL || t->nodes[n].prio > t->nodes[root].prio) {
		split(t, root, t->nodes[n].start, tag, &l, &r);
		t->nodes[n].left = l;
		t->nodes[n].right = r;
		return n;
	}
	root = node_own(t, root, tag);
	if (t->nodes[root].start < t->nodes[n].start) {
		r = insert(t, t->nodes[root].right, n, tag);
		t->nodes[root].right = r;
	} else {
		l = insert(t, t->nodes[root].left, n, tag);
		t->nodes[root].left = l;
	}
	return root;
}

u32 map_tree_put(struct map_tree *t, u32 root, u32 tag, struct map *map)
{
	u32 l, mid, r, n;

	if (!reached(t, root, map->start, map->end))
		return insert(t, root, node_new(t, map->start, map->end, map, tag), tag);
	split(t, root, map->start, tag, &l, &mid);
	split(t, mid, map->end, tag, &mid, &r);
	r = trim_right(t, mid, tag, map, r);
	r = trim_left(t, &l, tag, map, r);
	n = node_new(t, map->start, map->end, map, tag);
	return merge(t, merge(t, l, n, tag), r, tag);
}

u32 map_tree_cut(struct map_tree *t, u32 root, u32 tag, u64 start, u64 end)
{
	u32 l, mid, r, n, x;
	struct map_node old;

	split(t, root, start, tag, &l, &mid);
	split(t, mid, end, tag, &mid, &r);
	n = find_last(t, mid);
	if (n != NIL && t->nodes[n].end > end)
		r = merge(t, node_new(t, end, t->nodes[n].end, t->nodes[n].map, tag), r, tag);
	n = find_last(t, l);
	if (n != NIL && t->nodes[n].end > start) {
		old = t->nodes[n];
		split(t, l, old.start, tag, &l, &x);
		l = merge(t, l, node_new(t, old.start, start, old.map, tag), tag);
		if (old.end > end)
			r = merge(t, node_new(t, end, old.end, old.map, tag), r, tag);
	}
	return merge(t, l, r, tag);
}

void map_tree_release(struct map_tree *t)
{
	free(t->nodes);
	*t = (struct map_tree){ 0 };
}
