/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types that a program's debug information describes: their names, sizes and members. A type
 * has a number, which is valid until debuginfo_close(). Any depth of nesting is described by
 * numbers, so that types that refer to themselves are no problem. Types that the compiler described
 * several times, once in each compilation unit, have several numbers.
 */
#ifndef PERF_DWARF_TYPES_H
#define PERF_DWARF_TYPES_H

#include "base/strbuf.h"
#include "dwarf/debuginfo.h"

#define TYPE_VOID 0 /* the number of void, which stands for whatever is unknown, too */

enum type_kind {
	TYPE_KIND_VOID,
	TYPE_KIND_BASE,
	TYPE_KIND_ENUM,
	TYPE_KIND_POINTER, /* to @target; C++ references are pointers */
	TYPE_KIND_STRUCT,
	TYPE_KIND_CLASS,
	TYPE_KIND_UNION,
	TYPE_KIND_ARRAY, /* of elements of @target */
	TYPE_KIND_FUNCTION,
	TYPE_KIND_ALIAS, /* a typedef of @target, or with a qualifier as const, then without name */
};

struct type {
	enum type_kind kind;
	const char *name;  /* borrowed; NULL: none. A nameless structure has that of its typedef. */
	bool by_typedef;   /* the name is that of a typedef */
	bool is_signed;    /* of a number */
	bool is_reference; /* a pointer that is a reference of C++ */
	u64 size;          /* bytes; 0: unknown */
	u32 target;        /* number of a type */
};

/* A member of a structure, class or union. Base classes and the variants of Rust are members
 * without a name. */
struct type_member {
	const char *name;    /* borrowed; NULL: none */
	u64 offset, size;    /* bytes; of a bit field, those that it touches */
	u32 bits, first_bit; /* of a bit field: how many, and which of @offset's byte is the first,
				counted from the lowest one; bits 0: it is none */
	u32 type;            /* as declared */
};

/** type_get - return a type by its number; valid until the next call of this room. */
const struct type *type_get(struct debuginfo *di, u32 type);
/** type_strip - return what a type is without qualifiers and names of typedefs. */
u32 type_strip(struct debuginfo *di, u32 type);
/** type_target - return what a pointer or array refers to, stripped; TYPE_VOID of others. */
u32 type_target(struct debuginfo *di, u32 type);
#define DIMENSIONS_MAX 8
/** type_dimensions - return how many dimensions a stripped array has, at most DIMENSIONS_MAX, and
 * their lengths; a length of 0 is unknown. Others have none. */
size_t type_dimensions(struct debuginfo *di, u32 type, u64 lengths[DIMENSIONS_MAX]);
/** type_element - return what an array of any number of dimensions consists of, stripped; other
 * types are returned stripped. */
u32 type_element(struct debuginfo *di, u32 type);
/**
 * type_complete - find the definition of a stripped type that is only declared where it was found.
 * The type then has size and members. Return: whether that changed anything.
 */
bool type_complete(struct debuginfo *di, u32 type);
/** type_composite - tell whether a stripped type has members. */
bool type_composite(const struct type *t);
/**
 * type_members - return the members of a stripped type in the order of their declaration.
 * @out: receives an array that is valid until debuginfo_close()
 * Return: their number.
 */
size_t type_members(struct debuginfo *di, u32 type, const struct type_member **out);
/** type_empty - tell whether nothing is in a stripped type. In C++ such a base class shares its
 * byte with what follows. */
bool type_empty(struct debuginfo *di, u32 type);
/**
 * type_member_at - return the first member of a stripped type that has an offset and is no empty
 * class, if there is one. Array members without a length at the end of a structure have all offsets
 * behind it. NULL: none.
 */
const struct type_member *type_member_at(struct debuginfo *di, u32 type, u64 offset);
/**
 * type_step - step from a type to the member at an offset in it; from an array, to that of its
 * element.
 * @type: is changed to the type of the member, stripped; without one, to the element
 * @offset: is changed to the offset in that type
 * Return: the member; NULL: none.
 */
const struct type_member *type_step(struct debuginfo *di, u32 *type, u64 *offset);

/**
 * type_first - return the offset in a type at which the first element of an array has what is at
 * @offset in another element of it. What is outside of the type is in an array of such types.
 */
s64 type_first(struct debuginfo *di, u32 type, s64 offset);

/** type_text - append a type as declared: "struct foo*", "u32", "char[]". */
void type_text(struct debuginfo *di, u32 type, struct strbuf *out);
/**
 * type_path - append the names of the members at an offset of a type, as "lock.owner.counter".
 * Return: whether there is a member; nothing was appended otherwise.
 */
bool type_path(struct debuginfo *di, u32 type, u64 offset, struct strbuf *out);

#endif
