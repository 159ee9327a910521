/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ELF file, through libelf: its headers, and the bytes of its sections. */
#ifndef PERF_SYMBOL_ELF_IMAGE_H
#define PERF_SYMBOL_ELF_IMAGE_H

#include "base/compat.h"

struct elf_section {
	const char *name; /* borrowed from the image, "" without one */
	u32 type, link, info;
	u64 flags, addr, offset, size, entsize, align;
};

struct elf_segment {
	u32 type;
	u64 offset, vaddr, filesz, memsz, align;
};

/* An ELF file or memory. */
struct elf_image {
	struct Elf *elf; /* libelf's handle, NULL when nothing is open */
	void *map;       /* owned mapping, NULL for borrowed memory */
	size_t map_size; /* of the mapping */
	size_t size;
	bool is64, swap; /* swap: of the other byte order */
	bool mini;       /* of elf_image_minidebug(): its symbols lack those of .dynsym */
	u16 type, machine;
	const struct arch_elf *arch;  /* of @machine */
	struct elf_section *sections; /* owned; numbered as in the file */
	u32 nr_sections;
	struct elf_segment *segments; /* owned */
	u32 nr_segments;
};

#define ELF_UNPACKED_MAX ((size_t)512 << 20) /* bytes that a compressed file may have unpacked */

/** elf_image_open - map a file, or what it has unpacked if it is compressed (codec/unpack.h).
 * Return: 0, -errno, or -ENOEXEC when it is not ELF. */
int elf_image_open(struct elf_image *e, const char *path);
/** elf_image_open_fd - map an open file; @fd is closed. Return: as above. */
int elf_image_open_fd(struct elf_image *e, int fd);
/** elf_image_memory - the same over memory that outlives @e. */
int elf_image_memory(struct elf_image *e, const void *data, size_t size);
void elf_image_release(struct elf_image *e);
/** elf_image_bytes - contents of a section as they are in the file, NULL when there are none; *@len
 * bytes. */
const u8 *elf_image_bytes(const struct elf_image *e, const struct elf_section *s, size_t *len);
/** elf_image_contents - the same, unpacked when the section is compressed. One thread at a time. */
const u8 *elf_image_contents(const struct elf_image *e, const struct elf_section *s, size_t *len);
/**
 * elf_image_relocate - put the addresses that a section of a file refers to into its contents. The
 * compiler leaves them out where the file was not linked.
 * @s: the section; @bytes: its contents, which are changed, @len of them
 * @at: by number of a section: the address that it gets
 */
void elf_image_relocate(const struct elf_image *e, const struct elf_section *s, u8 *bytes,
			size_t len, const u64 *at);
/** elf_image_file - all *@size bytes of the file; NULL when it is not open. */
const u8 *elf_image_file(const struct elf_image *e, size_t *size);
/** elf_image_file_addr - a virtual address of the object as file offset. */
u64 elf_image_file_addr(const struct elf_image *e, u64 vaddr);
/** elf_image_vaddr - a file offset as virtual address; unchanged when no segment has it. */
u64 elf_image_vaddr(const struct elf_image *e, u64 offset);
/** elf_image_find - get st_value of the symbol @name. Return: true when there is one. */
bool elf_image_find(const struct elf_image *e, const char *name, u64 *value);
/** elf_image_build_id - Return: bytes, or -ENOENT. */
int elf_image_build_id(const struct elf_image *e, u8 id[20]);

/** elf_image_section - by name, or NULL. */
static inline const struct elf_section *elf_image_section(const struct elf_image *e,
							  const char *name)
{
	for (u32 i = 1; i < e->nr_sections; i++)
		if (!strcmp(e->sections[i].name, name))
			return &e->sections[i];
	return NULL;
}

/** elf_image_has_debug_info - tell whether the file has units of debug information. */
static inline bool elf_image_has_debug_info(const struct elf_image *e)
{
	return elf_image_section(e, ".debug_info") || elf_image_section(e, ".zdebug_info");
}

#endif
