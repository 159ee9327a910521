// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/value.h"

#include "arch/arch.h"
#include "arch/elf.h"
#include "arch/frames.h"
#include "base/alloc.h"
#include "dwarf/frames.h"
#include "probe/fetch.h"

#include <ctype.h>
#include <errno.h>

#define ARRAY_MAX 64  /* elements that the kernel fetches at most */
#define PROBE_WORD 8u /* bytes that it fetches of a register */

void probe_value_release(struct probe_value *v)
{
	strbuf_release(&v->base);
	*v = (struct probe_value){ 0 };
}

/* ---- registers, frames, addresses ---- */

/* Append a register by its DWARF number as the kernel calls it. Return: whether it can be fetched:
 * vector registers cannot. */
static bool put_register(const struct probe_object *o, int number, struct strbuf *out)
{
	const struct arch *a = arch_host();
	const struct arch_frames *f = o->functions.narrow ? a->narrow_frames : a->frames;
	const struct arch_reg *regs = f ? f->regs : a->regs;
	u32 nr = f ? f->nr_regs : a->nr_regs;

	for (u32 i = 0; i < nr && i < 32; i++) {
		if (!regs[i].name || regs[i].dwarf != number)
			continue;
		strbuf_addch(out, '%');
		for (const char *c = regs[i].name; *c; c++)
			strbuf_addch(out, (char)tolower((unsigned char)*c));
		return true;
	}
	return false;
}

/* Add distances, which damaged debug information can have any of. */
static s64 plus(s64 a, s64 b)
{
	return (s64)((u64)a + (u64)b);
}

static int unsupported(const struct probe_value *v, const char *why, struct err *err)
{
	return err_set(err, -EINVAL, "Sorry, we don't support this variable location yet: %s %s.",
		       v->name, why);
}

/* Take a register, by its DWARF number, as the base. */
static int take_register(struct probe_value *v, int number, struct err *err)
{
	char why[96];

	if (put_register(v->object, number, &v->base))
		return 0;
	snprintf(why, sizeof(why), "is in register %d of DWARF, which the kernel cannot fetch",
		 number);
	return unsupported(v, why, err);
}

/* Take the register as the base that the canonical frame address is counted from. @offset: the
 * distance from the frame, which becomes that from the register */
static int take_frame(struct probe_value *v, s64 *offset, struct err *err)
{
	struct probe_object *o = v->object;
	struct frame_cfa cfa = { .reg = -1 };

	if (!o->frames && o->file)
		o->frames = frames_open(o->file);
	if (!o->frames && o->debug)
		o->frames = frames_open(o->debug);
	if (!o->frames || !frames_cfa(o->frames, v->point->addr, &cfa) || cfa.reg < 0)
		return err_set(
			err, -EINVAL,
			"The place of %s is counted from the frame of its function, of which "
			"the object does not tell where it is (.eh_frame).",
			v->name);
	*offset = plus(*offset, cfa.offset);
	return take_register(v, cfa.reg, err);
}

/* Tell whether an address of the kernel itself is not that of the symbol with the variable's name:
 * variables of a function have names like "count.2" there. */
static bool is_nameless(const struct probe_value *v, u64 addr)
{
	const struct probe_object *o = v->object;
	u64 at;

	return !o->module && o->functions.text_name &&
	       (probe_symbol_find(o, v->name, &at, NULL) || at != addr);
}

/* Take memory at a distance from an address of the headers. In a program the kernel counts from
 * where the file is mapped, by offsets in it; the code of the probe tells how far addresses are
 * from them. Its own memory is found by a symbol. */
static void take_address(struct probe_value *v, u64 addr, s64 rest)
{
	const struct probe_point *p = v->point;

	v->kind = VALUE_FIXED;
	v->offset = rest;
	if (v->object->user) {
		strbuf_addstr(&v->base, "@+");
		v->offset = plus(rest, (s64)(addr - p->addr + p->offset));
	} else if (is_nameless(v, addr)) {
		strbuf_addf(&v->base, "@%s+", v->object->functions.text_name);
		v->offset = plus(rest, (s64)(addr - v->object->functions.text));
	} else {
		strbuf_addf(&v->base, "@%s+", v->name);
	}
}

/* ---- sizes ---- */

static bool is_signed(struct debuginfo *di, u32 type)
{
	const struct type *t = type_get(di, type_strip(di, type));

	return t->kind == TYPE_KIND_BASE && t->is_signed;
}

/* Return the bits that the kernel fetches of a type: structures are cut to a word. */
static unsigned int fetched_bits(struct debuginfo *di, u32 type)
{
	u64 size = type_get(di, type_strip(di, type))->size;

	return size >= 8 || size == 0 ? 64 : size >= 4 ? 32 : size >= 2 ? 16 : 8;
}

/* Tell whether a type is one that the kernel fetches as a number. */
static bool is_number(struct debuginfo *di, u32 type)
{
	enum type_kind kind = type_get(di, type_strip(di, type))->kind;

	return kind == TYPE_KIND_BASE || kind == TYPE_KIND_ENUM || kind == TYPE_KIND_POINTER;
}

/* Tell whether a type that the user gave is that of one number: "u8", "x". */
static bool is_number_type(const char *given)
{
	return strchr("usx", *given) && strspn(given + 1, "0123456789") == strlen(given + 1);
}

/* ---- the part of a variable ---- */

static bool is_memory(enum place_kind kind)
{
	return kind == PLACE_BASED || kind == PLACE_ENTRY_BASED || kind == PLACE_FRAME ||
	       kind == PLACE_FIXED || kind == PLACE_POINTED || kind == PLACE_THREAD;
}

/* Return the part that has the value. A variable that is in memory as a whole may be exceeded, as
 * arrays are by indices. @rest: receives where in the part it is. NULL: there is none */
static const struct variable_place *part_of(const struct probe_value *v, s64 *rest)
{
	u32 size = v->bits ? (v->first_bit + v->bits + 7) / 8
			   : fetched_bits(v->object->info, v->type) / 8 * (v->count ?: 1);

	for (size_t i = 0; i < v->parts.nr; i++) {
		const struct variable_place *p = v->parts.v[i];
		bool memory = is_memory(p->kind);
		u32 room = memory ? p->part_size : MIN(p->part_size ?: PROBE_WORD, PROBE_WORD);

		*rest = plus(v->offset, -(s64)p->part);
		if (memory && !p->part_size)
			return p;
		if (*rest >= 0 && (u64)*rest + size <= room)
			return p;
	}
	return NULL;
}

/* Take what is not at the lowest bit of a register, as a bit field of it. */
static void take_register_bits(struct probe_value *v, s64 rest)
{
	if (rest && !v->bits) {
		v->bits = fetched_bits(v->object->info, v->type);
		v->first_bit = 0;
	}
	v->first_bit += (u32)rest * 8;
	v->unit = PROBE_WORD;
}

/* Take a part of a number that is known; a bit field is taken out of it here. */
static void take_number(struct probe_value *v, s64 number, s64 rest)
{
	v->kind = VALUE_NUMBER;
	v->offset = number >> rest * 8;
	if (!v->bits)
		return;
	v->offset = (s64)((u64)v->offset << (64 - v->first_bit - v->bits));
	if (is_signed(v->object->info, v->type))
		v->offset >>= 64 - v->bits;
	else
		v->offset = (s64)((u64)v->offset >> (64 - v->bits));
	v->bits = 0;
}

/* Take the memory that a pointer in memory leads to. */
static int take_pointed(struct probe_value *v, const struct variable_place *p, s64 rest,
			struct err *err)
{
	const struct variable_place pointer = { .kind = p->through,
						.reg = p->reg,
						.offset = p->inner };
	struct probe_value at = { .object = v->object,
				  .point = v->point,
				  .name = v->name,
				  .parts = { { &pointer }, 1 } };
	int rc = probe_value_place(&at, err);

	if (!rc)
		probe_value_text(&at, &v->base);
	v->kind = VALUE_MEMORY;
	v->offset = plus(p->offset, rest);
	probe_value_release(&at);
	return rc;
}

/* Take what a register has, with a distance added to it, which only pointers can have. */
static int take_value(struct probe_value *v, const struct variable_place *p, s64 rest,
		      struct err *err)
{
	if (rest && p->offset)
		return unsupported(v, "is computed from a register", err);
	take_register_bits(v, rest);
	v->kind = VALUE_REGISTER;
	v->offset = p->offset;
	if (p->kind == PLACE_FRAME_VALUE)
		return take_frame(v, &v->offset, err);
	return take_register(v, p->reg, err);
}

/* Take memory at a distance from a register. */
static int take_memory(struct probe_value *v, const struct variable_place *p, s64 rest,
		       struct err *err)
{
	v->kind = VALUE_MEMORY;
	v->offset = plus(p->offset, rest);
	if (p->kind == PLACE_FRAME)
		return take_frame(v, &v->offset, err);
	return take_register(v, p->reg, err);
}

/* Take the value from a part of the variable, @rest bytes behind the start of the part. */
static int take_part(struct probe_value *v, const struct variable_place *p, s64 rest,
		     struct err *err)
{
	switch (p->kind) {
	case PLACE_REGISTER:
	case PLACE_VALUE:
	case PLACE_ENTRY_VALUE:
	case PLACE_FRAME_VALUE:
		return take_value(v, p, rest, err);
	case PLACE_BASED:
	case PLACE_ENTRY_BASED:
	case PLACE_FRAME:
		return take_memory(v, p, rest, err);
	case PLACE_FIXED:
		take_address(v, (u64)p->offset, rest);
		return 0;
	case PLACE_POINTED:
		return take_pointed(v, p, rest, err);
	case PLACE_CONSTANT:
		take_number(v, p->offset, rest);
		return 0;
	case PLACE_THREAD:
		return unsupported(v,
				   "is a variable of which each thread has its own, and probes "
				   "cannot tell where",
				   err);
	default:
		return unsupported(v, "is computed", err);
	}
}

/* Extend a bit field in memory to the unit that has it. */
static void take_unit(struct probe_value *v)
{
	v->offset = plus(v->offset, -(s64)v->back);
	v->first_bit += v->back * 8;
	v->back = 0;
}

int probe_value_place(struct probe_value *v, struct err *err)
{
	const struct variable_place *p;
	s64 rest;
	int rc;

	if (v->placed)
		return 0;
	p = part_of(v, &rest);
	if (!p)
		return err_set(err, -EINVAL,
			       "Failed to find the location of this part of '%s' at this "
			       "address: the variable is in several parts, which members have, "
			       "or this one has been optimized out.",
			       v->name);
	rc = take_part(v, p, rest, err);
	v->placed = !rc;
	return rc;
}

bool probe_value_in_memory(const struct probe_value *v)
{
	return v->kind == VALUE_MEMORY || v->kind == VALUE_FIXED;
}

int probe_value_follow(struct probe_value *v, struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	int rc = probe_value_place(v, err);

	if (rc)
		return rc;
	if (v->bits)
		return unsupported(v, "is in a part of a register", err);
	if (v->kind != VALUE_REGISTER) {
		probe_value_text(v, &text);
		strbuf_release(&v->base);
		v->base = text;
		v->offset = 0;
	}
	v->kind = VALUE_MEMORY;
	return 0;
}

int probe_value_finish(struct probe_value *v, const char *given, struct err *err)
{
	if (v->kind == VALUE_REGISTER && v->offset)
		return unsupported(v, "is computed from a register", err);
	if (v->count && (given ? !is_number_type(given) : !is_number(v->object->info, v->type)))
		return err_set(err, -EINVAL,
			       "The elements of %s cannot be fetched together: only numbers and "
			       "pointers can.",
			       v->name);
	if (v->bits && given && (*given != 'u' || !is_number_type(given)))
		return err_set(err, -EINVAL,
			       "\"%s\" cannot be the type of a part of %s: it is bits of a larger "
			       "number, which the kernel shows as an unsigned one. Leave the type "
			       "out.",
			       given, v->name);
	if (v->bits && probe_value_in_memory(v))
		take_unit(v);
	return 0;
}

void probe_value_text(const struct probe_value *v, struct strbuf *out)
{
	switch (v->kind) {
	case VALUE_REGISTER:
		strbuf_addstr(out, strbuf_str(&v->base));
		break;
	case VALUE_MEMORY:
		strbuf_addf(out, "%s%s%" PRId64 "(%s)", v->offset < 0 ? "" : "+",
			    v->user ? "u" : "", v->offset, strbuf_str(&v->base));
		break;
	case VALUE_FIXED:
		strbuf_addf(out, "%s%" PRId64, strbuf_str(&v->base), v->offset);
		break;
	case VALUE_NUMBER:
		strbuf_addf(out, "\\%" PRId64, v->offset);
		break;
	}
}

/* ---- types ---- */

/* Tell whether arrays of a type are texts. */
static bool is_text(struct debuginfo *di, u32 type)
{
	const struct type *t = type_get(di, type);

	return t->kind == TYPE_KIND_BASE && t->size == 1 && t->name && !strcmp(t->name, "char");
}

/* Append the type of an array, or of a text. Numbers: all of it, as far as the kernel goes. Return:
 * whether it is one. */
static bool put_array(const struct probe_value *v, struct debuginfo *di, u32 array,
		      struct strbuf *out)
{
	u64 lengths[DIMENSIONS_MAX], nr = 1;
	size_t dimensions = type_dimensions(di, array, lengths);
	u32 element = type_target(di, array);
	u64 size = type_get(di, element)->size;

	if (!dimensions || !size || size > 8 || (size & (size - 1)) ||
	    type_composite(type_get(di, element)))
		return false;
	for (size_t i = v->indexed; i < dimensions; i++)
		if (__builtin_mul_overflow(nr, lengths[i], &nr))
			return false;
	if (!nr)
		return false;
	if (is_text(di, element) && dimensions - v->indexed == 1)
		strbuf_addstr(out, "string");
	else
		strbuf_addf(out, "%c%u[%" PRIu64 "]", is_signed(di, element) ? 's' : 'x',
			    fetched_bits(di, element), MIN(nr, (u64)ARRAY_MAX));
	return true;
}

void probe_value_type(const struct probe_value *v, const char *given, struct strbuf *out)
{
	struct debuginfo *di = v->object->info;
	u32 type = type_strip(di, v->type);

	if (v->bits)
		strbuf_addf(out, "b%u@%u/%u", v->bits, v->first_bit, v->unit * 8);
	else if (given && strchr("usx", *given) && !given[1])
		strbuf_addf(out, "%s%u", given, fetched_bits(di, type));
	else if (given)
		strbuf_addstr(out, given);
	else if (!probe_value_in_memory(v) || !put_array(v, di, type, out))
		strbuf_addf(out, "%c%u", is_signed(di, type) ? 's' : 'x', fetched_bits(di, type));
	if (v->count)
		strbuf_addf(out, "[%u]", v->count);
}
