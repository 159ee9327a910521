// SPDX-License-Identifier: GPL-2.0-or-later
/* arm64, which uname calls aarch64. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/elf.h"
#include "arch/frames.h"
#include "arch/syscalls.h"
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

#define STP_FP_LR 0xa9807bfd /* stp x29, x30, [sp, #n]! */
#define STP_FP_LR_MASK 0xffc07fff
#define LOOK_AT 16 /* instructions that may stand before it */

/* A function that calls others saves the frame pointer and the link register first. Until then, and
 * in a function that never does, the return address is in the link register. */
static bool arm64_place(const u8 *code, size_t len, size_t at, struct arch_place *out)
{
	*out = (struct arch_place){ .base = 31 };
	for (size_t pos = 0; pos < at && pos + 4 <= len && pos < LOOK_AT * 4; pos += 4) {
		u32 insn = code[pos] | (u32)code[pos + 1] << 8 | (u32)code[pos + 2] << 16 |
			   (u32)code[pos + 3] << 24;
		s32 size;

		if ((insn & STP_FP_LR_MASK) != STP_FP_LR)
			continue;
		size = -((s32)(insn << 10) >> 25) * 8;
		/* The next instruction makes x29 point at the two. */
		*out = (struct arch_place){ .base = at > pos + 4 ? 29 : 31,
					    .cfa = size,
					    .ra_saved = true,
					    .fp_saved = true,
					    .ra = 8 - size,
					    .fp = -size };
		return size > 0;
	}
	return at <= len;
}

/* mov x8, #139; svc #0. The table of the vdso tells of this code only what frame pointers need. */
static const u8 sigreturn[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };
/* Behind a siginfo_t, the head of struct ucontext and the address of a fault. */
#define X(i) (312 + 8 * (i))
static const s16 sigframe[] = {
	X(0),  X(1),  X(2),  X(3),  X(4),  X(5),  X(6),  X(7),  X(8),  X(9),  X(10),
	X(11), X(12), X(13), X(14), X(15), X(16), X(17), X(18), X(19), X(20), X(21),
	X(22), X(23), X(24), X(25), X(26), X(27), X(28), X(29), X(30), X(31), X(32),
};

/* Functions give back x19 to x29 and sp. */
static const struct arch_frames frames = {
	.regs = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.word = 8,
	.sp = 31,
	.fp = 29,
	.ip = 30,
	.pc = 32,
	.link = true,
	.saved = 0xbff80000,
	.address = (1ULL << 48) - 1,
	.sigreturn = sigreturn,
	.sigreturn_len = sizeof(sigreturn),
	.sigframe = sigframe,
	.nr_sigframe = ARRAY_SIZE(sigframe),
	.place = arm64_place,
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
	{ .machine = EM_AARCH64,
	  .plt_header = 32,
	  .plt_entry = 16,
	  .marks = "atdx",
	  .reloc_word = R_AARCH64_ABS32,
	  .reloc_long = R_AARCH64_ABS64,
	  .syscalls = generic_syscalls },
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
	.frames = &frames,
	.link_reg = 30,
	.core_pmu = "armv8_*",
	.cpu_model_key = "Processor",
	.cpuid = cpuid,
	.cpuid_compare = cpuid_compare,
};
