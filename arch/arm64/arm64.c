// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64, which uname calls aarch64. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/elf.h"
#include "base/alloc.h"
#include "base/sysroot.h"

#include <elf.h>

#define CPU_MAX 1024 /* the most CPUs whose identification register is read */

/* The bits of that register that tell the variant and the revision of the processor. */
#define VARIANT 0xf00000ULL
#define REVISION 0xfULL

/* The registers in the order of asm/perf_regs.h, with their DWARF numbers. */
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

/* The first CPU whose identification register can be read stands for all. */
static char *cpuid(const struct sysroot *sr, const char *cpuinfo)
{
	struct strbuf sb = STRBUF_INIT;
	u64 v = 0;

	(void)cpuinfo;
	for (int cpu = 0; cpu < CPU_MAX && !v; cpu++) {
		strbuf_reset(&sb);
		if (!sysroot_read(sr, &sb,
				  "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
				  cpu))
			v = strtoull(strbuf_str(&sb), NULL, 16);
	}
	strbuf_release(&sb);
	return v ? xasprintf("0x%016" PRIx64, v & ~(u64)(VARIANT | REVISION)) : NULL;
}

/* Tell whether @cpuid is the processor @want in the same revision or a later one. */
static int cpuid_compare(const char *want, const char *cpuid)
{
	const u64 both = VARIANT | REVISION;
	char *end, *end2;
	u64 w = strtoull(want, &end, 16), c = strtoull(cpuid, &end2, 16);

	if (strncmp(want, "0x", 2) || *end || strncmp(cpuid, "0x", 2) || *end2)
		return -1;
	return (w | both) == (c | both) && (c & both) >= (w & both);
}

static const struct arch_elf elf[] = {
	{ .machine = EM_AARCH64, .plt_header = 32, .plt_entry = 16, .marks = "atdx" },
};

const struct arch arch_arm64 = {
	.unames = names,
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.elf = elf,
	.nr_elf = ARRAY_SIZE(elf),
	.also_runs = EM_ARM,
	.code = ARCH_CODE_ARM64,
	.bpf_ip_known = true,
	.bpf_ip = 32 * 8,
	.sample_regs = (1ULL << 33) - 1,
	.unwind_regs = 3ULL << 31,
	.link_reg = 30,
	.core_pmu = "armv8_*",
	.cpu_model_key = "Processor",
	.cpuid = cpuid,
	.cpuid_compare = cpuid_compare,
};
