// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the frame of a function is, from its code: the instructions from its start on are passed
 * one by one, and those that move the stack pointer counted. Jumps are not followed, so the answer
 * is that of code which is written down in the order in which it runs; but code behind a return has
 * the frame that was there before the return took it down.
 */
#include "base/compat.h"

#include "arch/frames.h"
#include "arch/insn.h"
#include "arch/x86/x86.h"

#define SP 4 /* numbers of registers in instructions */
#define BP 5

struct frame {
	s32 depth; /* bytes between the stack pointer and the canonical frame address */
	s32 fp_at; /* the depth at which the frame pointer was saved; 0: it was not */
	s32 fp_is; /* the depth at which it was set; 0: it was not */
	bool lost; /* the stack pointer was set to something that is not known */
};

struct walk {
	bool wide;
	s32 word;
	struct frame now;
	struct frame body; /* when @leaving: what it was before */
	bool leaving;      /* the frame is being taken down */
};

/* An instruction without its prefixes. */
struct parts {
	const u8 *op;
	size_t len; /* of what follows the prefixes */
	bool b, r;  /* REX.B and REX.R */
};

static struct parts parts_of(const struct walk *w, const u8 *p, size_t len)
{
	struct parts x = { p, len, false, false };

	while (x.len > 1 && (*x.op == 0xf2 || *x.op == 0xf3 || *x.op == 0x66 || *x.op == 0x3e)) {
		x.op++;
		x.len--;
	}
	if (w->wide && x.len > 1 && (*x.op & 0xf0) == 0x40) {
		x.b = *x.op & 1;
		x.r = *x.op & 4;
		x.op++;
		x.len--;
	}
	return x;
}

static s32 immediate(const u8 *p, size_t len)
{
	s32 v;

	if (len == 1)
		return (s8)*p;
	memcpy(&v, p, sizeof(v));
	return v;
}

static void push(struct walk *w, bool is_fp)
{
	w->now.depth += w->word;
	if (is_fp && !w->now.fp_at)
		w->now.fp_at = w->now.depth;
}

static void pop(struct walk *w, bool is_fp)
{
	w->now.depth -= w->word;
	if (is_fp)
		w->now.fp_at = w->now.fp_is = 0;
}

/* mov between the stack pointer and the frame pointer, as 89 and 8b write it. */
static void move(struct walk *w, const struct parts *x)
{
	u8 modrm = x->op[1], reg = modrm >> 3 & 7, rm = modrm & 7;
	u8 from = *x->op == 0x89 ? reg : rm, to = *x->op == 0x89 ? rm : reg;

	if (modrm >> 6 != 3 || x->b || x->r)
		return;
	if (from == SP && to == BP)
		w->now.fp_is = w->now.depth;
	else if (to == SP && from == BP && w->now.fp_is)
		w->now.depth = w->now.fp_is;
	else if (to == SP)
		w->now.lost = true;
}

/* add, sub and and with an immediate operand. */
static void arithmetic(struct walk *w, const struct parts *x)
{
	u8 modrm = x->op[1], what = modrm >> 3 & 7;
	size_t len = *x->op == 0x83 ? 1 : 4;
	s32 by;

	if (modrm >> 6 != 3 || (modrm & 7) != SP || x->b || x->len < 2 + len)
		return;
	by = immediate(x->op + 2, len);
	if (what == 5)
		w->now.depth += by;
	else if (what == 0)
		w->now.depth -= by;
	else if (what != 7) /* cmp */
		w->now.lost = true;
}

/* lea with the stack pointer as its target. */
static void address(struct walk *w, const struct parts *x)
{
	u8 modrm = x->op[1];
	size_t len = modrm >> 6 == 1 ? 1 : 4;

	if ((modrm >> 3 & 7) != SP || x->r)
		return;
	if ((modrm & 7) == SP && x->op[2] == 0x24 && modrm >> 6 && modrm >> 6 != 3 &&
	    x->len >= 3 + len)
		w->now.depth -= immediate(x->op + 3, len);
	else if ((modrm & 7) == BP && modrm >> 6 == 1 && w->now.fp_is && !x->b)
		w->now.depth = w->now.fp_is - immediate(x->op + 2, 1);
	else
		w->now.lost = true;
}

static void instruction(struct walk *w, const struct parts *x)
{
	u8 op = *x->op;

	if (op >= 0x50 && op <= 0x57) {
		push(w, op == 0x50 + BP && !x->b);
	} else if (op >= 0x58 && op <= 0x5f) {
		pop(w, op == 0x58 + BP && !x->b);
		w->now.lost |= op == 0x58 + SP && !x->b;
	} else if (op == 0x68 || op == 0x6a || op == 0x9c) { /* push an immediate, the flags */
		push(w, false);
	} else if (op == 0x9d) {
		pop(w, false);
	} else if (op == 0xc9) { /* leave */
		w->now.lost |= !w->now.fp_is;
		w->now.depth = w->now.fp_is;
		pop(w, true);
	} else if (x->len < 2) {
		return;
	} else if (op == 0x89 || op == 0x8b) {
		move(w, x);
	} else if (op == 0x81 || op == 0x83) {
		arithmetic(w, x);
	} else if (op == 0x8d && x->len > 2) {
		address(w, x);
	} else if (op == 0xff && (x->op[1] >> 3 & 7) == 6) {
		push(w, false);
	} else if (op == 0x8f) {
		pop(w, false);
	}
}

/* Tell whether the code does not go on behind an instruction: it returns or jumps. */
static bool is_end(const struct parts *x)
{
	u8 op = *x->op;

	return op == 0xc2 || op == 0xc3 || op == 0xe9 || op == 0xeb ||
	       (op == 0xff && x->len > 1 && (x->op[1] >> 3 & 7) == 4);
}

static void pass(struct walk *w, const struct parts *x, bool branch)
{
	struct frame before = w->now;

	instruction(w, x);
	if (w->now.depth < before.depth && !w->leaving) {
		w->body = before;
		w->leaving = true;
	}
	if (is_end(x) && w->leaving)
		w->now = w->body;
	if (branch || w->now.depth > before.depth)
		w->leaving = false;
}

static bool place(bool wide, const u8 *code, size_t len, size_t at, struct arch_place *out)
{
	struct walk w = { .wide = wide, .word = wide ? 8 : 4 };
	const struct frame *f = &w.now;
	u8 sp = wide ? 7 : 4, fp = wide ? 6 : 5;
	bool known = true;
	size_t pos = 0;

	w.now.depth = w.word;
	while (pos < at) {
		struct insn insn = { 0 };
		struct parts x;

		known = !x86_insn_decode(code + pos, len - pos, wide, &insn) && insn.len;
		if (!known || insn.len > at - pos) /* @at is within it: it has not run */
			break;
		x = parts_of(&w, code + pos, insn.len);
		pass(&w, &x, insn.branch);
		pos += insn.len;
	}
	/* Where there is a frame pointer, it holds for the rest of the function, whatever calls and
	 * unknown instructions do to the stack pointer. */
	if (!f->fp_is && (!known || f->lost || f->depth < w.word))
		return false;
	*out = (struct arch_place){ .base = f->fp_is ? fp : sp,
				    .cfa = f->fp_is ? f->fp_is : f->depth,
				    .ra_saved = true,
				    .ra = -w.word,
				    .fp_saved = f->fp_at,
				    .fp = -f->fp_at };
	return true;
}

bool x86_place(const u8 *code, size_t len, size_t at, struct arch_place *out)
{
	return place(true, code, len, at, out);
}

bool x86_narrow_place(const u8 *code, size_t len, size_t at, struct arch_place *out)
{
	return place(false, code, len, at, out);
}
