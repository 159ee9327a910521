/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine instructions: the bytes of objects, and where one instruction ends. */
#ifndef PERF_DISASM_INSN_H
#define PERF_DISASM_INSN_H

#include "symbol/symbol.h"

#define INSN_MAX 15 /* bytes of one, of any processor here */

struct insn {
	u32 len;
	bool branch; /* it may go on elsewhere: jump, call, return, interrupt, system call */
};

/**
 * insn_decode_x86 - the instruction that begins at @p, as far as its length tells.
 * @wide: of a 64-bit program
 * Return: 0, or -EINVAL when it is none or does not end within @size bytes. Source: the opcode maps
 * of the processors' manuals.
 */
int insn_decode_x86(const u8 *p, size_t size, bool wide, struct insn *out);

/* Objects whose bytes are read; of one thread. */
struct code_files;

struct code_files *code_files_new(void);
void code_files_free(struct code_files *f);
/**
 * code_read - bytes of an object's file.
 * @dso: its id; @t: its symbols, which know where the file is
 * @addr: as map_to_file() gives it
 * @wide: the program is one of 64 bits; may be NULL
 * Return: bytes read, at most @size; 0 when there are none: no file, or an object that is none.
 */
size_t code_read(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 addr,
		 void *buf, size_t size, bool *wide);

#endif
