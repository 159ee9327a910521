// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lengths of x86 instructions: prefixes, opcode map, ModRM with SIB and displacement, immediate
 * operand. The operation does not matter, except whether it is a branch.
 */
#include "base/compat.h"

#include "arch/insn.h"
#include "arch/x86/x86.h"

#include <errno.h>

/* The bytes that follow the opcode, and the kind of the instruction. */
enum {
	NONE,
	M = 1,     /* ModRM */
	I8 = 2,    /* one immediate byte */
	I16 = 4,   /* two immediate bytes */
	IZ = 8,    /* four bytes, or two with the operand-size prefix */
	IV = 16,   /* as IZ, but eight with REX.W */
	OFFS = 32, /* as long as an address */
	FAR = 64,  /* IZ and a segment */
	BAD = 128,
	BR = 256,   /* a branch */
	GRP3 = 512, /* the immediate is present only with the first two operations in ModRM */
	REL = 1024, /* four bytes, in 64-bit programs regardless of the operand size */
};

/* The one-byte opcodes from 0x60 on; those before follow a rule. */
static const u16 one_byte[0x100] = {
	[0x62 ... 0x63] = M,
	[0x64 ... 0x67] = BAD,
	[0x68] = IZ,
	[0x69] = M | IZ,
	[0x6a] = I8,
	[0x6b] = M | I8,
	[0x70 ... 0x7f] = I8 | BR,
	[0x80] = M | I8,
	[0x81] = M | IZ,
	[0x82 ... 0x83] = M | I8,
	[0x84 ... 0x8f] = M,
	[0x9a] = FAR | BR,
	[0xa0 ... 0xa3] = OFFS,
	[0xa8] = I8,
	[0xa9] = IZ,
	[0xb0 ... 0xb7] = I8,
	[0xb8 ... 0xbf] = IV,
	[0xc0 ... 0xc1] = M | I8,
	[0xc2] = I16 | BR,
	[0xc3] = BR,
	[0xc4 ... 0xc5] = M,
	[0xc6] = M | I8,
	[0xc7] = M | IZ,
	[0xc8] = I16 | I8,
	[0xca] = I16 | BR,
	[0xcb ... 0xcc] = BR,
	[0xcd] = I8 | BR,
	[0xce ... 0xcf] = BR,
	[0xd0 ... 0xd3] = M,
	[0xd4 ... 0xd5] = I8,
	[0xd6] = BAD,
	[0xd8 ... 0xdf] = M,
	[0xe0 ... 0xe3] = I8 | BR,
	[0xe4 ... 0xe7] = I8,
	[0xe8 ... 0xe9] = REL | BR,
	[0xea] = FAR | BR,
	[0xeb] = I8 | BR,
	[0xf0] = BAD,
	[0xf1] = BR,
	[0xf2 ... 0xf3] = BAD,
	[0xf6] = M | I8 | GRP3,
	[0xf7] = M | IZ | GRP3,
	[0xfe ... 0xff] = M,
};

/* Tell whether 64-bit programs do not have the opcode. */
static bool narrow_only(u8 op)
{
	switch (op) {
	case 0x60:
	case 0x61:
	case 0x82:
	case 0x9a:
	case 0xce:
	case 0xd4:
	case 0xd5:
	case 0xea:
		return true;
	default: /* operations on segment registers, decimal arithmetic */
		return op < 0x40 && (op & 7) >= 6;
	}
}

struct decode {
	const u8 *p, *end;
	bool wide, opsize, addrsize, rex_w, repne;
	u8 modrm;
};

static u32 one_byte_form(const struct decode *d, u8 op)
{
	if (d->wide && narrow_only(op))
		return BAD;
	if (op < 0x40)
		return (op & 7) < 4 ? M : (op & 7) == 4 ? I8 : (op & 7) == 5 ? IZ : NONE;
	return one_byte[op];
}

static u32 two_byte_form(const struct decode *d, u8 op)
{
	if ((op & 0xf0) == 0x80)
		return REL | BR;
	if ((op & 0xf8) == 0xc8 || (op >= 0x30 && op <= 0x37 && op != 0x34 && op != 0x35))
		return NONE;
	switch (op) {
	case 0x05:
	case 0x07:
	case 0x34:
	case 0x35:
		return BR; /* system calls and their returns */
	case 0x06:
	case 0x08:
	case 0x09:
	case 0x0b:
	case 0x0e:
	case 0x77:
	case 0xa0:
	case 0xa1:
	case 0xa2:
	case 0xa8:
	case 0xa9:
	case 0xaa:
		return NONE;
	case 0x04:
	case 0x0a:
	case 0x0c:
		return BAD;
	case 0x78: /* instructions of the vector unit with a prefix */
		return d->opsize || d->repne ? M | I16 : M;
	case 0x0f:
	case 0x70:
	case 0x71:
	case 0x72:
	case 0x73:
	case 0xa4:
	case 0xac:
	case 0xba:
	case 0xc2:
	case 0xc4:
	case 0xc5:
	case 0xc6:
		return M | I8;
	default:
		return M;
	}
}

static int skip(struct decode *d, size_t n)
{
	if ((size_t)(d->end - d->p) < n)
		return -EINVAL;
	d->p += n;
	return 0;
}

/* Read ModRM and what it requires (SIB, displacement). */
static int take_modrm(struct decode *d)
{
	u8 mod, rm;

	if (d->p == d->end)
		return -EINVAL;
	d->modrm = *d->p++;
	mod = d->modrm >> 6;
	rm = d->modrm & 7;
	if (mod == 3)
		return 0;
	if (!d->wide && d->addrsize)
		return skip(d, mod == 1 ? 1 : mod == 2 || rm == 6 ? 2 : 0);
	if (rm == 4) {
		if (d->p == d->end)
			return -EINVAL;
		rm = *d->p++ & 7;
	}
	return skip(d, mod == 1 ? 1 : mod == 2 || rm == 5 ? 4 : 0);
}

static int take_operands(struct decode *d, u32 form, struct insn *out)
{
	size_t z = d->opsize && !d->rex_w ? 2 : 4, n = 0;

	if (form & BAD || (form & M && take_modrm(d)))
		return -EINVAL;
	if (!(form & GRP3) || !(d->modrm & 0x30)) {
		n += form & I8 ? 1 : 0;
		n += form & I16 ? 2 : 0;
		n += form & IZ ? z : 0;
	}
	n += form & IV ? (d->rex_w ? 8 : z) : 0;
	if (form & OFFS)
		n += (d->wide ? 8 : 4) / (d->addrsize ? 2 : 1);
	n += form & FAR ? z + 2 : 0;
	n += form & REL ? (d->wide ? 4 : z) : 0;
	out->branch |= form & BR;
	return skip(d, n);
}

/*
 * Read the encodings of the vector unit: the map is in the prefix, which has @size bytes after its
 * first.
 */
static int take_vector(struct decode *d, u8 first, struct insn *out)
{
	size_t size = first == 0xc5 ? 1 : first == 0x62 ? 3 : 2;
	u8 map = 1, op;
	u32 form = M;

	if ((size_t)(d->end - d->p) <= size)
		return -EINVAL;
	if (first != 0xc5)
		map = first == 0x62 ? *d->p & 7 : *d->p & 0x1f;
	d->p += size;
	op = *d->p++;
	if (first == 0x8f) /* it has the maps 8, 9 and 10 */
		return take_operands(d, map == 8 ? M | I8 : map == 10 ? M | IZ : M, out);
	if (map == 1 && op == 0x77)
		form = NONE;
	else if (map == 3 ||
		 (map == 1 && ((op & 0xfc) == 0x70 || op == 0xc2 || (op >= 0xc4 && op <= 0xc6))))
		form = M | I8;
	return take_operands(d, form, out);
}

static bool take_prefix(struct decode *d, u8 op)
{
	switch (op) {
	case 0x66:
		d->opsize = true;
		return true;
	case 0x67:
		d->addrsize = true;
		return true;
	case 0xf2:
		d->repne = true;
		return true;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0xf0:
	case 0xf3:
		return true;
	default:
		return false;
	}
}

static bool is_vector(const struct decode *d, u8 op)
{
	u8 next = d->p < d->end ? *d->p : 0;

	if (op == 0x8f)
		return (next & 0x1f) >= 8;
	return (op == 0xc4 || op == 0xc5 || op == 0x62) && (d->wide || next >= 0xc0);
}

static int take_opcode(struct decode *d, u8 op, struct insn *out)
{
	u32 form;

	if (is_vector(d, op))
		return take_vector(d, op, out);
	if (op != 0x0f) {
		int ret = take_operands(d, one_byte_form(d, op), out);

		if (op == 0xff) /* indirect calls and jumps */
			out->branch = (d->modrm >> 3 & 7) >= 2 && (d->modrm >> 3 & 7) <= 5;
		return ret;
	}
	if (d->p == d->end)
		return -EINVAL;
	op = *d->p++;
	if (op == 0x38 || op == 0x3a) {
		form = op == 0x38 ? M : M | I8;
		return skip(d, 1) ? -EINVAL : take_operands(d, form, out);
	}
	return take_operands(d, two_byte_form(d, op), out);
}

int x86_insn_decode(const u8 *p, size_t size, bool wide, struct insn *out)
{
	struct decode d = { .p = p, .end = p + MIN(size, (size_t)INSN_MAX), .wide = wide };
	u8 op;

	do {
		if (d.p == d.end)
			return -EINVAL;
		op = *d.p++;
	} while (take_prefix(&d, op));
	if (wide && (op & 0xf0) == 0x40) {
		d.rex_w = op & 8;
		if (d.p == d.end)
			return -EINVAL;
		op = *d.p++;
	}
	if (take_opcode(&d, op, out))
		return -EINVAL;
	out->len = (u32)(d.p - p);
	return 0;
}
