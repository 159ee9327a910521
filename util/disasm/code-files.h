/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read machine code from the files of objects. */
#ifndef PERF_DISASM_CODE_FILES_H
#define PERF_DISASM_CODE_FILES_H

#include "symbol/symbol.h"

struct arch;

/* The files that were opened; only one thread may use them. */
struct code_files;

/** code_files_new - return a set without files; code_files_free() frees it. */
struct code_files *code_files_new(void);
void code_files_free(struct code_files *f);
/**
 * code_files_set_pokes - set what the kernel changed of its code while it was recorded: code_read()
 * then gives the code as it was at a time.
 * @pokes: in the order of time; borrowed
 */
void code_files_set_pokes(struct code_files *f, const struct text_poke *pokes, size_t nr);
/**
 * code_files_set_time - from now on, code_read() gives the code as it was at a time; UINT64_MAX,
 * which it is at first, is the end.
 */
void code_files_set_time(struct code_files *f, u64 time);
/** code_changes - count the changes of code from an address on, as for code_read(). */
size_t code_changes(const struct code_files *f, const struct dso *dso, u64 addr, u64 size);

/**
 * code_read - read bytes from the file of an object.
 * @dso: the object, which its id identifies; @t: its symbols, which know where the file is
 * @addr: an offset into the file, from map_to_file()
 * @wide: is set to whether the object has addresses of 64 bits; may be NULL
 * Return: the number of bytes read, at most @size; 0 if the object has no file or none of these
 * bytes.
 */
size_t code_read(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 addr,
		 void *buf, size_t size, bool *wide);

/**
 * code_virtual - convert an address of an object, as for code_read(), to the one that the headers
 * of its file give it. Return: @addr itself when there is no file.
 */
u64 code_virtual(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 addr);
/** code_place - the reverse of code_virtual(). */
u64 code_place(struct code_files *f, const struct dso *dso, const struct symtab *t, u64 vaddr);
/** code_machine - return the ELF machine number (EM_*) of the code of an object; 0: unknown. */
u16 code_machine(struct code_files *f, const struct dso *dso, const struct symtab *t);
/**
 * code_arch - return the architecture of the code of an object; @otherwise, that of the recording,
 * when it is unknown.
 */
const struct arch *code_arch(struct code_files *f, const struct dso *dso, const struct symtab *t,
			     const struct arch *otherwise);
/** code_section - return the name of the section with an address of an object; NULL: unknown. It is
 * borrowed. */
const char *code_section(struct code_files *f, const struct dso *dso, const struct symtab *t,
			 u64 addr);

#endif
