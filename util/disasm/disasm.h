/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Disassembly of instructions by capstone. */
#ifndef PERF_DISASM_DISASM_H
#define PERF_DISASM_DISASM_H

#include "base/strbuf.h"

struct disasm;

/**
 * disasm_open - open a disassembler for one kind of code, which one thread at a time may use.
 * disasm_close() frees it.
 * @arch: as uname names it; NULL: x86
 * @wide: the program is a 64-bit program
 * Return: NULL when the library is missing or does not know the architecture.
 */
struct disasm *disasm_open(const char *arch, bool wide);
/** disasm_close - free the disassembler; @d may be NULL. */
void disasm_close(struct disasm *d);

/**
 * disasm_text - append the instruction at @p, whose address is @ip, as "movl %eax, %edx".
 * Return: its length in bytes; 0 when it is not valid, and then nothing was appended.
 */
u32 disasm_text(struct disasm *d, const u8 *p, size_t size, u64 ip, struct strbuf *out);

#endif
