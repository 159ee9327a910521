// SPDX-License-Identifier: GPL-2.0-or-later
/* csky with the second version of its calling convention, in which numbers of registers differ. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/elf.h"

#include <elf.h>

/* The registers in the order of asm/perf_regs.h, with their DWARF numbers. */
static const struct arch_reg regs[] = {
	{ "tls", 31 },      { "lr", 15 },       { "pc", -1 },       { "sr", -1 },
	{ "sp", 14 },       { "orig_a0", -1 },  { "a0", 0 },        { "a1", 1 },
	{ "a2", 2 },        { "a3", 3 },        { "regs0", 4 },     { "regs1", 5 },
	{ "regs2", 6 },     { "regs3", 7 },     { "regs4", 8 },     { "regs5", 9 },
	{ "regs6", 10 },    { "regs7", 11 },    { "regs8", 12 },    { "regs9", 13 },
	{ "exregs0", 16 },  { "exregs1", 17 },  { "exregs2", 18 },  { "exregs3", 19 },
	{ "exregs4", 20 },  { "exregs5", 21 },  { "exregs6", 22 },  { "exregs7", 23 },
	{ "exregs8", 24 },  { "exregs9", 25 },  { "exregs10", 26 }, { "exregs11", 27 },
	{ "exregs12", 28 }, { "exregs13", 29 }, { "exregs14", 30 }, { "hi", -1 },
	{ "lo", -1 },       { "dcsr", -1 },
};

static const char *const names[] = { "csky*", NULL };

static const struct arch_elf elf[] = {
	{ .machine = EM_CSKY, .narrow = true },
};

const struct arch arch_csky = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.elf = elf,
	.nr_elf = ARRAY_SIZE(elf),
};
