// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64. */
#include "base/compat.h"

#include "arch/arch-internal.h"

/* In the order of asm/perf_regs.h. */
static const struct arch_reg regs[] = {
	{ "x0", 0 },   { "x1", 1 },   { "x2", 2 },   { "x3", 3 },         { "x4", 4 },
	{ "x5", 5 },   { "x6", 6 },   { "x7", 7 },   { "x8", 8 },         { "x9", 9 },
	{ "x10", 10 }, { "x11", 11 }, { "x12", 12 }, { "x13", 13 },       { "x14", 14 },
	{ "x15", 15 }, { "x16", 16 }, { "x17", 17 }, { "x18", 18 },       { "x19", 19 },
	{ "x20", 20 }, { "x21", 21 }, { "x22", 22 }, { "x23", 23 },       { "x24", 24 },
	{ "x25", 25 }, { "x26", 26 }, { "x27", 27 }, { "x28", 28 },       { "x29", 29 },
	{ "lr", 30 },  { "sp", 31 },  { "pc", 32 },  [46] = { "vg", 46 },
};

static const char *const names[] = { "aarch64*", "arm64*", NULL };

const struct arch arch_arm64 = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.sample_regs = (1ULL << 33) - 1,
	.unwind_regs = 3ULL << 31,
	.link_reg = 30,
};
