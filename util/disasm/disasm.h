/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions as text, by capstone. */
#ifndef PERF_DISASM_DISASM_H
#define PERF_DISASM_DISASM_H

#include "base/strbuf.h"

struct disasm;

/**
 * disasm_open - for code of one kind; one thread at a time. Free with disasm_close().
 * @arch: as uname tells it; NULL: an x86
 * @wide: of a 64-bit program
 * Return: NULL when the library is not there, or does not know such code.
 */
struct disasm *disasm_open(const char *arch, bool wide);
void disasm_close(struct disasm *d);

/**
 * disasm_text - append the instruction at @p, which runs at @ip: "movl %eax, %edx".
 * Return: its length in bytes; 0 when it is none, and nothing was appended.
 */
u32 disasm_text(struct disasm *d, const u8 *p, size_t size, u64 ip, struct strbuf *out);

#endif
