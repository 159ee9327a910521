/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the code of an ELF file is: segments that are loaded, and sections with code. The format is
 * that of the System V ABI, chapter 4, in either class and byte order.
 */
#ifndef PERF_DISASM_ELF_LAYOUT_H
#define PERF_DISASM_ELF_LAYOUT_H

#include "base/compat.h"

struct elf_part {
	u64 offset, vaddr, size; /* bytes in the file, and the address of the first one */
	char name[32];           /* of a section, cut off; "" for a segment */
};

struct elf_layout {
	u16 machine;            /* EM_* */
	bool elf, wide;         /* it is an ELF file; its addresses have 64 bits */
	struct elf_part *parts; /* owned; segments first */
	size_t nr_segments, nr, cap;
};

/** elf_layout_read - read the layout of an open file. What is damaged is left out. */
void elf_layout_read(struct elf_layout *l, int fd);
struct module_section;
/** elf_layout_place - set where the sections of a module are loaded: @nr of them, in place of the
 * segments that its file does not have. */
void elf_layout_place(struct elf_layout *l, const struct module_section *sections, size_t nr);
/** elf_layout_release - free the layout. */
void elf_layout_release(struct elf_layout *l);
/** elf_layout_addr - convert an offset in the file to an address. Return: whether it is loaded. */
bool elf_layout_addr(const struct elf_layout *l, u64 offset, u64 *vaddr);
/** elf_layout_offset - convert an address to an offset in the file. Return: whether it has one. */
bool elf_layout_offset(const struct elf_layout *l, u64 vaddr, u64 *offset);
/** elf_layout_section - return the name of the section with an offset in the file; NULL: none. */
const char *elf_layout_section(const struct elf_layout *l, u64 offset);

#endif
