// SPDX-License-Identifier: GPL-2.0-or-later
/* Types of the debug information, by means of libdw. Each is read when it is first needed. */
#include "base/compat.h"

#include "dwarf/types.h"

#ifdef HAVE_LIBDW
#include "base/alloc.h"
#include "dwarf/debuginfo-internal.h"

#include <dwarf.h>

#define ALIASES_MAX 64        /* typedefs of typedefs; damaged ones can form cycles */
#define MEMBERS_MAX (1 << 16) /* of one type; valid data need far fewer */

static enum type_kind kind_of_tag(int tag)
{
	switch (tag) {
	case DW_TAG_base_type:
		return TYPE_KIND_BASE;
	case DW_TAG_enumeration_type:
		return TYPE_KIND_ENUM;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return TYPE_KIND_POINTER;
	case DW_TAG_structure_type:
		return TYPE_KIND_STRUCT;
	case DW_TAG_class_type:
		return TYPE_KIND_CLASS;
	case DW_TAG_union_type:
		return TYPE_KIND_UNION;
	case DW_TAG_array_type:
		return TYPE_KIND_ARRAY;
	case DW_TAG_subroutine_type:
		return TYPE_KIND_FUNCTION;
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_immutable_type:
	case DW_TAG_packed_type:
	case DW_TAG_shared_type:
	case DW_TAG_template_alias:
	case DW_TAG_subrange_type:
		return TYPE_KIND_ALIAS;
	default:
		return TYPE_KIND_VOID;
	}
}

static size_t dimensions(struct debuginfo *di, Dwarf_Die *array, u64 lengths[DIMENSIONS_MAX])
{
	Dwarf_Die child;
	size_t nr = 0;

	if (di->lib.dwarf_child(array, &child))
		return 0;
	do {
		u64 upper;

		if (di->lib.dwarf_tag(&child) != DW_TAG_subrange_type || nr == DIMENSIONS_MAX)
			continue;
		upper = debug_number(di, &child, DW_AT_upper_bound, UINT64_MAX);
		lengths[nr++] = debug_number(di, &child, DW_AT_count, upper + 1);
	} while (!di->lib.dwarf_siblingof(&child, &child));
	return nr;
}

/* Return the length of an array of all its dimensions; 0: unknown. */
static u64 array_length(struct debuginfo *di, Dwarf_Die *array)
{
	u64 lengths[DIMENSIONS_MAX], length = 1;
	size_t nr = dimensions(di, array, lengths);

	for (size_t i = 0; i < nr; i++)
		if (__builtin_mul_overflow(length, lengths[i], &length))
			return 0;
	return nr ? length : 0;
}

static u64 size_of(struct debuginfo *di, Dwarf_Die *die, const struct type *t)
{
	u64 size = debug_number(di, die, DW_AT_byte_size, 0), all;

	if (size || t->kind == TYPE_KIND_FUNCTION || t->kind == TYPE_KIND_VOID)
		return size;
	if (t->kind == TYPE_KIND_POINTER)
		return di->address_size;
	if (t->kind == TYPE_KIND_ALIAS)
		return type_get(di, t->target)->size;
	if (t->kind != TYPE_KIND_ARRAY)
		return 0;
	all = array_length(di, die);
	return __builtin_mul_overflow(all, type_get(di, t->target)->size, &all) ? 0 : all;
}

static bool is_signed(struct debuginfo *di, Dwarf_Die *die)
{
	u64 encoding = debug_number(di, die, DW_AT_encoding, 0);

	return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

/* Give a nameless structure the name of its first typedef. */
static void name_by_typedef(struct debuginfo *di, const struct type *alias)
{
	struct type *t = &di->types[type_strip(di, alias->target)].type;

	if (t->name || !type_composite(t))
		return;
	t->name = alias->name;
	t->by_typedef = true;
}

/* Go on to the description of a type in a unit of its own (DW_AT_signature), if that is where it
 * is. */
static void follow_signature(struct debuginfo *di, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die found;

	if (di->lib.dwarf_attr(die, DW_AT_signature, &attr) &&
	    di->lib.dwarf_formref_die(&attr, &found))
		*die = found;
}

/* Number the type at @die. What it refers to is numbered before, which ends at structures. */
static u32 type_number(struct debuginfo *di, Dwarf_Die *die, u32 depth)
{
	enum type_kind kind = kind_of_tag(di->lib.dwarf_tag(die));
	u32 *slot, id = (u32)di->nr_types;
	struct type t = { .kind = kind };
	Dwarf_Attribute attr;
	Dwarf_Die target;

	if (kind == TYPE_KIND_VOID || depth > ALIASES_MAX)
		return TYPE_VOID;
	if (type_composite(&t))
		follow_signature(di, die);
	slot = map64_slot(&di->type_ids, (u64)(uintptr_t)die->addr);
	if (*slot != MAP64_NONE)
		return *slot;
	*slot = id;
	VEC_GROW(di->types, di->nr_types + 1, di->cap_types);
	di->types[di->nr_types++] = (struct type_entry){ .type = t, .die = *die };
	t.name = debug_name(di, die);
	if (!type_composite(&t) && di->lib.dwarf_attr(die, DW_AT_type, &attr) &&
	    di->lib.dwarf_formref_die(&attr, &target))
		t.target = type_number(di, &target, depth + 1);
	t.size = size_of(di, die, &t);
	t.is_reference = kind == TYPE_KIND_POINTER && di->lib.dwarf_tag(die) != DW_TAG_pointer_type;
	t.is_signed = kind == TYPE_KIND_BASE && is_signed(di, die);
	di->types[id].type = t;
	di->types[id].declared = type_composite(&t) && debug_flag(di, die, DW_AT_declaration);
	if (kind == TYPE_KIND_ALIAS && t.name)
		name_by_typedef(di, &t);
	return id;
}

u32 type_of(struct debuginfo *di, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!debug_attr(di, die, DW_AT_type, &attr) || !di->lib.dwarf_formref_die(&attr, &type))
		return TYPE_VOID;
	return type_number(di, &type, 0);
}

void types_start(struct debuginfo *di)
{
	VEC_GROW(di->types, 1, di->cap_types);
	di->types[di->nr_types++] = (struct type_entry){ .type = { .kind = TYPE_KIND_VOID } };
}

void types_release(struct debuginfo *di)
{
	for (size_t i = 0; i < di->nr_types; i++)
		free(di->types[i].members);
	free(di->types);
	free(di->definitions.v);
	intern_release(&di->definitions.names);
	map64_release(&di->type_ids);
}

const struct type *type_get(struct debuginfo *di, u32 type)
{
	static const struct type nothing;

	return type < di->nr_types ? &di->types[type].type : &nothing;
}

bool type_complete(struct debuginfo *di, u32 type)
{
	struct type_entry *e;

	if (type >= di->nr_types || !di->types[type].declared)
		return false;
	e = &di->types[type];
	e->declared = false;
	if (!e->type.name || !definition_find(di, e->type.name, &e->die))
		return false;
	e->type.kind = kind_of_tag(di->lib.dwarf_tag(&e->die));
	e->type.size = size_of(di, &e->die, &e->type);
	return e->type.size > 0;
}

size_t type_dimensions(struct debuginfo *di, u32 type, u64 lengths[DIMENSIONS_MAX])
{
	if (type >= di->nr_types || di->types[type].type.kind != TYPE_KIND_ARRAY)
		return 0;
	return dimensions(di, &di->types[type].die, lengths);
}

/* ---- members ---- */

static void list_members(struct debuginfo *di, Dwarf_Die *die, struct type_entry *to, u32 depth);

/* Return the first bit of a bit field, counted from the lowest bit of its structure. Before DWARF 4
 * it was counted from the highest bit of a unit of storage. */
static u64 member_bit(struct debuginfo *di, Dwarf_Die *die, const struct type_member *m, u64 bits)
{
	u64 bit = debug_number(di, die, DW_AT_data_bit_offset, UINT64_MAX);
	u64 high = debug_number(di, die, DW_AT_bit_offset, UINT64_MAX);
	u64 storage = debug_number(di, die, DW_AT_byte_size, type_get(di, m->type)->size) * 8;

	if (bit != UINT64_MAX || high == UINT64_MAX || high + bits > storage)
		return bit;
	return m->offset * 8 + storage - high - bits;
}

/* Return whether a member is of each object, and where: a bit field begins with the byte that has
 * its first bit. */
static bool member_offset(struct debuginfo *di, Dwarf_Die *die, struct type_member *m)
{
	u64 bits = debug_number(di, die, DW_AT_bit_size, 0), bit;

	if (debug_flag(di, die, DW_AT_external) || debug_flag(di, die, DW_AT_declaration))
		return false;
	m->offset = debug_number(di, die, DW_AT_data_member_location, 0);
	bit = member_bit(di, die, m, bits);
	if (bit == UINT64_MAX)
		return true;
	m->offset = bit / 8;
	if (bits && bits <= 64) {
		m->size = (bit % 8 + bits + 7) / 8;
		m->bits = (u32)bits;
		m->first_bit = (u32)(bit % 8);
	}
	return true;
}

static void add_member(struct debuginfo *di, Dwarf_Die *die, struct type_entry *to)
{
	struct type_member m = { .name = debug_name(di, die), .type = type_of(di, die) };

	m.size = type_get(di, m.type)->size;
	if (to->nr >= MEMBERS_MAX || !member_offset(di, die, &m))
		return;
	VEC_GROW_FROM(to->members, to->nr + 1, to->cap, 4);
	to->members[to->nr++] = m;
}

static void take_entry(struct debuginfo *di, Dwarf_Die *die, struct type_entry *to, u32 depth)
{
	switch (di->lib.dwarf_tag(die)) {
	case DW_TAG_member:
	case DW_TAG_inheritance:
		add_member(di, die, to);
		break;
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		list_members(di, die, to, depth + 1);
		break;
	default:
		break;
	}
}

static void list_members(struct debuginfo *di, Dwarf_Die *die, struct type_entry *to, u32 depth)
{
	Dwarf_Die child;

	if (depth > DEBUG_DEPTH || di->lib.dwarf_child(die, &child))
		return;
	do
		take_entry(di, &child, to, depth);
	while (!di->lib.dwarf_siblingof(&child, &child));
}

size_t type_members(struct debuginfo *di, u32 type, const struct type_member **out)
{
	if (type >= di->nr_types || !type_composite(&di->types[type].type))
		return 0;
	if (!di->types[type].listed) {
		struct type_entry found = { .die = di->types[type].die };

		/* the list of types grows meanwhile */
		list_members(di, &found.die, &found, 0);
		di->types[type].members = found.members;
		di->types[type].nr = found.nr;
		di->types[type].listed = true;
	}
	*out = di->types[type].members;
	return di->types[type].nr;
}

static bool is_empty(struct debuginfo *di, u32 type, u32 depth)
{
	const struct type_member *m;
	size_t nr;
	u8 empty = 2;

	if (depth > DEBUG_DEPTH || type >= di->nr_types || di->types[type].type.size > 1 ||
	    !type_composite(&di->types[type].type))
		return false;
	if (di->types[type].empty)
		return di->types[type].empty == 2;
	di->types[type].empty =
		1; /* that is the answer if the type is in itself, which is damaged */
	nr = type_members(di, type, &m);
	for (size_t i = 0; i < nr && empty == 2; i++)
		if (!is_empty(di, type_strip(di, m[i].type), depth + 1))
			empty = 1;
	di->types[type].empty = empty;
	return empty == 2;
}

bool type_empty(struct debuginfo *di, u32 type)
{
	return is_empty(di, type, 0);
}

#else

bool type_complete(struct debuginfo *di, u32 type)
{
	(void)di;
	(void)type;
	return false;
}

bool type_empty(struct debuginfo *di, u32 type)
{
	(void)di;
	(void)type;
	return false;
}

size_t type_dimensions(struct debuginfo *di, u32 type, u64 lengths[DIMENSIONS_MAX])
{
	(void)di;
	(void)type;
	(void)lengths;
	return 0;
}

const struct type *type_get(struct debuginfo *di, u32 type)
{
	static const struct type nothing;

	(void)di;
	(void)type;
	return &nothing;
}

size_t type_members(struct debuginfo *di, u32 type, const struct type_member **out)
{
	(void)di;
	(void)type;
	(void)out;
	return 0;
}
#endif
