// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Location expressions (DWARF 5, 2.5 and 2.6) as far as they can be evaluated without a running
 * program: sums of constants and at most one of a register, the canonical frame address, an
 * address, a pointer at one of these, or what a register had when the function was entered. libdw
 * decodes the bytes.
 */
#include "base/compat.h"

#ifdef HAVE_LIBDW
#include "dwarf/debuginfo-internal.h"

#include <dwarf.h>

#define STACK_MAX 8 /* values; what compilers write needs about three */

/* A value of the stack: @base plus @offset. */
struct term {
	enum place_kind base; /* PLACE_NONE: a number; else what the value is when it is a place */
	u16 reg;
	s64 offset;
	enum place_kind through; /* of PLACE_POINTED: where the pointer is */
	s64 inner;
};

struct evaluation {
	struct term stack[STACK_MAX];
	u32 nr;
	bool value;       /* the result is the value of the variable, not its address */
	bool in_register; /* the variable is in the register of the only term */
	bool failed;
};

static void push(struct evaluation *e, enum place_kind base, u16 reg, u64 offset)
{
	if (e->nr == STACK_MAX)
		e->failed = true;
	else
		e->stack[e->nr++] =
			(struct term){ .base = base, .reg = reg, .offset = (s64)offset };
}

/* Replace the two uppermost values by their sum or difference. */
static void add(struct evaluation *e, bool subtract)
{
	struct term *left, *right;

	if (e->nr < 2) {
		e->failed = true;
		return;
	}
	right = &e->stack[e->nr - 1];
	left = right - 1;
	if (!subtract && left->base == PLACE_NONE)
		SWAP(*left, *right);
	e->failed |= right->base != PLACE_NONE;
	left->offset = (s64)(subtract ? (u64)left->offset - (u64)right->offset
				      : (u64)left->offset + (u64)right->offset);
	e->nr--;
}

static void push_frame(struct evaluation *e, const struct debug_place *frame, u64 offset)
{
	if (frame->kind != PLACE_FRAME && frame->kind != PLACE_BASED)
		e->failed = true;
	push(e, frame->kind, frame->reg, (u64)frame->offset + offset);
}

/* Push an address that the unit has in a table (DW_OP_addrx). */
static void push_indexed(struct debuginfo *di, Dwarf_Attribute *attr, const Dwarf_Op *op,
			 struct evaluation *e)
{
	Dwarf_Attribute found;
	Dwarf_Addr addr;

	if (di->lib.dwarf_getlocation_attr(attr, op, &found) ||
	    di->lib.dwarf_formaddr(&found, &addr))
		e->failed = true;
	else
		push(e, PLACE_FIXED, 0, addr);
}

/* Say that the number on top of the stack is an offset in the block of the thread. */
static void thread_local(struct evaluation *e)
{
	if (e->nr &&
	    (e->stack[e->nr - 1].base == PLACE_NONE || e->stack[e->nr - 1].base == PLACE_FIXED))
		e->stack[e->nr - 1].base = PLACE_THREAD;
	else
		e->failed = true;
}

/* Replace the address on top of the stack by the pointer that is there. */
static void dereference(struct evaluation *e)
{
	struct term *t = e->nr ? &e->stack[e->nr - 1] : NULL;

	if (!t || (t->base != PLACE_BASED && t->base != PLACE_FRAME && t->base != PLACE_FIXED)) {
		e->failed = true;
		return;
	}
	*t = (struct term){
		.base = PLACE_POINTED, .reg = t->reg, .through = t->base, .inner = t->offset
	};
}

/* Push what a register had when the function was entered: the expression within the operation names
 * the register. */
static void push_entry(struct debuginfo *di, Dwarf_Attribute *attr, const Dwarf_Op *op,
		       struct evaluation *e)
{
	Dwarf_Attribute within;
	Dwarf_Op *ops;
	size_t nr;
	u8 atom;

	if (di->lib.dwarf_getlocation_attr(attr, op, &within) ||
	    di->lib.dwarf_getlocation(&within, &ops, &nr) || nr != 1) {
		e->failed = true;
		return;
	}
	atom = ops->atom;
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
		push(e, PLACE_ENTRY_BASED, atom - DW_OP_reg0, 0);
	else if (atom == DW_OP_regx)
		push(e, PLACE_ENTRY_BASED, (u16)ops->number, 0);
	else
		e->failed = true;
}

/* Push the value of a variable that the expression has in its bytes, the lowest ones first. */
static void push_implicit(struct debuginfo *di, Dwarf_Attribute *attr, const Dwarf_Op *op,
			  struct evaluation *e)
{
	Dwarf_Block block;
	u64 number = 0;

	e->value = true;
	if (di->lib.dwarf_getlocation_implicit_value(attr, op, &block) ||
	    block.length > sizeof(number)) {
		e->failed = true;
		return;
	}
	for (size_t i = block.length; i--;)
		number = number << 8 | block.data[i];
	push(e, PLACE_NONE, 0, number);
}

static void operation(struct debuginfo *di, Dwarf_Attribute *attr, const Dwarf_Op *op,
		      const struct debug_place *frame, struct evaluation *e)
{
	u8 atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return push(e, PLACE_NONE, 0, atom - DW_OP_lit0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push(e, PLACE_BASED, atom - DW_OP_breg0, op->number);
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31) {
		e->in_register = true;
		return push(e, PLACE_REGISTER, atom - DW_OP_reg0, 0);
	}
	switch (atom) {
	case DW_OP_regx:
		e->in_register = true;
		return push(e, PLACE_REGISTER, (u16)op->number, 0);
	case DW_OP_bregx:
		return push(e, PLACE_BASED, (u16)op->number, op->number2);
	case DW_OP_fbreg:
		return push_frame(e, frame, op->number);
	case DW_OP_call_frame_cfa:
		return push(e, PLACE_FRAME, 0, 0);
	case DW_OP_addr:
		return push(e, PLACE_FIXED, 0, op->number);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return push_indexed(di, attr, op, e);
	case DW_OP_const1u ... DW_OP_consts:
		return push(e, PLACE_NONE, 0, op->number);
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return push_indexed(di, attr, op, e);
	case DW_OP_plus_uconst:
		push(e, PLACE_NONE, 0, op->number);
		return add(e, false);
	case DW_OP_plus:
	case DW_OP_minus:
		return add(e, atom == DW_OP_minus);
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return thread_local(e);
	case DW_OP_deref:
		return dereference(e);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return push_entry(di, attr, op, e);
	case DW_OP_implicit_value:
		return push_implicit(di, attr, op, e);
	case DW_OP_stack_value:
		e->value = true;
		return;
	case DW_OP_nop:
		return;
	default:
		e->failed = true;
	}
}

/* Return what the place is of a variable whose value is a term; PLACE_NONE: it cannot be told. */
static enum place_kind value_kind(const struct term *t)
{
	switch (t->base) {
	case PLACE_NONE:
		return PLACE_CONSTANT;
	case PLACE_BASED:
		return PLACE_VALUE;
	case PLACE_FRAME:
		return PLACE_FRAME_VALUE;
	case PLACE_ENTRY_BASED:
		return PLACE_ENTRY_VALUE;
	case PLACE_POINTED:
		return t->offset ? PLACE_NONE : t->through;
	default:
		return PLACE_NONE;
	}
}

/* Turn the result of an evaluation into a place. */
static struct debug_place place_of(const struct evaluation *e)
{
	const struct term *t = &e->stack[0];
	struct debug_place p = { .kind = PLACE_NONE };

	if (e->failed || e->nr != 1)
		return p;
	p = (struct debug_place){ .kind = e->value ? value_kind(t) : t->base,
				  .reg = t->reg,
				  .offset = t->offset,
				  .through = t->through,
				  .inner = t->inner };
	if (!e->value && (t->base == PLACE_REGISTER) != e->in_register)
		p.kind = PLACE_NONE;
	/* the value that a pointer would have is in memory, where the pointer would be */
	if (e->value && t->base == PLACE_POINTED)
		p.offset = t->inner;
	return p;
}

size_t debug_places(struct debuginfo *di, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t nr,
		    const struct debug_place *frame, struct debug_place *out)
{
	struct evaluation e = { .nr = 0 };
	u32 part = 0;
	size_t found = 0;

	for (size_t i = 0; i < nr && found < DEBUG_PARTS_MAX; i++) {
		if (ops[i].atom != DW_OP_piece) {
			operation(di, attr, &ops[i], frame, &e);
			continue;
		}
		out[found] = place_of(&e);
		out[found].part = part;
		out[found].part_size = (u32)MIN(ops[i].number, (Dwarf_Word)UINT32_MAX);
		part += out[found].part_size;
		found += out[found].kind != PLACE_NONE;
		e = (struct evaluation){ .nr = 0 };
	}
	if (!part && found < DEBUG_PARTS_MAX) {
		out[found] = place_of(&e);
		found += out[found].kind != PLACE_NONE;
	}
	return found;
}
#endif
