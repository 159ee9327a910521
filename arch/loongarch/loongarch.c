// SPDX-License-Identifier: GPL-2.0-or-later
/* loongarch with 32 and with 64 bits. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/elf.h"
#include "arch/syscalls.h"

#include <elf.h>

/* The registers in the order of asm/perf_regs.h, with their DWARF numbers. */
static const struct arch_reg regs[] = {
	{ "PC", -1 },   { "%r1", 1 },   { "%r2", 2 },   { "%r3", 3 },   { "%r4", 4 },
	{ "%r5", 5 },   { "%r6", 6 },   { "%r7", 7 },   { "%r8", 8 },   { "%r9", 9 },
	{ "%r10", 10 }, { "%r11", 11 }, { "%r12", 12 }, { "%r13", 13 }, { "%r14", 14 },
	{ "%r15", 15 }, { "%r16", 16 }, { "%r17", 17 }, { "%r18", 18 }, { "%r19", 19 },
	{ "%r20", 20 }, { "%r21", 21 }, { "%r22", 22 }, { "%r23", 23 }, { "%r24", 24 },
	{ "%r25", 25 }, { "%r26", 26 }, { "%r27", 27 }, { "%r28", 28 }, { "%r29", 29 },
	{ "%r30", 30 }, { "%r31", 31 },
};

static const char *const names[] = { "loongarch*", NULL };

static const struct arch_elf elf[] = {
	{ .machine = EM_LOONGARCH, .syscalls = generic_syscalls },
};

const struct arch arch_loongarch = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.elf = elf,
	.nr_elf = ARRAY_SIZE(elf),
};
