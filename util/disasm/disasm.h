/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turn machine code into text, with the help of the library capstone. */
#ifndef PERF_DISASM_DISASM_H
#define PERF_DISASM_DISASM_H

#include "base/strbuf.h"

struct arch;
struct disasm;

/**
 * disasm_open - prepare for the code of one architecture. Only one thread may use the result.
 * disasm_close() frees it.
 * @wide: the program has addresses of 64 bits
 * Return: NULL if the library is missing or does not know the instructions.
 */
struct disasm *disasm_open(const struct arch *arch, bool wide);
/**
 * disasm_syntax - choose the syntax of the text. @name: "att" or "intel", of x86
 * Return: whether the instructions can be written so.
 */
bool disasm_syntax(struct disasm *d, const char *name);
/** disasm_close - free the disassembler; @d may be NULL. */
void disasm_close(struct disasm *d);

/**
 * disasm_text - append the instruction at @p, which runs at @ip, as text: "movl %eax, %edx".
 * Return: the length of the instruction in bytes, or 0 if there is none; nothing was appended then.
 */
u32 disasm_text(struct disasm *d, const u8 *p, size_t size, u64 ip, struct strbuf *out);

/** disasm_step - return how many bytes behind an address without an instruction the next one can
 * begin. */
u32 disasm_step(const struct disasm *d);

#endif
