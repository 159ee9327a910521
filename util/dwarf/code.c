// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "dwarf/lines-internal.h"

#include "base/alloc.h"

#define RANGES_PER_BYTE 4 /* a range has at least a byte, and valid data share few lists */

/* A list that ranges of one owner are added to. */
struct owner {
	struct range_list *list;
	u32 of;
};

static void add_range(void *ctx, u64 start, u64 end)
{
	struct owner *o = ctx;

	/* Functions that the linker left out begin at 0. */
	if (start)
		range_add(o->list, start, end, o->of);
}

/* Add the ranges of an entry to a list. Return: whether there are any. */
static bool add_ranges(struct unit_code *c, const struct dw_die *d, struct range_list *list, u32 of)
{
	struct owner o = { list, of };
	struct dw_ranges to = { .fn = add_range, .ctx = &o, .left = c->left };
	size_t before = list->nr;

	dw_die_ranges(d, &to);
	c->left = to.left;
	return list->nr > before;
}

/* ---- the functions of a unit ---- */

/* Tell whether nothing below an entry can be a function. */
static bool no_functions(u16 tag)
{
	return tag == DW_TAG_enumeration_type || tag == DW_TAG_subroutine_type;
}

void unit_code_read(struct unit_code *c, const struct dw_unit *u)
{
	struct dw_walk w = dw_walk(u, u->root);
	struct range_list ranges = { 0 };
	struct dw_die d;

	*c = (struct unit_code){ .unit = u };
	c->left = (u->end - u->off + u->sec[DW_RNGLISTS].len + u->sec[DW_RANGES].len) *
		  RANGES_PER_BYTE;
	while (dw_walk_next(&w)) {
		if (w.at->tag != DW_TAG_subprogram) {
			dw_walk_skip(&w);
			if (no_functions(w.at->tag))
				dw_walk_skip_below(&w, NULL);
			continue;
		}
		dw_walk_read(&w, &d);
		if (!add_ranges(c, &d, &ranges, (u32)c->nr))
			continue;
		VEC_GROW(c->functions, c->nr + 1, c->cap);
		c->functions[c->nr++] = (struct code_function){ .off = d.off };
	}
	range_map_make(&c->by_addr, &ranges);
	free(ranges.v);
}

void unit_code_release(struct unit_code *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->functions[i].nodes);
		free(c->functions[i].by_addr.v);
	}
	free(c->functions);
	free(c->by_addr.v);
	*c = (struct unit_code){ 0 };
}

/* ---- what was inlined into a function ---- */

/* The nodes that entries are in, by depth. */
struct nesting {
	u32 *node; /* owned */
	size_t cap;
};

static void nest(struct nesting *n, u32 depth, u32 node)
{
	VEC_GROW(n->node, (size_t)depth + 1, n->cap);
	n->node[depth] = node;
}

static bool is_block(u16 tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt;
}

/* Add a node for an entry. Return: false when it has no code, and so nothing below it has. */
static bool add_node(struct unit_code *c, struct code_function *f, const struct dw_die *d,
		     u32 parent, struct range_list *ranges)
{
	if (!add_ranges(c, d, ranges, (u32)f->nr_nodes))
		return false;
	VEC_GROW_FROM(f->nodes, f->nr_nodes + 1, f->cap_nodes, 4);
	f->nodes[f->nr_nodes++] = (struct inline_node){ d->off, parent };
	return true;
}

static void read_function(struct unit_code *c, struct code_function *f)
{
	struct dw_walk w = dw_walk(c->unit, f->off);
	struct range_list ranges = { 0 };
	struct nesting in = { 0 };
	struct dw_die d;

	f->read = true;
	while (dw_walk_next(&w)) {
		dw_walk_read(&w, &d);
		if (!w.depth) {
			nest(&in, 0, RANGE_NONE);
			continue;
		}
		nest(&in, w.depth, in.node[w.depth - 1]);
		if (w.at->tag == DW_TAG_inlined_subroutine &&
		    add_node(c, f, &d, in.node[w.depth], &ranges))
			in.node[w.depth] = (u32)f->nr_nodes - 1;
		else if (!is_block(w.at->tag))
			dw_walk_skip_below(&w, &d);
	}
	range_map_make(&f->by_addr, &ranges);
	free(ranges.v);
	free(in.node);
}

const struct code_function *unit_code_function(struct unit_code *c, u32 function)
{
	if (!c->functions[function].read)
		read_function(c, &c->functions[function]);
	return &c->functions[function];
}

size_t unit_code_inlined(struct unit_code *c, u64 addr, u64 *offs, size_t max)
{
	u32 at = range_map_at(&c->by_addr, addr), node;
	const struct code_function *f;
	size_t nr = 0;

	if (at == RANGE_NONE)
		return 0;
	f = unit_code_function(c, at);
	for (node = range_map_at(&f->by_addr, addr); node != RANGE_NONE && nr < max;
	     node = f->nodes[node].parent)
		offs[nr++] = f->nodes[node].off;
	return nr;
}
