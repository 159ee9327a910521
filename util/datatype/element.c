// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The array in an object that is accessed with an index. What the instruction adds to the index may
 * lead to in front of the array, as it does for v[i - 1].
 */
#include "base/compat.h"

#include "datatype/datatype-internal.h"

#define LEVELS_MAX 16 /* of members in members */
#define VECTOR 16     /* bytes of the smallest vector */
#define NEAR 16       /* how many elements in front of an array an access may seem to be */

/* The search for an array. */
struct search {
	struct debuginfo *info;
	u32 type;
	s64 offset; /* what is accessed */
	u64 step;   /* what an index counts */
	u64 size;   /* bytes of the access; 0: unknown */
	u64 start;  /* of the best array so far; 0: none */
	s64 best;   /* the offset in its first element */
};

/* Return the size of what is at an offset of a type, and whether that is in an array. */
static u64 size_at(struct debuginfo *info, u32 type, u64 offset, bool *array)
{
	*array = false;
	for (int i = 0; i < LEVELS_MAX && type_step(info, &type, &offset); i++)
		*array |= type_get(info, type)->kind == TYPE_KIND_ARRAY;
	return type_get(info, type_element(info, type))->size;
}

/* Tell whether an access of @size bytes may be to an element, or to several with a vector. */
static bool fits(u64 element, u64 size)
{
	return element == size || (size >= VECTOR && element && size % element == 0);
}

/* Tell whether an index that counts @step bytes may be one of elements of this size. */
static bool counts(const struct search *f, u64 element)
{
	return f->step == 1 || f->step % element == 0 || element % f->step == 0;
}

/* Take an array at @start if it is the nearest one behind what is accessed. */
static void consider(struct search *f, u64 start, u64 element)
{
	u64 distance = start - (u64)f->offset, into;
	bool array;

	if (!element || (s64)start <= f->offset || distance > NEAR * element ||
	    (f->start && start >= f->start) || !counts(f, element))
		return;
	into = (element - distance % element) % element;
	if (!fits(size_at(f->info, f->type, start + into, &array), f->size))
		return;
	f->start = start;
	f->best = (s64)(start + into);
}

static void look_in(struct search *f, u32 type, u64 start, u32 level)
{
	const struct type_member *m;
	size_t nr = level < LEVELS_MAX ? type_members(f->info, type, &m) : 0;

	for (size_t i = 0; i < nr; i++) {
		u32 stripped = type_strip(f->info, m[i].type);
		u32 element = type_element(f->info, stripped);
		u64 at = start + m[i].offset;

		if (element == stripped)
			look_in(f, element, at, level + 1);
		else if (at <= INT64_MAX)
			consider(f, at, type_get(f->info, element)->size);
	}
}

void element_find(struct debuginfo *info, struct value *v, u64 size)
{
	const struct type *t = type_get(info, v->type);
	struct search f = { info, v->type, v->offset, v->step, size, 0, 0 };
	u64 whole = t->size;
	bool array;

	if (!v->step || !whole || whole > INT64_MAX || !type_composite(t))
		return;
	if (v->step % whole == 0) { /* the object is an element itself */
		v->offset %= (s64)whole;
		v->offset += v->offset < 0 ? (s64)whole : 0;
		return;
	}
	if (v->offset >= 0 && v->offset < (s64)whole &&
	    fits(size_at(info, v->type, (u64)v->offset, &array), size) && (array || v->step == 1))
		return;
	look_in(&f, v->type, 0, 0);
	if (f.start)
		v->offset = f.best;
}
