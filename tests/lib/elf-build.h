/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Build small ELF files for tests, in both classes and byte orders. The code is separate from the
 * code under test. */
#ifndef TESTS_ELF_BUILD_H
#define TESTS_ELF_BUILD_H

#include "base/compat.h"
#include "tmp-tree.h"

#include <elf.h>

struct eb_sym {
	const char *name;
	u64 value, size;
	u8 type, bind, visibility;
	u16 shndx; /* 0: .text; EB_UNDEF, SHN_ABS, EB_NOTE */
};
#define EB_UNDEF 0xfe00 /* undefined */
#define EB_NOTE 0xfe01  /* in a section that is not loaded */
#define EB_DATA 0xfe02  /* in .data */

/*
 * One text segment: file offset 0x1000, @vaddr, 0x1000 bytes; sections .text (all of it), .data,
 * .plt when @plt names entries, .symtab or .dynsym, .note.gnu.build-id, .gnu_debuglink,
 * .gnu_debugdata, .eh_frame_hdr.
 */
struct eb {
	bool is32, swap, debug_only; /* debug_only: .text has no contents, its segment no offset */
	u16 type, machine;           /* 0: ET_DYN, EM_X86_64 */
	u64 vaddr;
	const struct eb_sym *syms;
	size_t nr_syms;
	bool dynsym;            /* the symbols go to .dynsym, and there is no .symtab */
	const char *const *plt; /* names of PLT entries, NULL-terminated; they are put into .dynsym
				   too; "": no symbol */
	u8 build_id[20], build_id_size;
	const char *debuglink;
	const void *debugdata; /* contents of .gnu_debugdata, packed */
	size_t debugdata_size;
	const u64 *functions; /* addresses in .eh_frame_hdr, sorted, 0 at the end; NULL: without */
};

/** eb_build - the bytes of the file; the caller frees. */
u8 *eb_build(const struct eb *e, size_t *size);
/** eb_write - write the file to @path (folders in between are made). */
void eb_write(const struct eb *e, const char *path);

#endif
