// SPDX-License-Identifier: GPL-2.0-or-later
/* powerpc with 32 and with 64 bits, in either byte order. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/elf.h"
#include "arch/cpuinfo.h"
#include "base/alloc.h"

#include <elf.h>

/* The registers in the order of asm/perf_regs.h, with their DWARF numbers. */
static const struct arch_reg regs[] = {
	{ "r0", 0 },     { "r1", 1 },     { "r2", 2 },     { "r3", 3 },     { "r4", 4 },
	{ "r5", 5 },     { "r6", 6 },     { "r7", 7 },     { "r8", 8 },     { "r9", 9 },
	{ "r10", 10 },   { "r11", 11 },   { "r12", 12 },   { "r13", 13 },   { "r14", 14 },
	{ "r15", 15 },   { "r16", 16 },   { "r17", 17 },   { "r18", 18 },   { "r19", 19 },
	{ "r20", 20 },   { "r21", 21 },   { "r22", 22 },   { "r23", 23 },   { "r24", 24 },
	{ "r25", 25 },   { "r26", 26 },   { "r27", 27 },   { "r28", 28 },   { "r29", 29 },
	{ "r30", 30 },   { "r31", 31 },   { "nip", -1 },   { "msr", -1 },   { "orig_r3", -1 },
	{ "ctr", 66 },   { "link", 65 },  { "xer", 76 },   { "ccr", 64 },   { "softe", -1 },
	{ "trap", -1 },  { "dar", -1 },   { "dsisr", -1 }, { "sier", -1 },  { "mmcra", -1 },
	{ "mmcr0", -1 }, { "mmcr1", -1 }, { "mmcr2", -1 }, { "mmcr3", -1 }, { "sier2", -1 },
	{ "sier3", -1 }, { "pmc1", -1 },  { "pmc2", -1 },  { "pmc3", -1 },  { "pmc4", -1 },
	{ "pmc5", -1 },  { "pmc6", -1 },  { "sdar", -1 },  { "siar", -1 },
};

static const char *const names[] = { "ppc*", "powerpc*", NULL };

/* The version register stands in a line "revision : 2.2 (pvr 004e 1202)". */
static char *cpuid(const struct sysroot *sr, const char *cpuinfo)
{
	char *line = cpuinfo_value(cpuinfo, "revision"), *at = line ? strstr(line, "pvr ") : NULL;
	unsigned int high, low;
	char *v = NULL;

	(void)sr;
	if (at && sscanf(at, "pvr %4x %4x", &high, &low) == 2)
		v = xasprintf("%04x%04x", high, low);
	free(line);
	return v;
}

static const struct arch_elf elf[] = {
	{ .machine = EM_PPC64, .reloc_word = R_PPC64_ADDR32, .reloc_long = R_PPC64_ADDR64 },
	{ .machine = EM_PPC, .narrow = true, .reloc_word = R_PPC_ADDR32 },
};

const struct arch arch_powerpc = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.elf = elf,
	.nr_elf = ARRAY_SIZE(elf),
	.stage_cycles = true,
	.cpu_model_key = "cpu",
	.cpuid = cpuid,
};
