// SPDX-License-Identifier: GPL-2.0-or-later
/* riscv with 32 and with 64 bits. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/elf.h"
#include "arch/cpuinfo.h"
#include "arch/syscalls.h"

#include <elf.h>

/* The registers in the order of asm/perf_regs.h, with their DWARF numbers. */
static const struct arch_reg regs[] = {
	{ "pc", -1 }, { "ra", 1 },  { "sp", 2 },   { "gp", 3 },   { "tp", 4 },  { "t0", 5 },
	{ "t1", 6 },  { "t2", 7 },  { "s0", 8 },   { "s1", 9 },   { "a0", 10 }, { "a1", 11 },
	{ "a2", 12 }, { "a3", 13 }, { "a4", 14 },  { "a5", 15 },  { "a6", 16 }, { "a7", 17 },
	{ "s2", 18 }, { "s3", 19 }, { "s4", 20 },  { "s5", 21 },  { "s6", 22 }, { "s7", 23 },
	{ "s8", 24 }, { "s9", 25 }, { "s10", 26 }, { "s11", 27 }, { "t3", 28 }, { "t4", 29 },
	{ "t5", 30 }, { "t6", 31 },
};

static const char *const names[] = { "riscv*", NULL };

static char *cpuid(const struct sysroot *sr, const char *cpuinfo)
{
	static const char *const keys[] = { "mvendorid", "marchid", "mimpid", NULL };

	(void)sr;
	return cpuinfo_joined(cpuinfo, keys, "-");
}

static const struct arch_elf elf[] = {
	{ .machine = EM_RISCV,
	  .plt_header = 32,
	  .plt_entry = 16,
	  .marks = "atdx",
	  .marks_any_tail = true,
	  .syscalls = generic_syscalls },
};

const struct arch arch_riscv = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.elf = elf,
	.nr_elf = ARRAY_SIZE(elf),
	.cpu_model_key = "uarch",
	.cpuid = cpuid,
};
