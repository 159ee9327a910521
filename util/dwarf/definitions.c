// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Definitions of types that a compilation unit only declares. Some compilers describe a class only
 * where its constructor or its table of virtual functions is. A declaration does not say in which
 * namespace it is, so that a name is enough only if no two namespaces have it.
 */
#include "base/compat.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/debuginfo-internal.h"

#include <dwarf.h>

static void note(struct debuginfo *di, Dwarf_Die *die, u64 scope)
{
	struct definitions *d = &di->definitions;
	const char *name = debug_name(di, die);
	struct definition *found;
	u32 id;

	if (!name || debug_flag(di, die, DW_AT_declaration))
		return;
	id = intern_str_id(&d->names, name);
	while (id >= d->nr) {
		VEC_GROW(d->v, d->nr + 1, d->cap);
		d->v[d->nr++] = (struct definition){ 0 };
	}
	found = &d->v[id];
	if (!found->die.addr)
		*found = (struct definition){ .die = *die, .scope = scope };
	found->several |= found->scope != scope;
}

static void list(struct debuginfo *di, Dwarf_Die *parent, u64 scope, u32 depth)
{
	const char *name;
	Dwarf_Die child;

	if (depth > DEBUG_DEPTH || di->lib.dwarf_child(parent, &child))
		return;
	do {
		int tag = di->lib.dwarf_tag(&child);
		bool type = tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
			    tag == DW_TAG_union_type;

		if (type)
			note(di, &child, scope);
		if (!type && tag != DW_TAG_namespace && tag != DW_TAG_module)
			continue;
		name = debug_name(di, &child);
		list(di, &child, hash_mix(scope, name ? hash_bytes(name, strlen(name)) : 0),
		     depth + 1);
	} while (di->left && di->left-- && !di->lib.dwarf_siblingof(&child, &child));
}

bool definition_find(struct debuginfo *di, const char *name, Dwarf_Die *die)
{
	struct definitions *d = &di->definitions;
	Dwarf_Die *units;
	size_t nr;
	u32 id;

	units = debug_units(di, &nr);
	for (size_t i = 0; i < nr && !d->listed; i++)
		list(di, &units[i], 0, 0);
	for (size_t i = 0; i < di->nr_type_units && !d->listed; i++)
		note(di, &di->type_units[i], (u64)(uintptr_t)di->type_units[i].addr);
	d->listed = true;
	id = intern_find(&d->names, name, strlen(name));
	if (id >= d->nr || !d->v[id].die.addr || d->v[id].several)
		return false;
	*die = d->v[id].die;
	return true;
}
#endif
