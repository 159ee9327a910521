// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arithmetic of values that are known in part. A number may be known up to multiples of its step,
 * as the index of a loop is, and so may the place in an object that a pointer points to.
 */
#include "base/compat.h"

#include "datatype/datatype-internal.h"

static const struct value unknown = { .kind = VALUE_UNKNOWN };

bool value_same(const struct value *a, const struct value *b)
{
	return a->kind == b->kind && a->type == b->type && a->offset == b->offset &&
	       a->step == b->step;
}

static u64 common_divisor(u64 a, u64 b)
{
	while (b) {
		u64 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static bool is_address(const struct value *v)
{
	return v->kind == VALUE_ADDRESS || v->kind == VALUE_FRAME || v->kind == VALUE_POINTER ||
	       v->kind == VALUE_THREAD;
}

/* Return a value as a number; when nothing is known of it, any number is possible. */
static struct value as_number(struct value v)
{
	return v.kind == VALUE_UNKNOWN ? (struct value){ .kind = VALUE_NUMBER, .step = 1 } : v;
}

struct value value_times(struct value v, u32 scale)
{
	v = as_number(v);
	if (scale == 1)
		return v;
	if (v.kind != VALUE_NUMBER)
		return unknown;
	v.offset = (s64)((u64)v.offset * scale);
	if (__builtin_mul_overflow(v.step, scale, &v.step))
		v.step = scale; /* it still is a multiple of that */
	return v;
}

/* An entry of a table of jumps and the address of the table. */
static bool is_target(const struct value *entry, const struct value *table)
{
	return entry->kind == VALUE_ENTRY && table->kind == VALUE_ADDRESS &&
	       entry->offset == table->offset && !table->step;
}

struct value value_plus(const struct place_in_code *at, struct value a, struct value b)
{
	u64 step;

	if (b.kind == VALUE_NUMBER && !b.offset && !b.step)
		return a;
	if (is_target(&a, &b) || is_target(&b, &a))
		return (struct value){ .kind = VALUE_TARGET, .offset = a.offset };
	a = as_number(a);
	b = as_number(b);
	if (is_address(&b))
		SWAP(a, b);
	if ((a.kind != VALUE_NUMBER && !is_address(&a)) || b.kind != VALUE_NUMBER)
		return unknown;
	step = common_divisor(a.step, b.step);
	a.offset = offset_plus(a.offset, b.offset);
	/* an unknown number leads to somewhere in the same object */
	if (step && is_address(&a))
		a = access_object(at, a);
	if (a.kind != VALUE_UNKNOWN)
		a.step = step;
	return a;
}

/* ---- where ways meet ---- */

static bool is_null(const struct value *v)
{
	return v->kind == VALUE_NUMBER && !v->offset && !v->step;
}

/* Return what is known of a pointer that is either @a or @b: where the first element of an array
 * would be, if they are to elements of the same one. */
static struct value meet_pointers(const struct code *c, struct value a, struct value b)
{
	if (a.kind != VALUE_POINTER || b.kind != VALUE_POINTER || a.type != b.type)
		return unknown;
	a.offset = type_first(c->info, a.type, a.offset);
	b.offset = type_first(c->info, b.type, b.offset);
	a.step = common_divisor(a.step, b.step);
	return a.offset == b.offset ? a : unknown;
}

static struct value meet_numbers(struct value a, struct value b)
{
	u64 distance = (u64)offset_minus(a.offset, b.offset);

	if (a.kind != VALUE_NUMBER || b.kind != VALUE_NUMBER)
		return unknown;
	if (a.offset < b.offset)
		distance = -distance;
	a.step = common_divisor(common_divisor(a.step, b.step), distance);
	if (a.step < 2 || a.step > INT64_MAX)
		return unknown;
	a.offset %= (s64)a.step;
	return a;
}

struct value value_meet(const struct place_in_code *at, const struct value *a,
			const struct value *b)
{
	struct value met;

	if (value_same(a, b))
		return *a;
	if (a->kind == VALUE_UNKNOWN || b->kind == VALUE_UNKNOWN)
		return unknown;
	/* nothing is accessed by a null pointer */
	if (is_null(a) && b->kind == VALUE_POINTER)
		return *b;
	if (is_null(b) && a->kind == VALUE_POINTER)
		return *a;
	met = meet_pointers(at->c, access_object(at, *a), access_object(at, *b));
	return met.kind != VALUE_UNKNOWN ? met : meet_numbers(*a, *b);
}
