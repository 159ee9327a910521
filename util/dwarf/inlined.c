// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inlined functions. For a unit that contains a requested address, its functions are listed once.
 * For a function that contains a requested address, the inlined functions are listed as sorted
 * pieces of addresses, each with its innermost function. So every entry is visited once, and only
 * where there are samples.
 *
 *	f      |-----------------------|
 *	 g         |-----------|           -->   f  g  h  g  f
 *	  h            |---|                     ^  ^  ^  ^  ^
 */
#include "base/compat.h"

#include "dwarf/lines.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/lines-internal.h"

#include <dwarf.h>

#define DEPTH_MAX 192       /* nesting of entries */
#define ORIGINS_MAX 8       /* references from an inlined function to the entry with its name */
#define PAINT_MAX (1 << 24) /* the most pieces for one function; valid data need far fewer */
#define NONE UINT32_MAX

/* An inlined function, and the function that contains it. */
struct inline_node {
	Dwarf_Die die;
	u32 parent; /* NONE: the function itself */
};

/* A piece of addresses, which extends to the next piece. */
struct piece {
	u64 start;
	u32 node; /* NONE: the function itself */
};

struct function {
	Dwarf_Die die;
	bool read;
	struct inline_node *nodes; /* outer functions come before those inlined into them */
	size_t nr_nodes, cap_nodes;
	struct piece *pieces; /* sorted */
	size_t nr_pieces;
};

struct unit_code {
	struct function *functions;
	size_t nr_functions, cap_functions;
	struct addr_range *ranges; /* of functions, sorted */
	size_t nr, cap;
};

void unit_code_free(struct unit_code *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->nr_functions; i++) {
		free(c->functions[i].nodes);
		free(c->functions[i].pieces);
	}
	free(c->functions);
	free(c->ranges);
	free(c);
}

/* Iterate over the entries below @parent: @die is set to the first or the next one. */
static bool next_entry(struct lines *l, Dwarf_Die *parent, Dwarf_Die *die, bool first)
{
	Dwarf_Die from = first ? *parent : *die;

	if (!l->left)
		return false;
	l->left--;
	return !(first ? l->lib.dwarf_child(&from, die) : l->lib.dwarf_siblingof(&from, die));
}

#define for_each_entry(l, parent, die)                                                             \
	for (bool more_ = next_entry(l, parent, die, true); more_;                                 \
	     more_ = next_entry(l, parent, die, false))

/* ---- the functions of a unit ---- */

static void add_function(struct lines *l, struct unit_code *c, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	bool any = false;

	while ((at = l->lib.dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (end <= start || !l->left)
			continue;
		l->left--;
		any = true;
		VEC_GROW(c->ranges, c->nr + 1, c->cap);
		c->ranges[c->nr++] = (struct addr_range){ start, end, (u32)c->nr_functions };
	}
	if (!any)
		return;
	VEC_GROW(c->functions, c->nr_functions + 1, c->cap_functions);
	c->functions[c->nr_functions++] = (struct function){ .die = *die };
}

/*
 * Tell whether an entry may contain functions: methods of local classes and lambdas are inside
 * functions.
 */
static bool has_functions(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return true;
	default:
		return false;
	}
}

static void find_functions(struct lines *l, struct unit_code *c, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth == DEPTH_MAX)
		return;
	for_each_entry(l, parent, &die)
	{
		int tag = l->lib.dwarf_tag(&die);

		if (tag == DW_TAG_subprogram)
			add_function(l, c, &die);
		if (has_functions(tag))
			find_functions(l, c, &die, depth + 1);
	}
}

static struct unit_code *code_of(struct lines *l, struct unit *u)
{
	if (u->code)
		return u->code;
	u->code = xzalloc(sizeof(*u->code));
	find_functions(l, u->code, &u->die, 0);
	ranges_sort(u->code->ranges, u->code->nr);
	return u->code;
}

static struct function *function_at(struct unit_code *c, u64 addr)
{
	u32 function = ranges_at(c->ranges, c->nr, addr);

	return function != UINT32_MAX ? &c->functions[function] : NULL;
}

/* ---- what was inlined into a function ---- */

struct reading {
	struct lines *l;
	struct function *f;
	struct addr_range *ranges; /* of nodes; outer ones come before inner ones */
	size_t nr, cap;
};

/* Return: its number, or NONE when it has no code. */
static u32 add_node(struct reading *r, Dwarf_Die *die, u32 parent)
{
	struct function *f = r->f;
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	bool any = false;

	while ((at = r->l->lib.dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (end <= start || !r->l->left)
			continue;
		r->l->left--;
		any = true;
		VEC_GROW(r->ranges, r->nr + 1, r->cap);
		r->ranges[r->nr++] = (struct addr_range){ start, end, (u32)f->nr_nodes };
	}
	if (!any)
		return NONE;
	VEC_GROW(f->nodes, f->nr_nodes + 1, f->cap_nodes);
	f->nodes[f->nr_nodes] = (struct inline_node){ *die, parent };
	return (u32)f->nr_nodes++;
}

static void find_inlined(struct reading *r, Dwarf_Die *outer, u32 parent, int depth)
{
	Dwarf_Die die;
	u32 node;

	for_each_entry(r->l, outer, &die)
	{
		int tag = r->l->lib.dwarf_tag(&die);

		if (depth == DEPTH_MAX)
			return;
		if (tag == DW_TAG_inlined_subroutine) {
			node = add_node(r, &die, parent);
			if (node != NONE)
				find_inlined(r, &die, node, depth + 1);
		} else if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
			   tag == DW_TAG_catch_block || tag == DW_TAG_with_stmt) {
			find_inlined(r, &die, parent, depth + 1);
		}
	}
}

static int by_address(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static size_t piece_from(const struct function *f, u64 addr)
{
	size_t lo = 0, hi = f->nr_pieces;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (f->pieces[mid].start < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Convert ranges to pieces: pieces begin where any range begins or ends, and inner functions
 * override outer ones.
 */
static void make_pieces(struct reading *r)
{
	struct function *f = r->f;
	size_t left = PAINT_MAX, nr = 0, i;

	f->pieces = xcalloc(r->nr * 2 + 1, sizeof(*f->pieces));
	for (i = 0; i < r->nr; i++) {
		f->pieces[2 * i] = (struct piece){ r->ranges[i].start, NONE };
		f->pieces[2 * i + 1] = (struct piece){ r->ranges[i].end, NONE };
	}
	qsort(f->pieces, r->nr * 2, sizeof(*f->pieces), by_address);
	for (i = 0; i < r->nr * 2; i++)
		if (!nr || f->pieces[nr - 1].start != f->pieces[i].start)
			f->pieces[nr++] = f->pieces[i];
	f->nr_pieces = nr;
	for (i = 0; i < r->nr; i++)
		for (size_t k = piece_from(f, r->ranges[i].start);
		     k < nr && f->pieces[k].start < r->ranges[i].end && left; k++, left--)
			f->pieces[k].node = r->ranges[i].of;
}

static void read_function(struct lines *l, struct function *f)
{
	struct reading r = { .l = l, .f = f };

	f->read = true;
	find_inlined(&r, &f->die, NONE, 0);
	if (r.nr)
		make_pieces(&r);
	free(r.ranges);
}

/* ---- names and places ---- */

static const char *attr_text(struct lines *l, Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;

	return l->lib.dwarf_attr(die, name, &attr) ? l->lib.dwarf_formstring(&attr) : NULL;
}

static bool attr_number(struct lines *l, Dwarf_Die *die, unsigned int name, Dwarf_Word *value)
{
	Dwarf_Attribute attr;

	return l->lib.dwarf_attr(die, name, &attr) && !l->lib.dwarf_formudata(&attr, value);
}

/*
 * Return the name of a function. That of an inlined function is in the entry it is an instance of,
 * that of a method in its declaration.
 */
static const char *function_name(struct lines *l, const Dwarf_Die *inlined)
{
	Dwarf_Die die = *inlined, next;
	const char *plain = NULL, *name;
	Dwarf_Attribute attr;

	for (int i = 0; i < ORIGINS_MAX; i++) {
		name = attr_text(l, &die, DW_AT_linkage_name);
		if (!name)
			name = attr_text(l, &die, DW_AT_MIPS_linkage_name);
		if (name)
			return name;
		if (!plain)
			plain = attr_text(l, &die, DW_AT_name);
		if ((!l->lib.dwarf_attr(&die, DW_AT_abstract_origin, &attr) &&
		     !l->lib.dwarf_attr(&die, DW_AT_specification, &attr)) ||
		    !l->lib.dwarf_formref_die(&attr, &next))
			break;
		die = next;
	}
	return plain;
}

/* Find the place of the call. */
static void find_call(struct lines *l, struct unit *u, Dwarf_Die *die, struct inlined *in)
{
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t nr;

	if (!attr_number(l, die, DW_AT_call_file, &file) ||
	    !attr_number(l, die, DW_AT_call_line, &line) || line > UINT32_MAX ||
	    l->lib.dwarf_getsrcfiles(&u->die, &files, &nr) || file >= nr)
		return;
	in->file = l->lib.dwarf_filesrc(files, file, NULL, NULL);
	if (in->file && !strcmp(in->file, "???")) /* up to DWARF 4 file 0 is none */
		in->file = NULL;
	in->file = lines_path(l, u, in->file);
	in->line = in->file ? (u32)line : 0;
}

static struct inlined describe(struct lines *l, struct unit *u, Dwarf_Die *die)
{
	struct inlined in = { .name = function_name(l, die) };

	if (!in.name)
		in.name = "[unknown]";
	find_call(l, u, die, &in);
	return in;
}

size_t lines_inlined(struct lines *l, u64 addr, bool virtual, struct inlined *out)
{
	u64 at = virtual ? addr : libdw_virtual(&l->loads, addr);
	struct unit *u = lines_unit(l, at);
	struct function *f = u ? function_at(code_of(l, u), at) : NULL;
	size_t nr = 0, piece;

	if (f && !f->read)
		read_function(l, f);
	if (!f || !f->nr_pieces)
		return 0;
	piece = piece_from(f, at + 1);
	for (u32 node = piece ? f->pieces[piece - 1].node : NONE; node != NONE && nr < INLINED_MAX;
	     node = f->nodes[node].parent)
		out[nr++] = describe(l, u, &f->nodes[node].die);
	return nr;
}
#endif
