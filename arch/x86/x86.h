/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of x86, which have files of their own. */
#ifndef PERF_ARCH_X86_X86_H
#define PERF_ARCH_X86_X86_H

#include "arch/syscalls.h"
#include "base/strbuf.h"

struct insn;

/** x86_operand - implement operand() of struct arch_elf. Uprobes fetch "%REG" and
 * "[NUMBER](%REG)", but neither constants nor anything else. */
bool x86_operand(const char *p, size_t len, struct strbuf *out);

/** x86_insn_decode - implement insn_decode() of struct arch. The lengths come from the opcode maps
 * of the processors' manuals. */
int x86_insn_decode(const u8 *p, size_t size, bool wide, struct insn *out);

/** x86_wide_syscalls, x86_narrow_syscalls - the numbers of programs of 64 and of 32 bits. */
extern const struct syscall_run x86_wide_syscalls[], x86_narrow_syscalls[];

struct arch_place;

/** x86_place, x86_narrow_place - arch_frames.place of programs of 64 and of 32 bits. */
bool x86_place(const u8 *code, size_t len, size_t at, struct arch_place *out);
bool x86_narrow_place(const u8 *code, size_t len, size_t at, struct arch_place *out);

#endif
