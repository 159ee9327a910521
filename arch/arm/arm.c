// SPDX-License-Identifier: GPL-2.0-or-later
/* arm with 32 bits. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/elf.h"

#include <elf.h>

/* The registers in the order of asm/perf_regs.h, with their DWARF numbers. */
static const struct arch_reg regs[] = {
	{ "r0", 0 },  { "r1", 1 },  { "r2", 2 },  { "r3", 3 },  { "r4", 4 },   { "r5", 5 },
	{ "r6", 6 },  { "r7", 7 },  { "r8", 8 },  { "r9", 9 },  { "r10", 10 }, { "fp", 11 },
	{ "ip", 12 }, { "sp", 13 }, { "lr", 14 }, { "pc", 15 },
};

static const char *const names[] = { "arm*", NULL };

static const struct arch_elf elf[] = {
	{ .machine = EM_ARM,
	  .narrow = true,
	  .plt_header = 20,
	  .plt_entry = 12,
	  .marks = "atdx",
	  .thumb = true,
	  .reloc_word = R_ARM_ABS32 },
};

const struct arch arch_arm = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.elf = elf,
	.nr_elf = ARRAY_SIZE(elf),
	.core_pmu = "armv7_*",
	.cpu_model_key = "Processor",
};
