// SPDX-License-Identifier: GPL-2.0-or-later
/* x86 with 64 and with 32 bits: the register names are the same, the DWARF numbers differ. */
#include "base/compat.h"

#include "arch/arch-internal.h"
#include "arch/cpuinfo.h"
#include "arch/elf.h"
#include "arch/frames.h"
#include "arch/x86/x86.h"
#include "base/alloc.h"

#include <elf.h>

/* Rows in the order of asm/perf_regs.h: name, DWARF number in programs of 64 bits and of 32 bits
 * (from the System V ABI). */
#define REGISTERS(R)                                                                               \
	R("AX", 0, 0)                                                                              \
	R("BX", 3, 3)                                                                              \
	R("CX", 2, 1)                                                                              \
	R("DX", 1, 2)                                                                              \
	R("SI", 4, 6)                                                                              \
	R("DI", 5, 7)                                                                              \
	R("BP", 6, 5)                                                                              \
	R("SP", 7, 4)                                                                              \
	R("IP", 16, 8)                                                                             \
	R("FLAGS", 49, 9)                                                                          \
	R("CS", 51, 41)                                                                            \
	R("SS", 52, 42)                                                                            \
	R("DS", 53, 43)                                                                            \
	R("ES", 50, 40)                                                                            \
	R("FS", 54, 44)                                                                            \
	R("GS", 55, 45)                                                                            \
	R("R8", 8, -1)                                                                             \
	R("R9", 9, -1)                                                                             \
	R("R10", 10, -1)                                                                           \
	R("R11", 11, -1)                                                                           \
	R("R12", 12, -1)                                                                           \
	R("R13", 13, -1)                                                                           \
	R("R14", 14, -1)                                                                           \
	R("R15", 15, -1)

/* The vector registers have two numbers each and begin with this one. */
#define XMM 32
#define VECTORS(R)                                                                                 \
	R(0, "XMM0", 17, 21)                                                                       \
	R(1, "XMM1", 18, 22)                                                                       \
	R(2, "XMM2", 19, 23)                                                                       \
	R(3, "XMM3", 20, 24)                                                                       \
	R(4, "XMM4", 21, 25)                                                                       \
	R(5, "XMM5", 22, 26)                                                                       \
	R(6, "XMM6", 23, 27)                                                                       \
	R(7, "XMM7", 24, 28)                                                                       \
	R(8, "XMM8", 25, -1)                                                                       \
	R(9, "XMM9", 26, -1)                                                                       \
	R(10, "XMM10", 27, -1)                                                                     \
	R(11, "XMM11", 28, -1)                                                                     \
	R(12, "XMM12", 29, -1)                                                                     \
	R(13, "XMM13", 30, -1)                                                                     \
	R(14, "XMM14", 31, -1)                                                                     \
	R(15, "XMM15", 32, -1)

#define WIDE(name, dwarf64, dwarf32) { name, dwarf64 },
#define NARROW(name, dwarf64, dwarf32) { name, dwarf32 },
#define WIDE_XMM(i, name, dwarf64, dwarf32)                                                        \
	[XMM + 2 * (i)] = { name, dwarf64 }, [XMM + 1 + 2 * (i)] = { name, dwarf64 },
#define NARROW_XMM(i, name, dwarf64, dwarf32)                                                      \
	[XMM + 2 * (i)] = { name, dwarf32 }, [XMM + 1 + 2 * (i)] = { name, dwarf32 },

static const struct arch_reg wide[] = { REGISTERS(WIDE) VECTORS(WIDE_XMM) };
static const struct arch_reg narrow[] = { REGISTERS(NARROW) VECTORS(NARROW_XMM) };

#define ELF(em, is_narrow, word, whole, calls)                                                     \
	{                                                                                          \
		.machine = em, .narrow = is_narrow, .plt_header = 16, .plt_entry = 16,             \
		.operand = x86_operand, .reloc_word = word, .reloc_long = whole,                   \
		.syscalls = calls,                                                                 \
	}

static const struct arch_elf wide_elf[] = { ELF(EM_X86_64, false, R_X86_64_32, R_X86_64_64,
						x86_wide_syscalls) };
static const struct arch_elf narrow_elf[] = { ELF(EM_386, true, R_386_32, 0, x86_narrow_syscalls) };

/* mov $15, %rax; syscall: what C libraries other than glibc return to, without a table */
static const u8 wide_sigreturn[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
/* Behind three words of struct ucontext and its stack_t, in the order of struct sigcontext. */
#define GREG(i) (40 + 8 * (i))
static const s16 wide_sigframe[] = {
	[0] = GREG(13), [1] = GREG(12),  [2] = GREG(14), [3] = GREG(11), [4] = GREG(9),
	[5] = GREG(8),  [6] = GREG(10),  [7] = GREG(15), [8] = GREG(0),  [9] = GREG(1),
	[10] = GREG(2), [11] = GREG(3),  [12] = GREG(4), [13] = GREG(5), [14] = GREG(6),
	[15] = GREG(7), [16] = GREG(16),
};

/* Functions give back rbx, rbp, rsp and r12 to r15. */
static const struct arch_frames wide_frames = {
	.regs = wide,
	.nr_regs = ARRAY_SIZE(wide),
	.word = 8,
	.sp = 7,
	.fp = 6,
	.ip = 16,
	.pc = 16,
	.saved = 0xf0c8,
	.address = ~0ULL,
	.sigreturn = wide_sigreturn,
	.sigreturn_len = sizeof(wide_sigreturn),
	.sigframe = wide_sigframe,
	.nr_sigframe = ARRAY_SIZE(wide_sigframe),
	.place = x86_place,
};

/* Functions give back ebx, esp, ebp, esi and edi. */
static const struct arch_frames narrow_frames = {
	.regs = narrow,
	.nr_regs = ARRAY_SIZE(narrow),
	.word = 4,
	.sp = 4,
	.fp = 5,
	.ip = 8,
	.pc = 8,
	.saved = 0xf8,
	.address = UINT32_MAX,
	.place = x86_narrow_place,
};

static const char *const wide_names[] = { "x86*", NULL };
static const char *const narrow_names[] = { "i?86", NULL };

static char *cpuid(const struct sysroot *sr, const char *cpuinfo)
{
	static const char *const keys[] = { "vendor_id", "cpu family", "model", "stepping", NULL };

	(void)sr;
	return cpuinfo_joined(cpuinfo, keys, ",");
}

static char *cpuid_table(const char *cpuid)
{
	unsigned int family, model, stepping;
	char vendor[64];

	/* the identifications of s390 contain commas, too */
	if (sscanf(cpuid, "%63[^,],%u,%u,%u", vendor, &family, &model, &stepping) != 4 ||
	    !strcmp(vendor, "IBM"))
		return NULL;
	return xasprintf("%s-%u-%X-%X", vendor, family, model, stepping);
}

const struct arch arch_x86_64 = {
	.unames = wide_names,
	.regs = wide,
	.nr_regs = ARRAY_SIZE(wide),
	.sample_regs = 0xff0fff, /* all but the segments ds, es, fs and gs, which are useless */
	.unwind_regs = 1ULL << 7 | 1ULL << 8,
	.frames = &wide_frames,
	.narrow_frames = &narrow_frames,
	.elf = wide_elf,
	.nr_elf = ARRAY_SIZE(wide_elf),
	.also_runs = EM_386,
	.code = ARCH_CODE_X86,
	.insn_decode = x86_insn_decode,
	.bpf_ip_known = true,
	.bpf_ip = 16 * 8,
	.iostat = true,
	.cpu_model_key = "model name",
	.cpuid = cpuid,
	.cpuid_table = cpuid_table,
};

const struct arch arch_i386 = {
	.unames = narrow_names,
	.regs = narrow,
	.nr_regs = ARRAY_SIZE(narrow),
	.narrow_frames = &narrow_frames,
	.elf = narrow_elf,
	.nr_elf = ARRAY_SIZE(narrow_elf),
	.also_runs = EM_X86_64,
	.code = ARCH_CODE_X86,
	.insn_decode = x86_insn_decode,
	.cpu_model_key = "model name",
	.cpuid = cpuid,
	.cpuid_table = cpuid_table,
};
