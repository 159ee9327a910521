// SPDX-License-Identifier: GPL-2.0-or-later
/* s390, of 64 bits. */
#include "base/compat.h"

#include "arch/arch-internal.h"

/* In the order of asm/perf_regs.h. */
static const struct arch_reg regs[] = {
	{ "R0", 0 },    { "R1", 1 },    { "R2", 2 },    { "R3", 3 },    { "R4", 4 },
	{ "R5", 5 },    { "R6", 6 },    { "R7", 7 },    { "R8", 8 },    { "R9", 9 },
	{ "R10", 10 },  { "R11", 11 },  { "R12", 12 },  { "R13", 13 },  { "R14", 14 },
	{ "R15", 15 },  { "FP0", 16 },  { "FP1", 20 },  { "FP2", 17 },  { "FP3", 21 },
	{ "FP4", 18 },  { "FP5", 22 },  { "FP6", 19 },  { "FP7", 23 },  { "FP8", 24 },
	{ "FP9", 28 },  { "FP10", 25 }, { "FP11", 29 }, { "FP12", 26 }, { "FP13", 30 },
	{ "FP14", 27 }, { "FP15", 31 }, { "MASK", 64 }, { "PC", 65 },
};

static const char *const names[] = { "s390*", NULL };

const struct arch arch_s390 = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
};
