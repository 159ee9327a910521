// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "wire/regs.h"

#define REGS_MAX 64

/* Those of the machine this was built for, when a file does not say. */
#if defined(__x86_64__) || defined(__i386__)
#define HOST_ARCH "x86_64"
#elif defined(__aarch64__)
#define HOST_ARCH "aarch64"
#elif defined(__arm__)
#define HOST_ARCH "arm"
#elif defined(__s390__)
#define HOST_ARCH "s390"
#elif defined(__powerpc__)
#define HOST_ARCH "ppc"
#elif defined(__riscv)
#define HOST_ARCH "riscv"
#elif defined(__mips__)
#define HOST_ARCH "mips"
#elif defined(__loongarch__)
#define HOST_ARCH "loongarch"
#elif defined(__csky__)
#define HOST_ARCH "csky"
#else
#define HOST_ARCH ""
#endif

struct reg_names {
	const char *prefix; /* of the names that uname gives the architecture */
	const char *name[REGS_MAX];
};

/* The vector registers take two words each. */
#define XMM(i, text) [32 + 2 * (i)] = text, [33 + 2 * (i)] = text
#define X86_NAMES                                                                                  \
	{                                                                                          \
		"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS",   \
			"ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",    \
			XMM(0, "XMM0"), XMM(1, "XMM1"), XMM(2, "XMM2"), XMM(3, "XMM3"),            \
			XMM(4, "XMM4"), XMM(5, "XMM5"), XMM(6, "XMM6"), XMM(7, "XMM7"),            \
			XMM(8, "XMM8"), XMM(9, "XMM9"), XMM(10, "XMM10"), XMM(11, "XMM11"),        \
			XMM(12, "XMM12"), XMM(13, "XMM13"), XMM(14, "XMM14"), XMM(15, "XMM15")     \
	}
#define ARM64_NAMES                                                                                \
	{                                                                                          \
		"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12",   \
			"x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22",      \
			"x23", "x24", "x25", "x26", "x27", "x28", "x29", "lr", "sp",               \
			"pc", [46] = "vg"                                                          \
	}
#define POWERPC_NAMES                                                                              \
	{                                                                                          \
		"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12",   \
			"r13", "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21", "r22",      \
			"r23", "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31", "nip",      \
			"msr", "orig_r3", "ctr", "link", "xer", "ccr", "softe", "trap", "dar",     \
			"dsisr", "sier", "mmcra", "mmcr0", "mmcr1", "mmcr2", "mmcr3", "sier2",     \
			"sier3", "pmc1", "pmc2", "pmc3", "pmc4", "pmc5", "pmc6", "sdar", "siar"    \
	}

/* The first that fits. */
static const struct reg_names tables[] = {
	{ "x86", X86_NAMES },
	{ "i", X86_NAMES }, /* i386 to i686 */
	{ "aarch64", ARM64_NAMES },
	{ "arm64", ARM64_NAMES },
	{ "arm",
	  { "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "fp", "ip", "sp",
	    "lr", "pc" } },
	{ "s390", { "R0",   "R1",   "R2",   "R3",   "R4",   "R5",   "R6",  "R7",  "R8",
		    "R9",   "R10",  "R11",  "R12",  "R13",  "R14",  "R15", "FP0", "FP1",
		    "FP2",  "FP3",  "FP4",  "FP5",  "FP6",  "FP7",  "FP8", "FP9", "FP10",
		    "FP11", "FP12", "FP13", "FP14", "FP15", "MASK", "PC" } },
	{ "ppc", POWERPC_NAMES },
	{ "powerpc", POWERPC_NAMES },
	{ "riscv", { "pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
		     "a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
		     "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6" } },
	{ "csky",
	  { "tls",     "lr",      "pc",       "sr",       "sp",       "orig_a0",  "a0",
	    "a1",      "a2",      "a3",       "regs0",    "regs1",    "regs2",    "regs3",
	    "regs4",   "regs5",   "regs6",    "regs7",    "regs8",    "regs9",    "exregs0",
	    "exregs1", "exregs2", "exregs3",  "exregs4",  "exregs5",  "exregs6",  "exregs7",
	    "exregs8", "exregs9", "exregs10", "exregs11", "exregs12", "exregs13", "exregs14",
	    "hi",      "lo",      "dcsr" } },
	{ "mips",
	  { "PC",  "$1",  "$2",         "$3",         "$4",         "$5",        "$6",  "$7",
	    "$8",  "$9",  "$10",        "$11",        "$12",        "$13",       "$14", "$15",
	    "$16", "$17", "$18",        "$19",        "$20",        "$21",       "$22", "$23",
	    "$24", "$25", [28] = "$28", [29] = "$29", [30] = "$30", [31] = "$31" } },
	{ "loongarch",
	  { "PC",   "%r1",  "%r2",  "%r3",  "%r4",  "%r5",  "%r6",  "%r7",  "%r8",  "%r9",  "%r10",
	    "%r11", "%r12", "%r13", "%r14", "%r15", "%r16", "%r17", "%r18", "%r19", "%r20", "%r21",
	    "%r22", "%r23", "%r24", "%r25", "%r26", "%r27", "%r28", "%r29", "%r30", "%r31" } },
	{ "", { NULL } },
};

const struct reg_names *reg_names_of(const char *arch)
{
	const struct reg_names *t = tables;

	if (!arch)
		arch = HOST_ARCH;
	while (strncmp(arch, t->prefix, strlen(t->prefix)) ||
	       (!strcmp(t->prefix, "i") && (!arch[1] || strcmp(arch + 2, "86"))))
		t++;
	return t;
}

const char *reg_name(const struct reg_names *names, unsigned int bit)
{
	return bit < REGS_MAX && names->name[bit] ? names->name[bit] : "unknown";
}
