/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine instructions: the bytes of objects, and the length of an instruction. */
#ifndef PERF_DISASM_INSN_H
#define PERF_DISASM_INSN_H

#include "symbol/symbol.h"

#define INSN_MAX 15 /* bytes of the longest instruction of any supported processor */

struct insn {
	u32 len;
	bool branch; /* it may continue elsewhere: jump, call, return, interrupt, system call */
};

/**
 * insn_decode_x86 - determine the length of the instruction that begins at @p. Source: the opcode
 * maps of the processors' manuals.
 * @wide: it belongs to a 64-bit program
 * Return: 0, or -EINVAL when it is not valid or does not end within @size bytes.
 */
int insn_decode_x86(const u8 *p, size_t size, bool wide, struct insn *out);

/* A cache of objects whose bytes are read, for one thread. */
struct code_files;

struct code_files *code_files_new(void);
void code_files_free(struct code_files *f);
/**
 * code_read - read bytes of an object's file.
 * @dso: id of the object
 * @t: its symbols, which know the location of the file
 * @addr: address in the file, see map_to_file()
 * @wide: receives whether it belongs to a 64-bit program; may be NULL
 * Return: the number of bytes read, at most @size; 0 when there is no file, or it is not an object
 * file.
 */
size_t code_read(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 addr,
		 void *buf, size_t size, bool *wide);

#endif
