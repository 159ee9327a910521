// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "jit/elf-write.h"

#include <errno.h>

#ifdef HAVE_LIBELF
#include "base/alloc.h"
#include "base/strbuf.h"

#include <gelf.h>

struct writing {
	Elf *elf;
	const struct elf_new *e;
	struct strbuf names; /* of sections */
	void **owned;        /* data that libelf points at */
	size_t nr_owned;
	u64 at; /* end of the file so far */
};

static int libelf_failed(struct err *err)
{
	return err_set(err, -EIO, "libelf could not write it: %s", elf_errmsg(-1));
}

static bool write_header(struct writing *w, size_t nr_sections)
{
	const u16 one = 1;
	bool little = *(const u8 *)&one != w->e->swap;
	GElf_Ehdr h;

	if (!gelf_newehdr(w->elf, w->e->is32 ? ELFCLASS32 : ELFCLASS64) ||
	    !gelf_newphdr(w->elf, w->e->nr_segments) || !gelf_getehdr(w->elf, &h))
		return false;
	h.e_ident[EI_DATA] = little ? ELFDATA2LSB : ELFDATA2MSB;
	h.e_type = ET_DYN;
	h.e_machine = w->e->machine;
	h.e_version = EV_CURRENT;
	h.e_entry = w->e->entry;
	h.e_ehsize = (u16)gelf_fsize(w->elf, ELF_T_EHDR, 1, EV_CURRENT);
	h.e_shstrndx = (u16)nr_sections;
	return gelf_update_ehdr(w->elf, &h);
}

static bool write_segments(struct writing *w)
{
	for (size_t i = 0; i < w->e->nr_segments; i++) {
		const struct elf_new_segment *s = &w->e->segments[i];
		GElf_Phdr p = { .p_type = s->type,
				.p_flags = s->flags,
				.p_offset = s->offset,
				.p_vaddr = s->offset,
				.p_paddr = s->offset,
				.p_filesz = s->size,
				.p_memsz = s->size,
				.p_align = 8 };

		if (!gelf_update_phdr(w->elf, (int)i, &p))
			return false;
	}
	return true;
}

/* Make a symbol table in the class of the file; libelf turns the bytes. */
static bool symbols(struct writing *w, const struct elf_new_section *s, Elf_Data *d)
{
	d->d_type = ELF_T_SYM;
	d->d_size = gelf_fsize(w->elf, ELF_T_SYM, s->nr_syms, EV_CURRENT);
	d->d_buf = w->owned[w->nr_owned++] = xzalloc(d->d_size);
	for (size_t i = 0; i < s->nr_syms; i++) {
		GElf_Sym sym = s->syms[i];

		if (!gelf_update_sym(d, (int)i, &sym))
			return false;
	}
	return true;
}

static bool write_section(struct writing *w, const struct elf_new_section *s)
{
	Elf_Scn *scn = elf_newscn(w->elf);
	Elf_Data *d = scn ? elf_newdata(scn) : NULL;
	size_t name = w->names.len;
	GElf_Shdr h;

	if (!d || !gelf_getshdr(scn, &h))
		return false;
	strbuf_add(&w->names, s->name, strlen(s->name) + 1);
	d->d_type = ELF_T_BYTE;
	d->d_version = EV_CURRENT;
	d->d_align = 1;
	d->d_buf = (void *)s->data;
	d->d_size = s->size;
	if (s->syms && !symbols(w, s, d))
		return false;
	if (!s->data && !s->syms) { /* the names themselves, complete now */
		d->d_buf = w->names.buf;
		d->d_size = w->names.len;
	}
	w->at = s->addr ? s->addr : (w->at + s->align - 1) / s->align * s->align;
	h.sh_name = (u32)name;
	h.sh_type = s->type;
	h.sh_flags = s->flags;
	h.sh_addr = s->addr;
	h.sh_offset = w->at;
	h.sh_size = d->d_size;
	h.sh_link = s->link;
	h.sh_info = s->info;
	h.sh_addralign = s->align;
	h.sh_entsize = s->syms ? gelf_fsize(w->elf, ELF_T_SYM, 1, EV_CURRENT) : 0;
	w->at += d->d_size;
	return gelf_update_shdr(scn, &h);
}

static bool write_all(struct writing *w)
{
	static const struct elf_new_section names = { .name = ".shstrtab",
						      .type = SHT_STRTAB,
						      .align = 1 };
	size_t nr = w->e->nr_sections + 1;
	GElf_Ehdr h;

	if (!write_header(w, nr))
		return false;
	for (size_t i = 0; i < w->e->nr_sections; i++)
		if (!write_section(w, &w->e->sections[i]))
			return false;
	if (!write_section(w, &names) || !gelf_getehdr(w->elf, &h))
		return false;
	/* There is room behind everything, however many segments there are. libelf fills what is
	 * between the last section and the table of sections, so they come after that. */
	h.e_shoff = ALIGN_UP(w->at, 8);
	h.e_phoff = h.e_shoff + gelf_fsize(w->elf, ELF_T_SHDR, nr + 1, EV_CURRENT);
	return gelf_update_ehdr(w->elf, &h) && write_segments(w) &&
	       elf_update(w->elf, ELF_C_WRITE) >= 0;
}

int elf_write(int fd, const struct elf_new *e, struct err *err)
{
	struct writing w = { .e = e };
	bool ok;

	if (elf_version(EV_CURRENT) == EV_NONE)
		return libelf_failed(err);
	w.elf = elf_begin(fd, ELF_C_WRITE, NULL);
	if (!w.elf)
		return libelf_failed(err);
	elf_flagelf(w.elf, ELF_C_SET, ELF_F_LAYOUT);
	w.owned = xcalloc(e->nr_sections + 1, sizeof(*w.owned));
	strbuf_addch(&w.names, '\0');
	ok = write_all(&w);
	if (!ok)
		libelf_failed(err);
	elf_end(w.elf);
	while (w.nr_owned)
		free(w.owned[--w.nr_owned]);
	free(w.owned);
	strbuf_release(&w.names);
	return ok ? 0 : -EIO;
}
#else
int elf_write(int fd, const struct elf_new *e, struct err *err)
{
	(void)fd;
	(void)e;
	return err_set(err, -ENOTSUP,
		       "this perf was built without libelf (package libelf-dev), which writes it");
}
#endif
