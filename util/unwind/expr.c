// SPDX-License-Identifier: GPL-2.0-or-later
/* Expressions in call frame information: those of PLTs, of signal frames, of aligned stacks. */
#include "base/compat.h"
#include "unwind/cfi.h"
#include "unwind/step.h"

#include "codec/leb.h"

#define DEPTH 64   /* values on the stack */
#define STEPS 1000 /* operations, so that damaged loops end */

enum {
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST1S,
	OP_CONST2U,
	OP_CONST2S,
	OP_CONST4U,
	OP_CONST4S,
	OP_CONST8U,
	OP_CONST8S,
	OP_CONSTU,
	OP_CONSTS,
	OP_DUP,
	OP_DROP,
	OP_OVER,
	OP_PICK,
	OP_SWAP,
	OP_ROT,
	OP_ABS = 0x19,
	OP_AND,
	OP_DIV,
	OP_MINUS,
	OP_MOD,
	OP_MUL,
	OP_NEG,
	OP_NOT,
	OP_OR,
	OP_PLUS,
	OP_PLUS_UCONST,
	OP_SHL,
	OP_SHR,
	OP_SHRA,
	OP_XOR,
	OP_BRA,
	OP_EQ,
	OP_GE,
	OP_GT,
	OP_LE,
	OP_LT,
	OP_NE,
	OP_SKIP,
	OP_LIT0,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_BREGX = 0x92,
	OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96,
};

struct eval {
	const struct unw_frame *f;
	struct unw_memory *m;
	struct unw_expr e;
	struct cur c;
	u64 v[DEPTH];
	u32 nr;
	enum unw_step failed; /* UNW_CALLER: nothing has */
};

static void fail(struct eval *ev, enum unw_step why)
{
	if (ev->failed == UNW_CALLER)
		ev->failed = why;
}

static void push(struct eval *ev, u64 v)
{
	if (ev->nr == DEPTH)
		fail(ev, UNW_LOST);
	else
		ev->v[ev->nr++] = v;
}

static u64 pop(struct eval *ev)
{
	if (ev->nr)
		return ev->v[--ev->nr];
	fail(ev, UNW_LOST);
	return 0;
}

static void push_register(struct eval *ev, u64 reg, s64 offset)
{
	if (reg >= UNW_REGS || !(ev->f->known >> reg & 1))
		fail(ev, UNW_LOST);
	else
		push(ev, ev->f->reg[reg] + (u64)offset);
}

static void deref(struct eval *ev, u32 size)
{
	u64 at = pop(ev), v = 0;

	if (!size || size > ev->m->word)
		fail(ev, UNW_LOST);
	else if (!unw_read(ev->m, at, &v))
		fail(ev, UNW_BEYOND);
	else
		push(ev, size == 8 ? v : v & ((1ULL << 8 * size) - 1));
}

/* Return: false when @op is no constant. */
static bool constant(struct eval *ev, u8 op)
{
	struct cur *c = &ev->c;

	switch (op) {
	case OP_CONST1U:
		push(ev, cur_u8(c));
		return true;
	case OP_CONST1S:
		push(ev, (u64)(s64)(s8)cur_u8(c));
		return true;
	case OP_CONST2U:
		push(ev, cur_u16(c));
		return true;
	case OP_CONST2S:
		push(ev, (u64)(s64)(s16)cur_u16(c));
		return true;
	case OP_CONST4U:
		push(ev, cur_u32(c));
		return true;
	case OP_CONST4S:
		push(ev, (u64)(s64)(s32)cur_u32(c));
		return true;
	case OP_CONST8U:
	case OP_CONST8S:
		push(ev, cur_u64(c));
		return true;
	case OP_CONSTU:
		push(ev, cur_uleb(c));
		return true;
	case OP_CONSTS:
		push(ev, (u64)cur_sleb(c));
		return true;
	}
	if (op < OP_LIT0 || op > OP_LIT31)
		return false;
	push(ev, (u64)op - OP_LIT0);
	return true;
}

static void pick(struct eval *ev, u32 depth)
{
	if (depth < ev->nr)
		push(ev, ev->v[ev->nr - 1 - depth]);
	else
		fail(ev, UNW_LOST);
}

/* Return: false when @op does not rearrange the stack. */
static bool rearrange(struct eval *ev, u8 op)
{
	u64 a, b, c;

	switch (op) {
	case OP_DUP:
		pick(ev, 0);
		return true;
	case OP_DROP:
		pop(ev);
		return true;
	case OP_OVER:
		pick(ev, 1);
		return true;
	case OP_PICK:
		pick(ev, cur_u8(&ev->c));
		return true;
	case OP_SWAP:
		a = pop(ev);
		b = pop(ev);
		push(ev, a);
		push(ev, b);
		return true;
	case OP_ROT:
		a = pop(ev);
		b = pop(ev);
		c = pop(ev);
		push(ev, a);
		push(ev, c);
		push(ev, b);
		return true;
	}
	return false;
}

/* Return: false when @op is no operation on one value. */
static bool unary(struct eval *ev, u8 op)
{
	u64 a;

	switch (op) {
	case OP_ABS:
		a = pop(ev);
		push(ev, (s64)a < 0 ? -a : a);
		return true;
	case OP_NEG:
		push(ev, -pop(ev));
		return true;
	case OP_NOT:
		push(ev, ~pop(ev));
		return true;
	case OP_PLUS_UCONST:
		a = pop(ev);
		push(ev, a + cur_uleb(&ev->c));
		return true;
	}
	return false;
}

static bool is_binary(u8 op)
{
	return op >= OP_AND && op <= OP_NE && op != OP_NEG && op != OP_NOT &&
	       op != OP_PLUS_UCONST && op != OP_BRA;
}

static u64 binary(struct eval *ev, u8 op, u64 a, u64 b)
{
	s64 x = (s64)a, y = (s64)b;

	switch (op) {
	case OP_AND:
		return a & b;
	case OP_OR:
		return a | b;
	case OP_XOR:
		return a ^ b;
	case OP_PLUS:
		return a + b;
	case OP_MINUS:
		return a - b;
	case OP_MUL:
		return a * b;
	case OP_SHL:
		return b < 64 ? a << b : 0;
	case OP_SHR:
		return b < 64 ? a >> b : 0;
	case OP_SHRA:
		return (u64)(x >> MIN(b, 63ULL));
	case OP_EQ:
		return x == y;
	case OP_NE:
		return x != y;
	case OP_GE:
		return x >= y;
	case OP_GT:
		return x > y;
	case OP_LE:
		return x <= y;
	case OP_LT:
		return x < y;
	}
	if (!b || (x == INT64_MIN && y == -1)) { /* OP_DIV and OP_MOD */
		fail(ev, UNW_LOST);
		return 0;
	}
	return op == OP_DIV ? (u64)(x / y) : a % b;
}

static void jump(struct eval *ev, bool taken)
{
	s16 by = (s16)cur_u16(&ev->c);
	s64 at = ev->c.p - ev->e.ops + (s64)by;

	if (!taken)
		return;
	if (at < 0 || at > (s64)ev->e.len)
		fail(ev, UNW_LOST);
	else
		ev->c.p = ev->e.ops + at;
}

static void operation(struct eval *ev)
{
	u8 op = cur_u8(&ev->c);
	u64 a, b;

	if (constant(ev, op) || rearrange(ev, op) || unary(ev, op))
		return;
	if (is_binary(op)) {
		b = pop(ev);
		a = pop(ev);
		push(ev, binary(ev, op, a, b));
	} else if (op >= OP_BREG0 && op <= OP_BREG31) {
		push_register(ev, (u64)op - OP_BREG0, cur_sleb(&ev->c));
	} else if (op == OP_BREGX) {
		a = cur_uleb(&ev->c);
		push_register(ev, a, cur_sleb(&ev->c));
	} else if (op == OP_DEREF) {
		deref(ev, ev->m->word);
	} else if (op == OP_DEREF_SIZE) {
		deref(ev, cur_u8(&ev->c));
	} else if (op == OP_SKIP) {
		jump(ev, true);
	} else if (op == OP_BRA) {
		jump(ev, pop(ev));
	} else if (op != OP_NOP) {
		fail(ev, UNW_LOST);
	}
}

enum unw_step unw_eval(struct unw_expr e, const struct unw_frame *f, struct unw_memory *m,
		       const u64 *first, u64 *v)
{
	struct eval ev;

	ev.f = f;
	ev.m = m;
	ev.e = e;
	ev.c = cur_make(e.ops, e.len, m->swap);
	ev.nr = 0;
	ev.failed = UNW_CALLER;
	if (first)
		push(&ev, *first);
	for (u32 i = 0; cur_left(&ev.c) && ev.failed == UNW_CALLER; i++) {
		operation(&ev);
		if (i == STEPS || !cur_ok(&ev.c))
			fail(&ev, UNW_LOST);
	}
	*v = pop(&ev);
	return ev.failed;
}
