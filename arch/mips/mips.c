// SPDX-License-Identifier: GPL-2.0-or-later
/* mips with 32 and with 64 bits. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/elf.h"

#include <elf.h>

/* The registers in the order of asm/perf_regs.h, with their DWARF numbers. */
static const struct arch_reg regs[] = {
	{ "PC", -1 },         { "$1", 1 },          { "$2", 2 },          { "$3", 3 },
	{ "$4", 4 },          { "$5", 5 },          { "$6", 6 },          { "$7", 7 },
	{ "$8", 8 },          { "$9", 9 },          { "$10", 10 },        { "$11", 11 },
	{ "$12", 12 },        { "$13", 13 },        { "$14", 14 },        { "$15", 15 },
	{ "$16", 16 },        { "$17", 17 },        { "$18", 18 },        { "$19", 19 },
	{ "$20", 20 },        { "$21", 21 },        { "$22", 22 },        { "$23", 23 },
	{ "$24", 24 },        { "$25", 25 },        [28] = { "$28", 28 }, [29] = { "$29", 29 },
	[30] = { "$30", 30 }, [31] = { "$31", 31 },
};

static const char *const names[] = { "mips*", NULL };

static const struct arch_elf elf[] = {
	{ .machine = EM_MIPS, .narrow = true },
};

const struct arch arch_mips = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.elf = elf,
	.nr_elf = ARRAY_SIZE(elf),
};
