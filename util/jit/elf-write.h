/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write ELF files of either class and byte order, through libelf (elf-write.c). */
#ifndef PERF_JIT_ELF_WRITE_H
#define PERF_JIT_ELF_WRITE_H

#include "base/err.h"

#include <elf.h>

struct elf_new_section {
	const char *name; /* borrowed */
	u32 type;
	u64 flags, addr;
	u32 align, link, info; /* link: index of another section, the first being 1 */
	const void *data;      /* borrowed; NULL when @syms are there */
	size_t size;
	const Elf64_Sym *syms; /* of a SHT_SYMTAB, native; turned to the class of the file */
	size_t nr_syms;
};

struct elf_new_segment {
	u32 type, flags;
	u64 offset, size; /* bytes of the file; the address is the same number */
};

struct elf_new {
	u16 machine; /* EM_* */
	bool is32, swap;
	u64 entry;
	const struct elf_new_section *sections; /* borrowed; .shstrtab is added at the end */
	size_t nr_sections;
	const struct elf_new_segment *segments; /* borrowed */
	size_t nr_segments;
};

/**
 * elf_write - write a shared object into the empty file @fd. A section with an address stands at
 * that offset; the others behind them, in order.
 * Return: 0, or negative errno and a sentence without the file's name.
 */
int elf_write(int fd, const struct elf_new *e, struct err *err);

#endif
