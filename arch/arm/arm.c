// SPDX-License-Identifier: GPL-2.0-or-later
/* arm, of 32 bits. */
#include "base/compat.h"

#include "arch/arch-internal.h"

/* In the order of asm/perf_regs.h. */
static const struct arch_reg regs[] = {
	{ "r0", 0 },  { "r1", 1 },  { "r2", 2 },  { "r3", 3 },  { "r4", 4 },   { "r5", 5 },
	{ "r6", 6 },  { "r7", 7 },  { "r8", 8 },  { "r9", 9 },  { "r10", 10 }, { "fp", 11 },
	{ "ip", 12 }, { "sp", 13 }, { "lr", 14 }, { "pc", 15 },
};

static const char *const names[] = { "arm*", NULL };

const struct arch arch_arm = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
};
