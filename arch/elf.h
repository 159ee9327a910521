/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about the ELF files of an architecture. */
#ifndef PERF_ARCH_ELF_H
#define PERF_ARCH_ELF_H

#include "base/strbuf.h"

struct arch;
struct syscall_run;

/** The programs that have one machine number in their ELF header. */
struct arch_elf {
	u16 machine;              /* EM_* */
	bool narrow;              /* the programs have addresses of 32 bits */
	u8 plt_header, plt_entry; /* the sizes of the header of .plt and of an entry; 0: unknown */
	/*
	 * Mapping symbols tell disassemblers where code and data begin. Their names are '$' and one
	 * of these letters; a tail that begins with '.', or any tail if marks_any_tail is set, may
	 * follow. NULL: there are no mapping symbols.
	 */
	const char *marks;
	bool marks_any_tail;
	bool thumb; /* bit 0 of a function's address selects the instruction set */
	/* The types of relocations that put an address into 4 and into 8 bytes; 0: not known. */
	u16 reloc_word, reloc_long;
	const struct syscall_run *syscalls; /* arch/syscalls.h; NULL: not known */
	/*
	 * Converts an operand of the assembler (@len bytes at @p, "8(%rsp)") into what uprobes
	 * fetch
	 * ("+8(%sp)") and appends that to @out. It returns false if uprobes cannot fetch the
	 * operand;
	 * @out may then have a part of it. NULL: operands are not understood.
	 */
	bool (*operand)(const char *p, size_t len, struct strbuf *out);
};

/**
 * arch_elf_of - find the programs that have an ELF machine number.
 * Return: them, or an entry without any data if the number is unknown; never NULL.
 */
const struct arch_elf *arch_elf_of(u32 machine);

/** arch_runs - tell whether kernels of @a run programs that have an ELF machine number. */
bool arch_runs(const struct arch *a, u16 machine);

#endif
