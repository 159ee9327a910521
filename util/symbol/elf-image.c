// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ELF files of both classes and byte orders through libelf, which checks offsets and sizes against
 * the file and turns foreign bytes around. Section and program headers are copied out once.
 */
#include "base/compat.h"

#include "symbol/symbol-internal.h"

#ifdef HAVE_LIBELF
#include "arch/elf.h"
#include "base/alloc.h"
#include "codec/unpack.h"

#include <errno.h>
#include <gelf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static Elf_Scn *section_handle(const struct elf_image *e, const struct elf_section *s)
{
	return elf_getscn(e->elf, (size_t)(s - e->sections));
}

static void read_sections(struct elf_image *e)
{
	size_t nr = 0, names = 0, i;

	if (elf_getshdrnum(e->elf, &nr) || !nr)
		return;
	nr = MIN(nr, e->size / sizeof(Elf32_Shdr) + 1);
	if (elf_getshdrstrndx(e->elf, &names))
		names = 0;
	e->sections = xcalloc(nr, sizeof(*e->sections));
	e->nr_sections = (u32)nr;
	for (i = 0; i < nr; i++) {
		struct elf_section *s = &e->sections[i];
		const char *name;
		GElf_Shdr sh;

		s->name = "";
		if (!gelf_getshdr(elf_getscn(e->elf, i), &sh))
			continue;
		name = names ? elf_strptr(e->elf, names, sh.sh_name) : NULL;
		if (name)
			s->name = name;
		s->type = sh.sh_type;
		s->link = sh.sh_link;
		s->info = sh.sh_info;
		s->flags = sh.sh_flags;
		s->addr = sh.sh_addr;
		s->offset = sh.sh_offset;
		s->size = sh.sh_size;
		s->entsize = sh.sh_entsize;
		s->align = sh.sh_addralign;
	}
}

static void read_segments(struct elf_image *e)
{
	size_t nr = 0, i;

	if (elf_getphdrnum(e->elf, &nr) || !nr)
		return;
	nr = MIN(nr, e->size / sizeof(Elf32_Phdr) + 1);
	e->segments = xcalloc(nr, sizeof(*e->segments));
	for (i = 0; i < nr; i++) {
		struct elf_segment *p = &e->segments[e->nr_segments];
		GElf_Phdr ph;

		if (!gelf_getphdr(e->elf, (int)i, &ph))
			break;
		*p = (struct elf_segment){ ph.p_type,   ph.p_offset, ph.p_vaddr,
					   ph.p_filesz, ph.p_memsz,  ph.p_align };
		e->nr_segments++;
	}
}

int elf_image_memory(struct elf_image *e, const void *data, size_t size)
{
	const u16 one = 1;
	GElf_Ehdr eh;

	*e = (struct elf_image){ .size = size };
	if (size < EI_NIDENT || memcmp(data, ELFMAG, SELFMAG) || elf_version(EV_CURRENT) == EV_NONE)
		return -ENOEXEC;
	/* The image is opened for reading, so libelf writes to copies only. */
	e->elf = elf_memory((char *)data, size);
	if (!e->elf || elf_kind(e->elf) != ELF_K_ELF || !gelf_getehdr(e->elf, &eh)) {
		elf_image_release(e);
		return -ENOEXEC;
	}
	e->is64 = gelf_getclass(e->elf) == ELFCLASS64;
	e->swap = (eh.e_ident[EI_DATA] == ELFDATA2LSB) != (*(const u8 *)&one == 1);
	e->type = eh.e_type;
	e->machine = eh.e_machine;
	e->arch = arch_elf_of(e->machine);
	read_sections(e);
	read_segments(e);
	return 0;
}

int elf_image_open(struct elf_image *e, const char *path)
{
	int fd = unpacked_open(path, ELF_UNPACKED_MAX);

	*e = (struct elf_image){ 0 };
	return fd < 0 ? fd : elf_image_open_fd(e, fd);
}

int elf_image_open_fd(struct elf_image *e, int fd)
{
	struct stat st;
	void *map;
	int ret;

	*e = (struct elf_image){ 0 };
	if (fstat(fd, &st) < 0) {
		ret = -errno;
		close(fd);
		return ret;
	}
	if (!S_ISREG(st.st_mode) || st.st_size < EI_NIDENT) {
		close(fd);
		return S_ISDIR(st.st_mode) ? -EISDIR : -ENOEXEC;
	}
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	ret = map == MAP_FAILED ? -errno : 0;
	close(fd);
	if (ret)
		return ret;
	ret = elf_image_memory(e, map, (size_t)st.st_size);
	if (ret) {
		munmap(map, (size_t)st.st_size);
	} else {
		e->map = map;
		e->map_size = e->size;
	}
	return ret;
}

void elf_image_release(struct elf_image *e)
{
	free(e->sections);
	free(e->segments);
	elf_end(e->elf);
	if (e->map)
		munmap(e->map, e->map_size);
	*e = (struct elf_image){ 0 };
}

const u8 *elf_image_bytes(const struct elf_image *e, const struct elf_section *s, size_t *len)
{
	Elf_Data *d;

	*len = 0;
	if (s->type == SHT_NOBITS || (s->flags & SHF_COMPRESSED))
		return NULL;
	d = elf_rawdata(section_handle(e, s), NULL);
	if (!d || !d->d_buf || !d->d_size)
		return NULL;
	*len = d->d_size;
	return d->d_buf;
}

/* ---- compressed sections ---- */

#define RATIO_MAX 1040 /* deflate makes no more of a byte, so the file is not what it says */

/* Return the size that a compressed section says it has unpacked, or 0. Before the standard had
 * such sections, GNU named them .zdebug_* and gave them a header of their own. */
static u64 unpacked_size(const struct elf_image *e, const struct elf_section *s)
{
	GElf_Chdr ch;
	Elf_Data *d;
	u64 size = 0;

	if (s->flags & SHF_COMPRESSED)
		return gelf_getchdr(section_handle(e, s), &ch) ? ch.ch_size : 0;
	d = elf_rawdata(section_handle(e, s), NULL);
	if (!d || !d->d_buf || d->d_size < 12 || memcmp(d->d_buf, "ZLIB", 4))
		return 0;
	for (size_t i = 4; i < 12; i++)
		size = size << 8 | ((const u8 *)d->d_buf)[i];
	return size;
}

/* Let libelf write the section headers, which it does where it unpacks, in the private mapping of
 * the file. */
static bool headers_writable(const struct elf_image *e)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
	size_t start, len;
	GElf_Ehdr eh;

	if (!e->map || !gelf_getehdr(e->elf, &eh) || eh.e_shoff > e->map_size)
		return false;
	start = (size_t)eh.e_shoff & ~page;
	len = MIN((size_t)eh.e_shoff + (size_t)e->nr_sections * eh.e_shentsize, e->map_size);
	return !mprotect((char *)e->map + start, len - start, PROT_READ | PROT_WRITE);
}

static bool unpack(const struct elf_image *e, const struct elf_section *s)
{
	u64 size = unpacked_size(e, s);

	if (!size || size / RATIO_MAX > s->size || !headers_writable(e))
		return false;
	return s->flags & SHF_COMPRESSED ? elf_compress(section_handle(e, s), 0, 0) >= 0
					 : elf_compress_gnu(section_handle(e, s), 0, 0) >= 0;
}

const u8 *elf_image_contents(const struct elf_image *e, const struct elf_section *s, size_t *len)
{
	Elf_Data *d;

	if (!(s->flags & SHF_COMPRESSED) && strncmp(s->name, ".zdebug_", 8) != 0)
		return elf_image_bytes(e, s, len);
	*len = 0;
	if (!unpack(e, s))
		return NULL;
	d = elf_rawdata(section_handle(e, s), NULL);
	if (!d || !d->d_buf || !d->d_size)
		return NULL;
	*len = d->d_size;
	return d->d_buf;
}

const u8 *elf_image_file(const struct elf_image *e, size_t *size)
{
	*size = 0;
	return e->elf ? (const u8 *)elf_rawfile(e->elf, size) : NULL;
}

/* ---- symbols and relocations ---- */

bool elf_image_symtab(const struct elf_image *e, u32 type, struct elf_symtab *t)
{
	u32 i;

	for (i = 1; i < e->nr_sections; i++) {
		const struct elf_section *s = &e->sections[i];
		size_t entry = gelf_fsize(e->elf, ELF_T_SYM, 1, EV_CURRENT);
		Elf_Data *d;

		if (s->type != type || s->link >= e->nr_sections || (s->flags & SHF_COMPRESSED))
			continue;
		d = elf_getdata(section_handle(e, s), NULL);
		t->strs = (const char *)elf_image_bytes(e, &e->sections[s->link], &t->strs_len);
		if (!d || !d->d_buf || d->d_type != ELF_T_SYM || !t->strs || !entry)
			continue;
		t->syms = d;
		t->syms64 = e->is64 ? d->d_buf : NULL;
		t->nr = d->d_size / entry;
		t->eh = (struct eh_table){ 0 };
		if (t->nr)
			return true;
	}
	return false;
}

void elf_symtab_entry(const struct elf_symtab *t, size_t i, struct elf_sym *out)
{
	GElf_Sym s;

	if (t->syms64) { /* of nearly all: it is asked for often */
		memcpy(&s, t->syms64 + i * sizeof(s), sizeof(s));
	} else if (!gelf_getsym((Elf_Data *)t->syms, (int)i, &s)) {
		*out = (struct elf_sym){ 0 };
		return;
	}
	*out = (struct elf_sym){
		.name_at = s.st_name,
		.value = s.st_value,
		.size = s.st_size,
		.shndx = s.st_shndx,
		.info = s.st_info,
		.other = s.st_other,
	};
}

u64 elf_symtab_hash(const struct elf_symtab *t)
{
	const Elf_Data *d = t->syms;

	return hash_bytes(d->d_buf, d->d_size);
}

void elf_symtab_ask(const struct elf_symtab *t, size_t i)
{
	GElf_Word at;

	if (!t->syms64 || i >= t->nr)
		return;
	memcpy(&at, t->syms64 + i * sizeof(GElf_Sym) + offsetof(GElf_Sym, st_name), sizeof(at));
	if (at < t->strs_len)
		__builtin_prefetch(t->strs + at);
}

void elf_symtab_get(const struct elf_symtab *t, size_t i, struct elf_sym *out)
{
	elf_symtab_entry(t, i, out);
	if (out->name_at < t->strs_len) {
		out->name_len = strnlen(t->strs + out->name_at, t->strs_len - out->name_at);
		out->name = out->name_len ? t->strs + out->name_at : NULL;
	}
}

bool elf_image_reloc(const struct elf_image *e, const struct elf_section *rel, size_t i,
		     struct elf_reloc *out)
{
	Elf_Data *d = elf_getdata(section_handle(e, rel), NULL);
	GElf_Rela rela;
	GElf_Rel r;

	if (!d || (d->d_type != ELF_T_REL && d->d_type != ELF_T_RELA))
		return false;
	if (d->d_type == ELF_T_RELA ? !gelf_getrela(d, (int)i, &rela) : !gelf_getrel(d, (int)i, &r))
		return false;
	if (d->d_type == ELF_T_REL)
		rela = (GElf_Rela){ r.r_offset, r.r_info, 0 };
	*out = (struct elf_reloc){
		.offset = rela.r_offset,
		.addend = (u64)rela.r_addend,
		.sym = (u32)GELF_R_SYM(rela.r_info),
		.type = (u32)GELF_R_TYPE(rela.r_info),
		.in_place = d->d_type == ELF_T_REL,
	};
	return true;
}

/* ---- build-ids ---- */

/* Find a build-id among ELF notes in native order. One that is longer than 20 bytes is cut. */
static int data_build_id(Elf_Data *d, u8 id[20])
{
	size_t off = 0, name, desc;
	GElf_Nhdr nh;

	while (d && d->d_buf && (off = gelf_getnote(d, off, &nh, &name, &desc)) > 0) {
		const char *bytes = d->d_buf;

		if (nh.n_type != NT_GNU_BUILD_ID || nh.n_namesz != 4 ||
		    memcmp(bytes + name, "GNU", 4) || !nh.n_descsz)
			continue;
		memset(id, 0, 20);
		memcpy(id, bytes + desc, MIN(nh.n_descsz, 20U));
		return (int)MIN(nh.n_descsz, 20U);
	}
	return -ENOENT;
}

int note_build_id(const void *notes, size_t size, u8 id[20])
{
	Elf_Data d = { .d_buf = (void *)notes,
		       .d_type = ELF_T_NHDR,
		       .d_size = size,
		       .d_align = 4,
		       .d_version = EV_CURRENT };

	return data_build_id(&d, id);
}

int elf_image_build_id(const struct elf_image *e, u8 id[20])
{
	u32 i;
	int ret;

	for (i = 1; i < e->nr_sections; i++) {
		if (e->sections[i].type != SHT_NOTE)
			continue;
		ret = data_build_id(elf_getdata(section_handle(e, &e->sections[i]), NULL), id);
		if (ret > 0)
			return ret;
	}
	for (i = 0; i < e->nr_segments; i++) {
		const struct elf_segment *p = &e->segments[i];

		if (p->type != PT_NOTE || p->offset > e->size || p->filesz > e->size - p->offset)
			continue;
		ret = data_build_id(elf_getdata_rawchunk(e->elf, (int64_t)p->offset, p->filesz,
							 p->align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR),
				    id);
		if (ret > 0)
			return ret;
	}
	return -ENOENT;
}
#endif
