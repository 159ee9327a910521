// SPDX-License-Identifier: GPL-2.0-or-later
/* The instructions of call frame information (DWARF 5, 6.4.2), run up to one address. */
#include "base/compat.h"
#include "unwind/cfi.h"

#include "codec/leb.h"

/* The opcodes: three with an operand in their low bits, the others. */
enum {
	CFA_ADVANCE = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,

	CFA_NOP = 0x00,
	CFA_SET_LOC,
	CFA_ADVANCE1,
	CFA_ADVANCE2,
	CFA_ADVANCE4,
	CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED,
	CFA_UNDEFINED,
	CFA_SAME_VALUE,
	CFA_REGISTER,
	CFA_REMEMBER,
	CFA_RECALL,
	CFA_DEF,
	CFA_DEF_REGISTER,
	CFA_DEF_OFFSET,
	CFA_DEF_EXPR,
	CFA_EXPR,
	CFA_OFFSET_SF,
	CFA_DEF_SF,
	CFA_DEF_OFFSET_SF,
	CFA_VAL_OFFSET,
	CFA_VAL_OFFSET_SF,
	CFA_VAL_EXPR,
	CFA_NEGATE_RA_STATE = 0x2d, /* AArch64; of SPARC, where it is a window */
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

/* The most states that may be remembered at a time; compilers need one or two. */
#define DEPTH 8

/* One row of the table: the rules by register. */
struct row {
	bool cfa_is_expr, signed_ra;
	u64 cfa_reg;
	s64 cfa_offset;
	struct unw_expr cfa;
	struct unw_rule rule[UNW_REGS];
};

struct run {
	const struct cfi_section *s;
	const struct cfi_fde *fde;
	u64 loc, pc;
	struct row row, initial, kept[DEPTH];
	u32 nr_kept;
	bool past; /* an instruction has moved beyond pc */
	bool bad;
};

/* Rules of registers that nobody needs are read and dropped. */
static void set(struct run *r, u64 reg, u8 how, s64 offset, struct unw_expr expr)
{
	if (offset != (s32)offset)
		r->bad = true;
	if (reg < UNW_REGS)
		r->row.rule[reg] = (struct unw_rule){ (u8)reg, how, (s32)offset, expr };
}

static void set_plain(struct run *r, u64 reg, u8 how, s64 offset)
{
	set(r, reg, how, offset, (struct unw_expr){ 0 });
}

static void restore(struct run *r, u64 reg)
{
	if (reg < UNW_REGS)
		r->row.rule[reg] = r->initial.rule[reg];
}

static void advance(struct run *r, u64 delta)
{
	u64 to = r->loc + delta * r->fde->code_align;

	r->bad |= to < r->loc;
	r->past = to > r->pc;
	r->loc = to;
}

static struct unw_expr block(struct cur *c)
{
	u64 len = cur_uleb(c);
	const u8 *p = c->p;

	cur_skip(c, (size_t)MIN(len, (u64)SIZE_MAX));
	return (struct unw_expr){ p, (u32)len };
}

static s64 factored(const struct run *r, u64 n)
{
	return (s64)(n * (u64)r->fde->data_align);
}

static void def_cfa(struct run *r, u64 reg, s64 offset)
{
	r->row.cfa_is_expr = false;
	r->row.cfa_reg = reg;
	r->row.cfa_offset = offset;
}

static void set_loc(struct run *r, struct cur *c)
{
	u64 to = r->s->wide ? cur_u64(c) : cur_u32(c);

	/* Encoded pointers are relative here, which no compiler writes. */
	r->bad |= r->fde->encoding || to < r->loc;
	r->past = to > r->pc;
	r->loc = to;
}

static void states(struct run *r, u8 op)
{
	if (op == CFA_REMEMBER && r->nr_kept < DEPTH)
		r->kept[r->nr_kept++] = r->row;
	else if (op == CFA_RECALL && r->nr_kept)
		r->row = r->kept[--r->nr_kept];
	else
		r->bad = true;
}

/* Instructions that say how the CFA is found. Return: false when @op is another. */
static bool cfa_instruction(struct run *r, struct cur *c, u8 op)
{
	u64 reg;

	switch (op) {
	case CFA_DEF:
		reg = cur_uleb(c);
		def_cfa(r, reg, (s64)cur_uleb(c));
		return true;
	case CFA_DEF_SF:
		reg = cur_uleb(c);
		def_cfa(r, reg, factored(r, (u64)cur_sleb(c)));
		return true;
	case CFA_DEF_REGISTER:
		r->bad |= r->row.cfa_is_expr;
		r->row.cfa_reg = cur_uleb(c);
		return true;
	case CFA_DEF_OFFSET:
		r->row.cfa_offset = (s64)cur_uleb(c);
		return true;
	case CFA_DEF_OFFSET_SF:
		r->row.cfa_offset = factored(r, (u64)cur_sleb(c));
		return true;
	case CFA_DEF_EXPR:
		r->row.cfa_is_expr = true;
		r->row.cfa = block(c);
		return true;
	default:
		return false;
	}
}

/* Instructions that say where a register is. Return: false when @op is another. */
static bool register_instruction(struct run *r, struct cur *c, u8 op)
{
	u64 reg, from;

	if (op < CFA_OFFSET_EXTENDED || op == CFA_REMEMBER || op == CFA_RECALL ||
	    (op > CFA_VAL_EXPR && op != CFA_GNU_NEGATIVE_OFFSET))
		return false;
	reg = cur_uleb(c);
	switch (op) {
	case CFA_OFFSET_EXTENDED:
		set_plain(r, reg, UNW_AT_CFA, factored(r, cur_uleb(c)));
		break;
	case CFA_GNU_NEGATIVE_OFFSET:
		set_plain(r, reg, UNW_AT_CFA, -factored(r, cur_uleb(c)));
		break;
	case CFA_OFFSET_SF:
		set_plain(r, reg, UNW_AT_CFA, factored(r, (u64)cur_sleb(c)));
		break;
	case CFA_VAL_OFFSET:
		set_plain(r, reg, UNW_IS_CFA, factored(r, cur_uleb(c)));
		break;
	case CFA_VAL_OFFSET_SF:
		set_plain(r, reg, UNW_IS_CFA, factored(r, (u64)cur_sleb(c)));
		break;
	case CFA_RESTORE_EXTENDED:
		restore(r, reg);
		break;
	case CFA_UNDEFINED:
		set_plain(r, reg, UNW_UNDEFINED, 0);
		break;
	case CFA_SAME_VALUE:
		set_plain(r, reg, UNW_SAME, 0);
		break;
	case CFA_REGISTER:
		from = cur_uleb(c);
		set_plain(r, reg, UNW_REGISTER, (s64)MIN(from, (u64)UINT8_MAX));
		break;
	case CFA_EXPR:
		set(r, reg, UNW_AT_EXPR, 0, block(c));
		break;
	case CFA_VAL_EXPR:
		set(r, reg, UNW_IS_EXPR, 0, block(c));
		break;
	default:
		return false;
	}
	return true;
}

static void instruction(struct run *r, struct cur *c)
{
	u8 op = cur_u8(c), low = op & 0x3f;

	switch (op & 0xc0) {
	case CFA_ADVANCE:
		advance(r, low);
		return;
	case CFA_OFFSET:
		set_plain(r, low, UNW_AT_CFA, factored(r, cur_uleb(c)));
		return;
	case CFA_RESTORE:
		restore(r, low);
		return;
	}
	if (cfa_instruction(r, c, op) || register_instruction(r, c, op))
		return;
	switch (op) {
	case CFA_NOP:
		break;
	case CFA_SET_LOC:
		set_loc(r, c);
		break;
	case CFA_ADVANCE1:
		advance(r, cur_u8(c));
		break;
	case CFA_ADVANCE2:
		advance(r, cur_u16(c));
		break;
	case CFA_ADVANCE4:
		advance(r, cur_u32(c));
		break;
	case CFA_REMEMBER:
	case CFA_RECALL:
		states(r, op);
		break;
	case CFA_NEGATE_RA_STATE:
		r->row.signed_ra = !r->row.signed_ra;
		break;
	case CFA_GNU_ARGS_SIZE:
		cur_uleb(c);
		break;
	default:
		r->bad = true;
	}
}

static void run(struct run *r, struct unw_expr program)
{
	struct cur c = cur_make(program.ops, program.len, r->s->swap);

	while (!r->bad && !r->past && cur_left(&c)) {
		instruction(r, &c);
		r->bad |= !cur_ok(&c);
	}
}

void cfi_rules(const struct cfi_section *s, const struct cfi_fde *fde, u64 pc,
	       struct unw_rules *out)
{
	struct run r;

	r.s = s;
	r.fde = fde;
	r.loc = fde->start;
	r.pc = pc;
	r.nr_kept = 0;
	r.past = r.bad = false;
	memset(&r.row, 0, sizeof(r.row));
	memset(&r.initial, 0, sizeof(r.initial));
	run(&r, fde->initial);
	r.initial = r.row;
	if (!r.past)
		run(&r, fde->own);
	*out = (struct unw_rules){
		.valid = !r.bad && (r.row.cfa_is_expr || r.row.cfa_reg < UNW_REGS),
		.signal = fde->signal,
		.signed_ra = r.row.signed_ra,
		.cfa_is_expr = r.row.cfa_is_expr,
		.cfa_reg = (u8)r.row.cfa_reg,
		.cfa_offset = r.row.cfa_offset,
		.cfa = r.row.cfa,
		.ra = fde->ra,
	};
	for (u32 i = 0; i < UNW_REGS; i++)
		if (r.row.rule[i].how != UNW_SAME)
			out->rule[out->nr++] = r.row.rule[i];
}
