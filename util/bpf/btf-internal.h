/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types as they stand in BTF (Documentation/bpf/btf.rst of the kernel), for the files that read it.
 */
#ifndef PERF_BPF_BTF_INTERNAL_H
#define PERF_BPF_BTF_INTERNAL_H

#include "bpf/btf.h"

/* The kinds of types. */
enum {
	KIND_INT = 1,
	KIND_PTR = 2,
	KIND_ARRAY = 3,
	KIND_STRUCT = 4,
	KIND_UNION = 5,
	KIND_ENUM = 6,
	KIND_TYPEDEF = 8,
	KIND_VOLATILE = 9,
	KIND_CONST = 10,
	KIND_RESTRICT = 11,
	KIND_FUNC = 12,
	KIND_FUNC_PROTO = 13,
	KIND_VAR = 14,
	KIND_DATASEC = 15,
	KIND_FLOAT = 16,
	KIND_DECL_TAG = 17,
	KIND_TYPE_TAG = 18,
	KIND_ENUM64 = 19
};

/** Every type begins with this; the kind tells what follows. */
struct btf_type {
	u32 name_off;
	u32 info; /* bits 0-15: number of members; bits 24-28: kind */
	u32 size_or_type;
};

/** A member of a struct or union. */
struct btf_field {
	u32 name_off, type;
	u32 offset, bits; /* in bits; bits is 0 if the member is no bit field */
};

/** btf_type_at - copy the head of type @id. Return: false: there is no such type, or it is void. */
bool btf_type_at(const struct btf *b, u32 id, struct btf_type *t);
/** btf_kind - return the kind of a type. */
static inline u32 btf_kind(const struct btf_type *t)
{
	return t->info >> 24 & 0x1f;
}
/** btf_vlen - return the number of members or values that a type has. */
static inline u32 btf_vlen(const struct btf_type *t)
{
	return t->info & 0xffff;
}
/** btf_words - copy @nr words that follow the head of a type, from word @at on. They are there if
 * the type was read, and belong to its @vlen members. */
void btf_words(const struct btf *b, u32 id, u32 at, u32 *words, u32 nr);
/** btf_field_at - get member @i of struct or union @id, which has that many. */
struct btf_field btf_field_at(const struct btf *b, u32 id, const struct btf_type *t, u32 i);
/** btf_name - return a name, or NULL when there is none or it is outside the strings. */
const char *btf_name(const struct btf *b, u32 off);
/** btf_bare - return the type without typedef, const, volatile, restrict and tags. */
u32 btf_bare(const struct btf *b, u32 id);

#endif
