// SPDX-License-Identifier: GPL-2.0-or-later
/* Without libelf no object can be opened: symbols come from kallsyms and perf maps only. */
#include "base/compat.h"

#include "symbol/symbol-internal.h"

#ifndef HAVE_LIBELF
#include <errno.h>
#include <unistd.h>

int elf_image_open(struct elf_image *e, const char *path)
{
	(void)path;
	*e = (struct elf_image){ 0 };
	return -ENOTSUP;
}

int elf_image_open_fd(struct elf_image *e, int fd)
{
	close(fd);
	*e = (struct elf_image){ 0 };
	return -ENOTSUP;
}

int elf_image_memory(struct elf_image *e, const void *data, size_t size)
{
	(void)data;
	(void)size;
	*e = (struct elf_image){ 0 };
	return -ENOTSUP;
}

void elf_image_release(struct elf_image *e)
{
	*e = (struct elf_image){ 0 };
}

const u8 *elf_image_bytes(const struct elf_image *e, const struct elf_section *s, size_t *len)
{
	(void)e;
	(void)s;
	*len = 0;
	return NULL;
}

bool elf_image_symtab(const struct elf_image *e, u32 type, struct elf_symtab *t)
{
	(void)e;
	(void)type;
	(void)t;
	return false;
}

void elf_symtab_entry(const struct elf_symtab *t, size_t i, struct elf_sym *out)
{
	elf_symtab_get(t, i, out);
}

u64 elf_symtab_hash(const struct elf_symtab *t)
{
	(void)t;
	return 0;
}

void elf_symtab_ask(const struct elf_symtab *t, size_t i)
{
	(void)t;
	(void)i;
}

void elf_symtab_get(const struct elf_symtab *t, size_t i, struct elf_sym *out)
{
	(void)t;
	(void)i;
	*out = (struct elf_sym){ 0 };
}

const u8 *elf_image_contents(const struct elf_image *e, const struct elf_section *s, size_t *len)
{
	return elf_image_bytes(e, s, len);
}

const u8 *elf_image_file(const struct elf_image *e, size_t *size)
{
	(void)e;
	*size = 0;
	return NULL;
}

bool elf_image_reloc(const struct elf_image *e, const struct elf_section *rel, size_t i,
		     struct elf_reloc *out)
{
	(void)e;
	(void)rel;
	(void)i;
	*out = (struct elf_reloc){ 0 };
	return false;
}

int elf_image_build_id(const struct elf_image *e, u8 id[20])
{
	(void)e;
	(void)id;
	return -ENOTSUP;
}

int note_build_id(const void *notes, size_t size, u8 id[20])
{
	(void)notes;
	(void)size;
	(void)id;
	return -ENOTSUP;
}
#endif
