// SPDX-License-Identifier: GPL-2.0-or-later
/* Variables outside of functions. All of an object are listed when the first is asked for. */
#include "base/compat.h"
#include "base/bisect.h"

#include "dwarf/variables.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/debuginfo-internal.h"

#include <dwarf.h>

static void add_global(struct debuginfo *di, Dwarf_Die *die)
{
	static const struct debug_place unknown = { .kind = PLACE_NONE };
	struct debug_place found[DEBUG_PARTS_MAX];
	struct global_list *list;
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	u32 type;
	size_t nr;

	if (!di->lib.dwarf_attr(die, DW_AT_location, &attr) ||
	    di->lib.dwarf_getlocations(&attr, 0, &base, &start, &end, &ops, &nr) <= 0 ||
	    debug_places(di, &attr, ops, nr, &unknown, found) != 1)
		return;
	if (found[0].kind != PLACE_FIXED && found[0].kind != PLACE_THREAD)
		return;
	list = found[0].kind == PLACE_FIXED ? &di->globals : &di->thread_locals;
	type = type_of(di, die);
	VEC_GROW(list->v, list->nr + 1, list->cap);
	list->v[list->nr++] = (struct global){ debug_name(di, die), type, (u64)found[0].offset,
					       type_get(di, type)->size };
}

static void list_globals(struct debuginfo *di, Dwarf_Die *scope, u32 depth)
{
	Dwarf_Die child;

	if (depth > DEBUG_DEPTH || di->lib.dwarf_child(scope, &child))
		return;
	do {
		int tag = di->lib.dwarf_tag(&child);

		if (tag == DW_TAG_variable)
			add_global(di, &child);
		else if (tag == DW_TAG_namespace || tag == DW_TAG_module)
			list_globals(di, &child, depth + 1);
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
	if (di->globals_listed)
		return;
	di->globals_listed = true;
	for (size_t i = 0; i < di->nr_units; i++)
		list_globals(di, &di->units[i].die, 0);
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

const struct global *debug_global_named(struct debuginfo *di, const char *name)
{
	need_globals(di);
	for (size_t i = 0; i < di->globals.nr; i++)
		if (di->globals.v[i].name && !strcmp(di->globals.v[i].name, name))
			return &di->globals.v[i];
	return NULL;
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

const struct global *debug_global_named(struct debuginfo *di, const char *name)
{
	(void)di;
	(void)name;
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
