// SPDX-License-Identifier: GPL-2.0-or-later
/* Variables outside of functions. All of an object are listed when the first is asked for. */
#include "base/compat.h"
#include "base/bisect.h"

#include "dwarf/variables.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/debuginfo-internal.h"

#include <dwarf.h>

static void list_add(struct debuginfo *di, struct global_list *list, Dwarf_Die *die, u64 addr,
		     const void *unit)
{
	u32 type = type_of(di, die);

	VEC_GROW(list->v, list->nr + 1, list->cap);
	list->v[list->nr++] =
		(struct global){ debug_name(di, die), type, addr, type_get(di, type)->size, unit };
}

static void add_global(struct debuginfo *di, Dwarf_Die *die, const void *unit)
{
	static const struct debug_place unknown = { .kind = PLACE_NONE };
	struct debug_place found[DEBUG_PARTS_MAX];
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	Dwarf_Word number;
	Dwarf_Op *ops;
	size_t nr;

	if (!di->lib.dwarf_attr(die, DW_AT_location, &attr)) {
		if (di->lib.dwarf_attr(die, DW_AT_const_value, &attr) &&
		    !di->lib.dwarf_formudata(&attr, &number))
			list_add(di, &di->constants, die, number, unit);
		return;
	}
	if (di->lib.dwarf_getlocations(&attr, 0, &base, &start, &end, &ops, &nr) <= 0 ||
	    debug_places(di, &attr, ops, nr, &unknown, found) != 1)
		return;
	if (found[0].kind == PLACE_FIXED)
		list_add(di, &di->globals, die, (u64)found[0].offset, unit);
	else if (found[0].kind == PLACE_THREAD)
		list_add(di, &di->thread_locals, die, (u64)found[0].offset, unit);
	else if (found[0].kind == PLACE_CONSTANT)
		list_add(di, &di->constants, die, (u64)found[0].offset, unit);
}

static void list_globals(struct debuginfo *di, Dwarf_Die *scope, const void *unit, u32 depth)
{
	Dwarf_Die child;

	if (depth > DEBUG_DEPTH || di->lib.dwarf_child(scope, &child))
		return;
	do {
		int tag = di->lib.dwarf_tag(&child);

		if (tag == DW_TAG_variable)
			add_global(di, &child, unit);
		else if (tag == DW_TAG_namespace || tag == DW_TAG_module)
			list_globals(di, &child, unit, depth + 1);
	} while (di->left && di->left-- && !di->lib.dwarf_siblingof(&child, &child));
}

static int by_addr(const void *a, const void *b)
{
	const struct global *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->size < y->size ? -1 : x->size > y->size;
}

static const struct global *find(const struct global_list *list, u64 addr)
{
	size_t lo = FIRST_BEHIND(list->v, list->nr, addr, addr);

	return lo && addr - list->v[lo - 1].addr < list->v[lo - 1].size ? &list->v[lo - 1] : NULL;
}

static void need_globals(struct debuginfo *di)
{
	Dwarf_Die *units;
	size_t nr;

	if (di->globals_listed)
		return;
	di->globals_listed = true;
	units = debug_units(di, &nr);
	for (size_t i = 0; i < nr; i++)
		list_globals(di, &units[i], units[i].addr, 0);
	if (di->globals.nr)
		qsort(di->globals.v, di->globals.nr, sizeof(*di->globals.v), by_addr);
	if (di->thread_locals.nr)
		qsort(di->thread_locals.v, di->thread_locals.nr, sizeof(*di->thread_locals.v),
		      by_addr);
}

const struct global *debug_global_at(struct debuginfo *di, u64 addr)
{
	need_globals(di);
	return find(&di->globals, addr);
}

const struct global *debug_globals(struct debuginfo *di, size_t *nr)
{
	need_globals(di);
	*nr = di->globals.nr;
	return di->globals.v;
}

static const struct global *named(const struct global_list *list, const void *unit,
				  const char *name)
{
	const struct global *found = NULL;

	for (size_t i = 0; i < list->nr; i++) {
		const struct global *g = &list->v[i];

		if (g->name && (!found || g->unit == unit) && !strcmp(g->name, name))
			found = g;
	}
	return found;
}

const struct global *debug_global_named(struct debuginfo *di, u64 addr, const char *name,
					enum place_kind *kind)
{
	const struct {
		enum place_kind kind;
		const struct global_list *list;
	} all[] = { { PLACE_FIXED, &di->globals },
		    { PLACE_THREAD, &di->thread_locals },
		    { PLACE_CONSTANT, &di->constants } };
	const struct debug_unit *at = debug_unit_at(di, addr);
	const void *unit = at ? at->die.addr : NULL;
	const struct global *found = NULL;

	need_globals(di);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		const struct global *g = named(all[i].list, unit, name);

		if (!g || (found && g->unit != unit))
			continue;
		found = g;
		*kind = all[i].kind;
	}
	return found;
}

/* Find a declaration in a scope. */
static bool find_declared(struct debuginfo *di, Dwarf_Die *scope, const char *name, u32 *type,
			  u32 depth)
{
	Dwarf_Die child;
	bool found = false;

	if (depth > DEBUG_DEPTH || di->lib.dwarf_child(scope, &child))
		return false;
	do {
		int tag = di->lib.dwarf_tag(&child);
		const char *of = tag == DW_TAG_variable ? debug_name(di, &child) : NULL;

		if (tag == DW_TAG_namespace)
			found = find_declared(di, &child, name, type, depth + 1);
		if (!of || strcmp(of, name) != 0 || !debug_flag(di, &child, DW_AT_declaration))
			continue;
		*type = type_of(di, &child);
		found = true;
	} while (!found && di->left && di->left-- && !di->lib.dwarf_siblingof(&child, &child));
	return found;
}

bool debug_declared_at(struct debuginfo *di, u64 addr, const char *name, u32 *type)
{
	struct debug_unit *unit = debug_unit_at(di, addr);

	return unit && find_declared(di, &unit->die, name, type, 0);
}

const struct global *debug_thread_local_at(struct debuginfo *di, u64 offset)
{
	need_globals(di);
	return find(&di->thread_locals, offset);
}

u64 debug_thread_block(const struct debuginfo *di)
{
	return di->thread_block;
}

#else

const struct global *debug_globals(struct debuginfo *di, size_t *nr)
{
	(void)di;
	*nr = 0;
	return NULL;
}

bool debug_declared_at(struct debuginfo *di, u64 addr, const char *name, u32 *type)
{
	(void)di;
	(void)addr;
	(void)name;
	(void)type;
	return false;
}

const struct global *debug_global_named(struct debuginfo *di, u64 addr, const char *name,
					enum place_kind *kind)
{
	(void)di;
	(void)addr;
	(void)name;
	(void)kind;
	return NULL;
}

const struct global *debug_global_at(struct debuginfo *di, u64 addr)
{
	(void)di;
	(void)addr;
	return NULL;
}

const struct global *debug_thread_local_at(struct debuginfo *di, u64 offset)
{
	(void)di;
	(void)offset;
	return NULL;
}

u64 debug_thread_block(const struct debuginfo *di)
{
	(void)di;
	return 0;
}
#endif
