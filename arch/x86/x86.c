// SPDX-License-Identifier: GPL-2.0-or-later
/* x86, in programs and kernels of 64 and of 32 bits, which differ in their DWARF numbers. */
#include "base/compat.h"

#include "arch/arch-internal.h"

/* In the order of asm/perf_regs.h: name, DWARF number (System V ABI) of 64 bits and of 32. */
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

/* The vector registers take two numbers each, from here. */
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

static const char *const wide_names[] = { "x86*", NULL };
static const char *const narrow_names[] = { "i?86", NULL };

const struct arch arch_x86_64 = {
	.unames = wide_names,
	.regs = wide,
	.nr_regs = ARRAY_SIZE(wide),
	.sample_regs = 0xff0fff, /* without the segments that have no use: ds, es, fs, gs */
	.unwind_regs = 1ULL << 7 | 1ULL << 8,
};

const struct arch arch_i386 = {
	.unames = narrow_names,
	.regs = narrow,
	.nr_regs = ARRAY_SIZE(narrow),
};
