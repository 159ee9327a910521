// SPDX-License-Identifier: GPL-2.0-or-later
/* Find the object that an instruction accesses, with the values of registers that are known. */
#include "base/compat.h"

#include "datatype/datatype-internal.h"

#define LEVELS_MAX 64 /* of members in members; damaged types can form cycles */

static const struct value unknown = { .kind = VALUE_UNKNOWN };

static u64 size_of(const struct code *c, u32 type)
{
	return type_get(c->info, type)->size;
}

/* Return a pointer into an object of a type, or into the element of an array. */
static struct value pointer_into(const struct code *c, u32 type, s64 offset)
{
	u32 element = type_element(c->info, type);
	struct value v = { .kind = VALUE_POINTER, .type = element, .offset = offset };
	u64 size = size_of(c, element);

	if (element != type_strip(c->info, type) && size && size <= INT64_MAX)
		v.offset %= (s64)size;
	return v;
}

struct value access_pointer(const struct code *c, u32 type)
{
	const struct type *t = type_get(c->info, type_strip(c->info, type));
	u32 element;

	if (t->kind != TYPE_KIND_POINTER)
		return unknown;
	element = type_element(c->info, t->target);
	t = type_get(c->info, element);
	if (t->kind == TYPE_KIND_VOID || t->kind == TYPE_KIND_FUNCTION)
		return unknown;
	return (struct value){ .kind = VALUE_POINTER, .type = element };
}

/* Return the value of the pointer at an offset of a type; unknown when something else is there. */
static struct value pointer_at(const struct code *c, u32 type, u64 offset)
{
	for (int i = 0; i < LEVELS_MAX; i++)
		if (!type_step(c->info, &type, &offset))
			return offset ? unknown : access_pointer(c, type);
	return unknown;
}

struct value access_described(const struct code *c, u32 place)
{
	const struct variable_place *p = &c->debug->places[place];
	struct value v = pointer_at(c, c->debug->variables[p->variable].type, p->part);

	if (p->part_size && p->part_size < c->abi->word)
		return unknown;
	if (v.kind == VALUE_POINTER && p->kind == PLACE_VALUE)
		v.offset = offset_minus(v.offset, p->offset);
	return v;
}

/* ---- places in memory ---- */

/* Return where a place is in the frame. Return: false when it is not there. */
static bool frame_offset(const struct state *s, const struct variable_place *p, s64 *at)
{
	if (p->kind == PLACE_FRAME) {
		*at = p->offset;
		return true;
	}
	if (p->kind != PLACE_BASED || p->reg >= REGS_MAX || s->regs[p->reg].kind != VALUE_FRAME)
		return false;
	*at = offset_plus(s->regs[p->reg].offset, p->offset);
	return true;
}

/* Tell whether a variable's place that begins at @start has an address. */
static bool place_has(const struct code *c, const struct variable_place *p, s64 start, s64 at)
{
	u64 size = p->part_size ?: size_of(c, c->debug->variables[p->variable].type);

	return at >= start && (u64)offset_minus(at, start) < size;
}

static bool is_active(const struct code *c, size_t i, const struct variable_place *p)
{
	return c->insns[i].addr >= p->start && c->insns[i].addr < p->end;
}

/* Find the variable of the frame with an address: of several, the largest. */
static struct value frame_object(const struct place_in_code *in, s64 at)
{
	const struct code *c = in->c;
	struct value best = unknown;
	u64 most = 0;
	s64 start;

	for (size_t k = 0; k < c->nr_memory; k++) {
		const struct variable_place *p = &c->debug->places[c->memory[k]];
		u32 type = c->debug->variables[p->variable].type;

		if (!is_active(c, in->i, p) || !frame_offset(in->s, p, &start) ||
		    !place_has(c, p, start, at) || size_of(c, type) <= most)
			continue;
		most = size_of(c, type);
		best = pointer_into(c, type, offset_plus(offset_minus(at, start), p->part));
	}
	return best;
}

/*
 * Tell whether a variable that the compiler does not move is at a place of the frame, in any part
 * of the function.
 */
static bool frame_is_used(const struct code *c, const struct state *s, s64 at)
{
	s64 start;

	for (size_t k = 0; k < c->nr_memory; k++) {
		const struct variable_place *p = &c->debug->places[c->memory[k]];

		if (!p->listed && frame_offset(s, p, &start) && place_has(c, p, start, at))
			return true;
	}
	return false;
}

/* Find the static variable at a place: one of the function (@kind), or one of the program. */
static struct value static_object(const struct code *c, enum place_kind kind, u64 at)
{
	const struct global *g;

	for (size_t k = 0; k < c->nr_memory; k++) {
		const struct variable_place *p = &c->debug->places[c->memory[k]];

		if (p->kind == kind && place_has(c, p, p->offset, (s64)at))
			return pointer_into(c, c->debug->variables[p->variable].type,
					    offset_plus(offset_minus((s64)at, p->offset), p->part));
	}
	g = kind == PLACE_FIXED ? debug_global_at(c->info, at) : debug_thread_local_at(c->info, at);
	return g ? pointer_into(c, g->type, (s64)(at - g->addr)) : unknown;
}

/* Find the object at a value, with the offset in it. */
static struct value object_at(const struct place_in_code *at, const struct value *v)
{
	switch (v->kind) {
	case VALUE_POINTER:
		return *v;
	case VALUE_FRAME:
		return frame_object(at, v->offset);
	case VALUE_ADDRESS:
		return static_object(at->c, PLACE_FIXED, (u64)v->offset);
	case VALUE_NUMBER:
		return debuginfo_fixed(at->c->info)
			       ? static_object(at->c, PLACE_FIXED, (u64)v->offset)
			       : unknown;
	case VALUE_THREAD:
		return static_object(at->c, PLACE_THREAD,
				     debug_thread_block(at->c->info) + (u64)v->offset);
	default:
		return unknown;
	}
}

struct value access_object(const struct place_in_code *at, struct value v)
{
	struct value object = at->c->info ? object_at(at, &v) : unknown;

	if (object.kind == VALUE_POINTER)
		object.step = v.step;
	return object;
}

static struct value register_value(const struct state *s, s16 reg)
{
	return reg >= 0 && reg < REGS_MAX ? s->regs[reg] : unknown;
}

struct value access_address(const struct place_in_code *at, const struct insn_address *a)
{
	struct value v = { .kind = a->relative ? VALUE_ADDRESS : VALUE_NUMBER,
			   .offset = a->offset };

	/* what is known is summed up first, so that it leads to the right object */
	if (a->base != INSN_NO_REG && a->index != INSN_NO_REG) {
		struct value base = register_value(at->s, a->base);
		struct value index = value_times(register_value(at->s, a->index), a->scale);

		if (base.kind == VALUE_UNKNOWN || (base.kind == VALUE_NUMBER && base.step))
			SWAP(base, index);
		return value_plus(at, value_plus(at, base, v), index);
	}
	if (a->base != INSN_NO_REG)
		return value_plus(at, register_value(at->s, a->base), v);
	if (a->index != INSN_NO_REG)
		return value_plus(at, v, value_times(register_value(at->s, a->index), a->scale));
	return v;
}

/* ---- accesses ---- */

/* A search for the type of an access holds what is known of it so far. */
struct search {
	struct place_in_code at;
	const struct insn_memory *mem;
	struct access_result best; /* result DATATYPE_FOUND, or why there is none yet */
	u64 best_size;
	bool best_fits; /* the access ends within the object */
};

/* Tell whether @offset is within an object of a type, which a pointer to scalars may have several
 * of; it is changed to that within the first. */
static enum datatype_result within(const struct code *c, u32 type, s64 *offset)
{
	const struct type *t = type_get(c->info, type);
	u64 size = t->size;

	if (t->kind == TYPE_KIND_VOID || t->kind == TYPE_KIND_FUNCTION)
		return DATATYPE_NO_TYPEINFO;
	if (!size || size > INT64_MAX)
		return DATATYPE_INVALID_SIZE;
	if (*offset >= 0 && *offset < (s64)size)
		return DATATYPE_FOUND;
	if (!type_composite(t)) {
		*offset %= (s64)size;
		*offset += *offset < 0 ? (s64)size : 0;
		return DATATYPE_FOUND;
	}
	if (*offset >= 0 && type_member_at(c->info, type, (u64)*offset))
		return DATATYPE_FOUND;
	return DATATYPE_BAD_OFFSET;
}

/* Take an object that may be the one that is accessed, unless a better one was found: the access is
 * within it, and it is larger. */
static void consider(struct search *f, struct value v)
{
	enum datatype_result result;
	u64 size;
	bool fits;

	if (v.kind != VALUE_POINTER)
		return;
	if (!size_of(f->at.c, v.type))
		type_complete(f->at.c->info, v.type);
	element_find(f->at.c->info, &v, f->mem->size);
	result = within(f->at.c, v.type, &v.offset);
	size = size_of(f->at.c, v.type);
	fits = (u64)v.offset + f->mem->size <= size;
	if (result != DATATYPE_FOUND) {
		if (f->best.result != DATATYPE_FOUND)
			f->best.result = result;
		return;
	}
	if (f->best.result == DATATYPE_FOUND &&
	    (f->best_fits != fits ? f->best_fits : f->best_size >= size))
		return;
	f->best = (struct access_result){ .type = v.type,
					  .offset = (u64)v.offset,
					  .result = DATATYPE_FOUND };
	f->best_size = size;
	f->best_fits = fits;
}

/* Consider the variables that the base register has the address of, or is. */
static void consider_base(struct search *f)
{
	const struct place_in_code *at = &f->at;
	const struct code *c = at->c;
	s16 base = f->mem->at.base;
	struct insn_address rest = f->mem->at;
	struct value more;

	rest.base = INSN_NO_REG;
	more = access_address(at, &rest);
	for (u32 k = c->active_from[at->i]; k < c->active_from[at->i + 1]; k++)
		if (c->debug->places[c->active[k]].reg == base)
			consider(f, value_plus(at, access_described(c, c->active[k]), more));
	for (size_t k = 0; k < c->nr_memory; k++) {
		const struct variable_place *p = &c->debug->places[c->memory[k]];
		u32 type = c->debug->variables[p->variable].type;

		if (p->kind == PLACE_BASED && p->reg == base && is_active(c, at->i, p) &&
		    at->s->regs[base].kind != VALUE_FRAME)
			consider(f,
				 value_plus(at,
					    pointer_into(c, type, offset_minus(p->part, p->offset)),
					    more));
	}
}

/* Tell whether the canary of the stack is accessed: at a fixed place of the thread, or in a
 * variable of the C library. */
static bool is_canary(const struct place_in_code *at, const struct insn_address *a)
{
	const struct code *c = at->c;
	u8 segment = c->kernel || !c->wide ? SEGMENT_GS : SEGMENT_FS;

	if (a->index != INSN_NO_REG)
		return false;
	if (a->base != INSN_NO_REG)
		return register_value(at->s, a->base).kind == VALUE_GUARD && !a->offset;
	return c->arch == ARCH_CODE_X86 && a->segment == segment &&
	       a->offset == (c->wide ? 0x28 : 0x14);
}

static bool of_thread(const struct code *c, const struct insn_address *a)
{
	return !c->kernel && a->segment == (c->wide ? SEGMENT_FS : SEGMENT_GS);
}

/* Compute the address of an access. */
static struct value address_of(const struct search *f)
{
	const struct code *c = f->at.c;
	struct value v = access_address(&f->at, &f->mem->at);

	if (of_thread(c, &f->mem->at))
		v.kind = v.kind == VALUE_NUMBER ? VALUE_THREAD : VALUE_UNKNOWN;
	else if (f->mem->at.segment != SEGMENT_NONE && !c->kernel)
		v.kind = VALUE_UNKNOWN;
	return v;
}

static bool slot_has_canary(const struct state *s, s64 at)
{
	for (u32 i = 0; i < s->nr_slots; i++)
		if (s->slots[i].at == at)
			return s->slots[i].value.kind == VALUE_CANARY;
	return false;
}

/* Say why no type was found at an address. */
static enum datatype_result why_not(const struct place_in_code *at, const struct value *v)
{
	if (!at->c->info)
		return DATATYPE_NO_DBGINFO;
	if (!at->c->debug)
		return DATATYPE_NO_CUINFO;
	if (v->kind == VALUE_FRAME && frame_is_used(at->c, at->s, v->offset))
		return DATATYPE_NO_VAR;
	if (v->kind == VALUE_FRAME)
		return slot_has_canary(at->s, v->offset) ? DATATYPE_CANARY : DATATYPE_STACK;
	if (v->kind == VALUE_ADDRESS || v->kind == VALUE_THREAD ||
	    (v->kind == VALUE_NUMBER && !v->step))
		return DATATYPE_NO_VAR;
	return DATATYPE_NO_REG;
}

static void find_memory(const struct place_in_code *at, const struct insn_memory *mem,
			struct access_result *out)
{
	struct search f = { *at, mem, .best = { .result = DATATYPE_NO_MEM_OPS } };
	const struct code *c = at->c;
	struct place_in_code next = { c, at->i + 1, at->s };
	struct value v;

	if (is_canary(at, &mem->at)) {
		out->result = DATATYPE_CANARY;
		return;
	}
	v = address_of(&f);
	consider(&f, access_object(at, v));
	/* a variable is in its place when it has been stored there */
	if (f.best.result == DATATYPE_NO_MEM_OPS && v.kind == VALUE_FRAME && c->info &&
	    c->insns[at->i].op.action == INSN_STORE && next.i < c->nr)
		consider(&f, frame_object(&next, v.offset));
	if (c->debug && mem->at.base >= 0 && mem->at.base < REGS_MAX &&
	    mem->at.segment == SEGMENT_NONE)
		consider_base(&f);
	if (f.best.result == DATATYPE_NO_MEM_OPS)
		f.best.result = why_not(at, &v);
	*out = f.best;
}

void access_find(const struct place_in_code *at, struct access_result *out)
{
	const struct insn_operands *op = &at->c->insns[at->i].op;
	bool own = op->stack && (op->action == INSN_LOAD || op->action == INSN_STORE);
	struct access_result found;

	*out = (struct access_result){ .result = op->stack ? DATATYPE_STACK : DATATYPE_NO_MEM_OPS };
	for (u8 k = 0; k < op->nr_mems && !own; k++) {
		find_memory(at, &op->mem[k], &found);
		if (!k || (out->result >= DATATYPE_NO_SYM && found.result < DATATYPE_NO_SYM))
			*out = found;
	}
}

struct value access_loaded(const struct place_in_code *at, const struct insn_memory *mem)
{
	const struct insn_address *a = &mem->at;
	struct access_result found;

	if (is_canary(at, a))
		return (struct value){ .kind = VALUE_CANARY };
	if (of_thread(at->c, a) && a->base == INSN_NO_REG && a->index == INSN_NO_REG && !a->offset)
		return (struct value){ .kind = VALUE_THREAD };
	find_memory(at, mem, &found);
	return found.result == DATATYPE_FOUND ? pointer_at(at->c, found.type, found.offset)
					      : unknown;
}
