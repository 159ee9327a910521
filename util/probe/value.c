// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "probe/value.h"

#include "arch/arch.h"
#include "arch/elf.h"
#include "arch/frames.h"
#include "base/alloc.h"
#include "dwarf/frames.h"

#include <ctype.h>
#include <errno.h>

#define ARRAY_MAX 64 /* elements that the kernel fetches at most */

void probe_value_release(struct probe_value *v)
{
	strbuf_release(&v->base);
	*v = (struct probe_value){ 0 };
}

/* ---- places ---- */

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

static int no_register(const char *name, int number, struct err *err)
{
	return err_set(
		err, -EINVAL,
		"Sorry, we don't support this variable location yet: %s is in register %d of "
		"DWARF, which the kernel cannot fetch.",
		name, number);
}

/* Memory at a distance from the canonical frame address, which is itself at a distance from a
 * register. */
static int at_frame(struct probe_value *v, struct probe_object *o, u64 addr, s64 offset,
		    const char *name, struct err *err)
{
	struct frame_cfa cfa = { .reg = -1 };

	if (!o->frames && o->file)
		o->frames = frames_open(o->file);
	if (!o->frames || !frames_cfa(o->frames, addr, &cfa) || cfa.reg < 0)
		return err_set(
			err, -EINVAL,
			"The place of %s is counted from the frame of its function, of which "
			"the object does not tell where it is (.eh_frame).",
			name);
	v->memory = true;
	v->offset = cfa.offset + offset;
	return put_register(o, cfa.reg, &v->base) ? 0 : no_register(name, cfa.reg, err);
}

/* Memory at an address of the headers. In a program the kernel counts from where the file is
 * mapped, by offsets in it; the code of the probe tells how far addresses are from them. */
static void at_address(struct probe_value *v, const struct probe_object *o,
		       const struct probe_point *p, u64 addr, const char *name)
{
	v->memory = v->fixed = true;
	if (o->user) {
		strbuf_addstr(&v->base, "@+");
		v->offset = (s64)(addr - p->addr + p->offset);
	} else {
		strbuf_addf(&v->base, "@%s+", name);
	}
}

int probe_value_init(struct probe_value *v, struct probe_object *o, const struct probe_point *p,
		     const struct variable_place *place, const char *name, u32 type,
		     struct err *err)
{
	*v = (struct probe_value){ .type = type };
	switch (place->kind) {
	case PLACE_REGISTER:
		break;
	case PLACE_BASED:
		v->memory = true;
		v->offset = place->offset;
		break;
	case PLACE_FRAME:
		return at_frame(v, o, p->addr, place->offset, name, err);
	case PLACE_FIXED:
		at_address(v, o, p, (u64)place->offset, name);
		return 0;
	case PLACE_VALUE:
		if (!place->offset)
			break;
		return err_set(
			err, -EINVAL,
			"Sorry, we don't support this variable location yet: the value of %s "
			"is computed from a register.",
			name);
	case PLACE_THREAD:
		return err_set(
			err, -EINVAL,
			"Sorry, we don't support this variable location yet: each thread has "
			"its own %s.",
			name);
	default:
		return err_set(
			err, -EINVAL,
			"Sorry, we don't support this variable location yet: the value of %s "
			"is computed.",
			name);
	}
	return put_register(o, place->reg, &v->base) ? 0 : no_register(name, place->reg, err);
}

void probe_value_text(const struct probe_value *v, struct strbuf *out)
{
	if (!v->memory)
		strbuf_addstr(out, strbuf_str(&v->base));
	else if (v->fixed)
		strbuf_addf(out, "%s%" PRId64, strbuf_str(&v->base), v->offset);
	else
		strbuf_addf(out, "%s%s%" PRId64 "(%s)", v->offset < 0 ? "" : "+",
			    v->user ? "u" : "", v->offset, strbuf_str(&v->base));
}

void probe_value_follow(struct probe_value *v)
{
	struct strbuf text = STRBUF_INIT;

	probe_value_text(v, &text);
	strbuf_release(&v->base);
	v->base = text;
	v->memory = true;
	v->fixed = false;
	v->offset = 0;
}

/* ---- types ---- */

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

void probe_value_type(const struct probe_value *v, struct debuginfo *di, const char *given,
		      struct strbuf *out)
{
	u32 type = type_strip(di, v->type);

	if (v->bits)
		strbuf_addf(out, "b%u@%u/%u", v->bits, v->first_bit, v->unit * 8);
	else if (given && strchr("usx", *given) && !given[1])
		strbuf_addf(out, "%s%u", given, fetched_bits(di, type));
	else if (given)
		strbuf_addstr(out, given);
	else if (!put_array(v, di, type, out))
		strbuf_addf(out, "%c%u", is_signed(di, type) ? 's' : 'x', fetched_bits(di, type));
}
