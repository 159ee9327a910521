/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * This room holds what differs between processors, as data. All architectures are always linked,
 * because a recording may come from any of them. Code that reads a recording uses the architecture
 * that the recording names (arch_of()); code that records uses the one of this machine
 * (arch_host()).
 */
#ifndef PERF_ARCH_ARCH_H
#define PERF_ARCH_ARCH_H

#include "base/compat.h"

struct arch_elf;
struct arch_frames;
struct insn;
struct sysroot;

#define ARCH_REGS_MAX 64 /* the number of bits in a mask of registers */

/** The instruction sets that room disasm can show as text. */
enum arch_code {
	ARCH_CODE_UNKNOWN,
	ARCH_CODE_X86,
	ARCH_CODE_ARM64,
	ARCH_CODE_NR,
};

/** A register. Its index in the table is its number in perf, and its bit in masks of registers. */
struct arch_reg {
	const char *name; /* the name that perf prints; NULL: no register has this number */
	s16 dwarf;        /* its number in DWARF debug information; -1: it has none */
};

/** An architecture. A member that is zero says that the fact is unknown or does not exist. */
struct arch {
	/* Patterns (fnmatch) of the names that uname gives the architecture; NULL ends the list. */
	const char *const *unames;

	const struct arch_reg *regs;
	u32 nr_regs;
	/* Masks of the registers that samples can contain, and of those that an unwinder needs (the
	 * stack pointer and the instruction pointer). 0: perf cannot record registers. */
	u64 sample_regs, unwind_regs;
	/* The number of the link register, which holds the return address of a function that calls
	 * no other and therefore saves no frame. Chains of frame pointers lack the caller of such a
	 * function. 0: chains are complete. */
	u32 link_reg;

	/* How functions call each other (arch/frames.h), in programs of 64 and of 32 bits; NULL:
	 * copied stacks of them cannot be unwound. */
	const struct arch_frames *frames, *narrow_frames;

	/* The kinds of programs of the architecture (arch/elf.h), and the ELF machine number of
	 * another architecture whose programs its kernels run, too; 0: there is none. */
	const struct arch_elf *elf;
	u32 nr_elf;
	u16 also_runs;

	enum arch_code code;
	/* Decodes an instruction for insn_decode() (arch/insn.h), which has set @out to zero. */
	int (*insn_decode)(const u8 *p, size_t size, bool wide, struct insn *out);

	/* The offset in bytes of the instruction pointer in the registers that the kernel passes to
	 * BPF programs of samples. It is valid only if bpf_ip_known is set. */
	bool bpf_ip_known;
	u16 bpf_ip;

	bool iostat;       /* some processors have PMUs that count the transfers of PCI devices */
	bool stage_cycles; /* samples tell how many cycles a stage of the pipeline took */
	const char *core_pmu; /* a pattern of the names of the PMUs of cores; NULL: "cpu" */

	/* The key of the line of /proc/cpuinfo that holds the name of the processor. */
	const char *cpu_model_key;
	/* Identifies the processor for cpuid_text() (arch/cpuid.h) from the text of /proc/cpuinfo
	 * or from files below @sr. It returns a text that the caller frees, or NULL if the machine
	 * is of another architecture or does not tell. */
	char *(*cpuid)(const struct sysroot *sr, const char *cpuinfo);
	/* Converts an identification for cpuid_table_text(). It returns a text that the caller
	 * frees, or NULL if @cpuid is of another architecture. NULL: both texts are the same. */
	char *(*cpuid_table)(const char *cpuid);
	/* Compares for cpuid_compare(). It returns 1, 0, or -1 if @want or @cpuid is not in the
	 * form of this architecture. */
	int (*cpuid_compare)(const char *want, const char *cpuid);
};

/**
 * arch_of - find the architecture of a machine.
 * @uname: its name in the ARCH feature of a recording or from uname ("x86_64", "aarch64",
 *	"ppc64le"...); NULL: the recording does not tell, and this machine's architecture is assumed
 * Return: the architecture, or one without any data if the name is unknown; never NULL.
 */
const struct arch *arch_of(const char *uname);

/** arch_host - return the architecture that this program was compiled for; never NULL. */
const struct arch *arch_host(void);

/**
 * arch_host_counts_guests - tell whether precise events on this machine count guests even if
 * exclude_guest is set, as they do on AMD processors.
 */
bool arch_host_counts_guests(void);

/** arch_core_pmu - tell whether a PMU of that name counts for cores, on any architecture. */
bool arch_core_pmu(const char *name);

/** arch_reg_name - return the name of register @nr, or "unknown" if there is no such register. */
const char *arch_reg_name(const struct arch *a, u32 nr);

/** arch_reg_dwarf - return the DWARF number of register @nr, or -1 if it has none. */
int arch_reg_dwarf(const struct arch *a, u32 nr);

#endif
