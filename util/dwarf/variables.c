// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The variables of functions. The functions of a unit are listed once, when an address in it is
 * asked for; what is in a function is read when an address in that is.
 */
#include "base/compat.h"

#include "dwarf/variables.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/debuginfo-internal.h"

#include <dwarf.h>

#define PLACES_MAX (1u << 20) /* of one function; valid data need far fewer */

/* ---- the functions of a unit ---- */

static void list_functions(struct debuginfo *di, struct debug_unit *u, Dwarf_Die *die, u32 depth);

static void add_function(struct debuginfo *di, struct debug_unit *u, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	size_t before = u->ranges.nr;

	while ((at = di->lib.dwarf_ranges(die, at, &base, &start, &end)) > 0)
		range_add(&u->ranges, start, end, (u32)di->nr_functions);
	if (u->ranges.nr == before)
		return;
	VEC_GROW(di->functions, di->nr_functions + 1, di->cap_functions);
	di->functions[di->nr_functions++] = (struct found_function){ .die = *die };
}

/* Tell whether another entry may be visited. */
static bool budget(struct debuginfo *di)
{
	if (!di->left)
		return false;
	di->left--;
	return true;
}

static void take_scope(struct debuginfo *di, struct debug_unit *u, Dwarf_Die *die, u32 depth)
{
	switch (di->lib.dwarf_tag(die)) {
	case DW_TAG_subprogram:
		add_function(di, u, die);
		list_functions(di, u, die, depth + 1); /* functions within it */
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_lexical_block:
		list_functions(di, u, die, depth + 1);
		break;
	default:
		break;
	}
}

static void list_functions(struct debuginfo *di, struct debug_unit *u, Dwarf_Die *die, u32 depth)
{
	Dwarf_Die child;

	if (depth > DEBUG_DEPTH || di->lib.dwarf_child(die, &child))
		return;
	do
		take_scope(di, u, &child, depth);
	while (budget(di) && !di->lib.dwarf_siblingof(&child, &child));
}

/* ---- what is in a function ---- */

/* A function that is being read. */
struct reading {
	struct debuginfo *di;
	struct debug_place frame; /* what DW_OP_fbreg counts from */
	struct variable *variables;
	size_t nr_variables, cap_variables;
	struct code_range *ranges;
	size_t nr_ranges, cap_ranges;
	struct variable_place *places;
	size_t nr_places, cap_places;
	struct call_return *calls;
	size_t nr_calls, cap_calls;
};

/* The code of a block: some of the ranges that were read. */
struct block {
	u32 first, nr;
};

static struct block read_block(struct reading *r, Dwarf_Die *die)
{
	struct block b = { .first = (u32)r->nr_ranges };
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (budget(r->di) && (at = r->di->lib.dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		VEC_GROW(r->ranges, r->nr_ranges + 1, r->cap_ranges);
		r->ranges[r->nr_ranges++] = (struct code_range){ start, end };
		b.nr++;
	}
	return b;
}

static void read_frame_base(struct reading *r, Dwarf_Die *die)
{
	static const struct debug_place unknown = { .kind = PLACE_NONE };
	struct debug_place found[DEBUG_PARTS_MAX];
	Dwarf_Attribute attr;
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	size_t nr;

	if (!r->di->lib.dwarf_attr(die, DW_AT_frame_base, &attr) ||
	    r->di->lib.dwarf_getlocations(&attr, 0, &base, &start, &end, &ops, &nr) <= 0)
		return;
	if (debug_places(r->di, &attr, ops, nr, &unknown, found) != 1)
		return;
	r->frame = found[0];
	if (r->frame.kind == PLACE_REGISTER)
		r->frame.kind = PLACE_BASED; /* the register has the address */
}

static void add_places(struct reading *r, u64 start, u64 end, bool listed,
		       const struct debug_place *found, size_t nr)
{
	for (size_t i = 0; i < nr && r->nr_places < PLACES_MAX && start < end; i++) {
		VEC_GROW(r->places, r->nr_places + 1, r->cap_places);
		r->places[r->nr_places++] = (struct variable_place){
			.start = start,
			.end = end,
			.variable = (u32)r->nr_variables - 1,
			.kind = found[i].kind,
			.reg = found[i].reg,
			.offset = found[i].offset,
			.through = found[i].through,
			.inner = found[i].inner,
			.listed = listed,
			.part = found[i].part,
			.part_size = found[i].part_size,
		};
	}
}

/* Add a variable that is at the same place wherever it is visible. */
static void add_everywhere(struct reading *r, struct block visible, const struct debug_place *found,
			   size_t nr)
{
	for (u32 i = visible.first; i < visible.first + visible.nr; i++)
		add_places(r, r->ranges[i].start, r->ranges[i].end, false, found, nr);
}

static void read_places(struct reading *r, struct block visible, Dwarf_Attribute *attr)
{
	struct debug_place found[DEBUG_PARTS_MAX];
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t nr;

	while ((at = r->di->lib.dwarf_getlocations(attr, at, &base, &start, &end, &ops, &nr)) > 0) {
		size_t parts = debug_places(r->di, attr, ops, nr, &r->frame, found);

		if (!start && end == (Dwarf_Addr)-1)
			add_everywhere(r, visible, found, parts);
		else
			add_places(r, start, end, true, found, parts);
		if (r->nr_places >= PLACES_MAX || !budget(r->di))
			return;
	}
}

static void read_variable(struct reading *r, Dwarf_Die *die, struct block visible, u32 depth)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	if (debug_flag(r->di, die, DW_AT_declaration))
		return; /* it is outside of the function */
	VEC_GROW(r->variables, r->nr_variables + 1, r->cap_variables);
	r->variables[r->nr_variables++] = (struct variable){
		.name = debug_name(r->di, die),
		.type = type_of(r->di, die),
		.parameter = r->di->lib.dwarf_tag(die) == DW_TAG_formal_parameter,
		.depth = depth,
		.first_range = visible.first,
		.nr_ranges = visible.nr,
	};
	if (debug_attr(r->di, die, DW_AT_location, &attr)) {
		read_places(r, visible, &attr);
	} else if (debug_attr(r->di, die, DW_AT_const_value, &attr) &&
		   !r->di->lib.dwarf_formudata(&attr, &number)) {
		const struct debug_place constant = { .kind = PLACE_CONSTANT,
						      .offset = (s64)number };

		add_everywhere(r, visible, &constant, 1);
	}
}

/* Note what the function returns that is called in front of an address. */
static void read_call(struct reading *r, Dwarf_Die *die)
{
	bool gnu = r->di->lib.dwarf_tag(die) == DW_TAG_GNU_call_site;
	Dwarf_Attribute attr;
	Dwarf_Die called;
	Dwarf_Addr addr;

	if (!r->di->lib.dwarf_attr(die, gnu ? DW_AT_low_pc : DW_AT_call_return_pc, &attr) ||
	    r->di->lib.dwarf_formaddr(&attr, &addr) ||
	    !r->di->lib.dwarf_attr(die, gnu ? DW_AT_abstract_origin : DW_AT_call_origin, &attr) ||
	    !r->di->lib.dwarf_formref_die(&attr, &called))
		return;
	VEC_GROW(r->calls, r->nr_calls + 1, r->cap_calls);
	r->calls[r->nr_calls++] = (struct call_return){ addr, type_of(r->di, &called) };
}

static void read_scope(struct reading *r, Dwarf_Die *scope, struct block code, u32 depth);

static void read_entry(struct reading *r, Dwarf_Die *die, struct block code, u32 depth)
{
	Dwarf_Attribute attr;
	bool own = r->di->lib.dwarf_attr(die, DW_AT_ranges, &attr) ||
		   r->di->lib.dwarf_attr(die, DW_AT_low_pc, &attr);

	switch (r->di->lib.dwarf_tag(die)) {
	case DW_TAG_variable:
	case DW_TAG_formal_parameter:
		read_variable(r, die, code, depth);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		read_scope(r, die, own ? read_block(r, die) : code, depth + 1);
		break;
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		read_call(r, die);
		break;
	default:
		break;
	}
}

/* Read the entries in @scope, whose code is @code. */
static void read_scope(struct reading *r, Dwarf_Die *scope, struct block code, u32 depth)
{
	Dwarf_Die child;

	if (depth > DEBUG_DEPTH || r->di->lib.dwarf_child(scope, &child))
		return;
	do
		read_entry(r, &child, code, depth);
	while (budget(r->di) && !r->di->lib.dwarf_siblingof(&child, &child));
}

static int by_start(const void *a, const void *b)
{
	const struct variable_place *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->variable != y->variable)
		return x->variable < y->variable ? -1 : 1;
	return (x->part > y->part) - (x->part < y->part);
}

static int by_addr(const void *a, const void *b)
{
	const struct call_return *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static struct debug_function *read_function(struct debuginfo *di, Dwarf_Die *die)
{
	struct debug_function *f = xzalloc(sizeof(*f));
	struct reading r = { .di = di, .frame = { .kind = PLACE_NONE } };
	Dwarf_Addr base, start, end;

	if (di->lib.dwarf_ranges(die, 0, &base, &start, &end) > 0)
		f->entry = start;
	f->name = debug_name(di, die);
	f->returns = type_of(di, die);
	read_frame_base(&r, die);
	read_scope(&r, die, read_block(&r, die), 0);
	if (r.nr_places)
		qsort(r.places, r.nr_places, sizeof(*r.places), by_start);
	if (r.nr_calls)
		qsort(r.calls, r.nr_calls, sizeof(*r.calls), by_addr);
	f->variables = r.variables;
	f->nr_variables = r.nr_variables;
	f->ranges = r.ranges;
	f->places = r.places;
	f->nr_places = r.nr_places;
	f->calls = r.calls;
	f->nr_calls = r.nr_calls;
	return f;
}

const struct debug_function *debug_function_at(struct debuginfo *di, u64 addr)
{
	struct debug_unit *u = debug_unit_at(di, addr);
	struct found_function *f;
	u32 found;

	if (!u)
		return NULL;
	if (!u->listed) {
		list_functions(di, u, &u->die, 0);
		range_map_make(&u->by_addr, &u->ranges);
		free(u->ranges.v);
		u->listed = true;
	}
	found = range_map_at(&u->by_addr, addr);
	if (found == RANGE_NONE)
		return NULL;
	f = &di->functions[found];
	if (!f->read)
		f->read = read_function(di, &f->die);
	return f->read;
}

void debug_functions_free(struct debuginfo *di)
{
	for (size_t i = 0; i < di->nr_functions; i++) {
		struct debug_function *f = di->functions[i].read;

		if (!f)
			continue;
		free((void *)(uintptr_t)f->variables);
		free((void *)(uintptr_t)f->ranges);
		free((void *)(uintptr_t)f->places);
		free((void *)(uintptr_t)f->calls);
		free(f);
	}
	free(di->functions);
	for (size_t i = 0; i < di->nr_units; i++)
		free(di->units[i].by_addr.v);
}

#else

const struct debug_function *debug_function_at(struct debuginfo *di, u64 addr)
{
	(void)di;
	(void)addr;
	return NULL;
}
#endif
