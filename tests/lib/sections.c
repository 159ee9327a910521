// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "sections.h"
#include "tmp-tree.h"

#include <elf.h>

#define MOST 16 /* sections */

void put_number(struct strbuf *b, u64 v, size_t size)
{
	strbuf_add(b, (const char *)&v, size);
}

void put_string(struct strbuf *b, const char *s)
{
	strbuf_add(b, s, strlen(s) + 1);
}

void unit_begin(struct strbuf *info, u8 abbrev, const char *name)
{
	put_number(info, 0, 4); /* the length */
	put_number(info, 4, 2);
	put_number(info, 0, 4);
	put_number(info, 8, 1);
	put_number(info, abbrev, 1);
	put_string(info, name);
}

void unit5_begin(struct strbuf *info, u8 abbrev, const char *name)
{
	put_number(info, 0, 4); /* the length */
	put_number(info, 5, 2);
	put_number(info, 1, 1); /* a whole unit */
	put_number(info, 8, 1);
	put_number(info, 0, 4);
	put_number(info, abbrev, 1);
	put_string(info, name);
}

void unit_end(struct strbuf *info)
{
	u32 len;

	put_number(info, 0, 1);
	len = (u32)info->len - 4;
	memcpy(info->buf, &len, sizeof(len));
}

/* Append the contents of a section to the file, and its name to the names. */
static Elf64_Shdr add(struct strbuf *file, struct strbuf *names, const char *name, const void *data,
		      size_t len, u32 type)
{
	Elf64_Shdr sh = { .sh_name = (u32)names->len,
			  .sh_type = type,
			  .sh_offset = file->len,
			  .sh_size = len,
			  .sh_addralign = 1 };

	put_string(names, name);
	if (len)
		strbuf_add(file, data, len);
	return sh;
}

void sections_write(const char *path, const struct section *sections, size_t nr)
{
	struct strbuf names = STRBUF_INIT, file = STRBUF_INIT;
	Elf64_Shdr sh[MOST + 2] = { { 0 } };
	Elf64_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			  .e_type = ET_EXEC,
			  .e_machine = EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_ehsize = sizeof(Elf64_Ehdr),
			  .e_shentsize = sizeof(Elf64_Shdr),
			  .e_shnum = (u16)(nr + 2),
			  .e_shstrndx = (u16)(nr + 1) };

	if (nr > MOST)
		abort();
	strbuf_add(&file, (const char *)&eh, sizeof(eh));
	put_string(&names, "");
	for (size_t i = 0; i < nr; i++)
		sh[i + 1] = add(&file, &names, sections[i].name, sections[i].data, sections[i].len,
				SHT_PROGBITS);
	sh[nr + 1] = add(&file, &names, ".names", NULL, 0, SHT_STRTAB);
	sh[nr + 1].sh_size = names.len;
	strbuf_add(&file, names.buf, names.len);
	while (file.len % sizeof(u64))
		strbuf_addch(&file, '\0');
	eh.e_shoff = file.len;
	memcpy(file.buf, &eh, sizeof(eh));
	strbuf_add(&file, (const char *)sh, (nr + 2) * sizeof(*sh));
	file_write(path, file.buf, file.len);
	strbuf_release(&names);
	strbuf_release(&file);
}
