// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ELF headers of both classes and byte orders, decoded into one form and checked against the size
 * of the file, so that what is above needs to check nothing but contents. Layouts: elf(5).
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "base/cur.h"
#include "symbol/symbol-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static u64 cur_word(struct cur *c, bool is64)
{
	return is64 ? cur_u64(c) : cur_u32(c);
}

static bool in_file(const struct elf_image *e, u64 offset, u64 size)
{
	return offset <= e->size && size <= e->size - offset;
}

static void read_section(const struct elf_image *e, struct cur *c, struct elf_section *s)
{
	s->name = cur_u32(c);
	s->type = cur_u32(c);
	s->flags = cur_word(c, e->is64);
	s->addr = cur_word(c, e->is64);
	s->offset = cur_word(c, e->is64);
	s->size = cur_word(c, e->is64);
	s->link = cur_u32(c);
	s->info = cur_u32(c);
	cur_word(c, e->is64); /* alignment */
	s->entsize = cur_word(c, e->is64);
}

static void read_segment(const struct elf_image *e, struct cur *c, struct elf_segment *p)
{
	p->type = cur_u32(c);
	if (e->is64)
		p->flags = cur_u32(c);
	p->offset = cur_word(c, e->is64);
	p->vaddr = cur_word(c, e->is64);
	cur_word(c, e->is64); /* physical address */
	p->filesz = cur_word(c, e->is64);
	p->memsz = cur_word(c, e->is64);
	if (!e->is64)
		p->flags = cur_u32(c);
}

static void read_sections(struct elf_image *e, u64 offset, u64 entsize, u64 nr)
{
	u64 need = e->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), i;
	struct cur c;

	if (!offset || entsize < need || !in_file(e, offset, entsize))
		return;
	if (!nr) { /* too many for the ELF header: the count is in the first section header */
		struct elf_section first;

		c = cur_make(e->data + offset, need, e->swap);
		read_section(e, &c, &first);
		nr = first.size;
	}
	nr = MIN(nr, (e->size - offset) / entsize);
	e->sections = xcalloc(nr + 1, sizeof(*e->sections));
	e->nr_sections = (u32)nr;
	for (i = 0; i < nr; i++) {
		c = cur_make(e->data + offset + i * entsize, need, e->swap);
		read_section(e, &c, &e->sections[i]);
	}
	if (e->shstrndx == SHN_XINDEX && nr)
		e->shstrndx = e->sections[0].link;
}

static void read_segments(struct elf_image *e, u64 offset, u64 entsize, u64 nr)
{
	u64 need = e->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), i;
	struct cur c;

	if (!offset || entsize < need || offset > e->size)
		return;
	nr = MIN(nr, (e->size - offset) / entsize);
	e->segments = xcalloc(nr + 1, sizeof(*e->segments));
	e->nr_segments = (u32)nr;
	for (i = 0; i < nr; i++) {
		c = cur_make(e->data + offset + i * entsize, need, e->swap);
		read_segment(e, &c, &e->segments[i]);
	}
}

int elf_image_memory(struct elf_image *e, const void *data, size_t size)
{
	const u8 *ident = data;
	u64 phoff, shoff, phentsize, phnum, shentsize, shnum;
	struct cur c;

	*e = (struct elf_image){ .data = data, .size = size };
	if (size < EI_NIDENT || memcmp(ident, ELFMAG, SELFMAG))
		return -ENOEXEC;
	if ((ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64) ||
	    (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB))
		return -ENOEXEC;
	e->is64 = ident[EI_CLASS] == ELFCLASS64;
	e->swap = (ident[EI_DATA] == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	c = cur_make(data, size, e->swap);
	cur_skip(&c, EI_NIDENT);
	e->type = cur_u16(&c);
	e->machine = cur_u16(&c);
	cur_u32(&c); /* version */
	e->entry = cur_word(&c, e->is64);
	phoff = cur_word(&c, e->is64);
	shoff = cur_word(&c, e->is64);
	cur_u32(&c); /* flags */
	cur_u16(&c); /* size of this header */
	phentsize = cur_u16(&c);
	phnum = cur_u16(&c);
	shentsize = cur_u16(&c);
	shnum = cur_u16(&c);
	e->shstrndx = cur_u16(&c);
	if (!cur_ok(&c))
		return -ENOEXEC;
	read_sections(e, shoff, shentsize, shnum);
	read_segments(e, phoff, phentsize, phnum);
	return 0;
}

int elf_image_open(struct elf_image *e, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret;
	struct stat st;
	void *map;

	*e = (struct elf_image){ 0 };
	if (fd < 0)
		return -errno;
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
		*e = (struct elf_image){ 0 };
		return ret;
	}
	e->mapped = true;
	return 0;
}

void elf_image_release(struct elf_image *e)
{
	free(e->sections);
	free(e->segments);
	if (e->mapped)
		munmap((void *)e->data, e->size);
	*e = (struct elf_image){ 0 };
}

const u8 *elf_image_bytes(const struct elf_image *e, const struct elf_section *s, size_t *len)
{
	*len = 0;
	if (s->type == SHT_NOBITS || (s->flags & SHF_COMPRESSED) || s->offset >= e->size)
		return NULL;
	*len = (size_t)MIN(s->size, e->size - s->offset);
	return *len ? e->data + s->offset : NULL;
}

const char *elf_image_section_name(const struct elf_image *e, const struct elf_section *s)
{
	const u8 *names;
	size_t len;

	if (e->shstrndx >= e->nr_sections)
		return "";
	names = elf_image_bytes(e, &e->sections[e->shstrndx], &len);
	if (!names || s->name >= len || !memchr(names + s->name, 0, len - s->name))
		return "";
	return (const char *)names + s->name;
}

const struct elf_section *elf_image_section(const struct elf_image *e, const char *name)
{
	u32 i;

	for (i = 1; i < e->nr_sections; i++) {
		if (!strcmp(elf_image_section_name(e, &e->sections[i]), name))
			return &e->sections[i];
	}
	return NULL;
}

/* Build-id among ELF notes: {namesz, descsz, type, name, desc}, each padded to 4 bytes. */
static int notes_build_id(struct cur c, u8 id[20])
{
	while (cur_left(&c) >= sizeof(Elf32_Nhdr)) {
		u32 namesz = cur_u32(&c), descsz = cur_u32(&c), type = cur_u32(&c);
		const char *name = cur_bytes(&c, ALIGN_UP((u64)namesz, 4));
		const void *desc = cur_bytes(&c, descsz);

		if (!name || !desc)
			break;
		if (type == NT_GNU_BUILD_ID && namesz == 4 && !memcmp(name, "GNU", 4) && descsz) {
			descsz = MIN(descsz, 20);
			memset(id, 0, 20);
			memcpy(id, desc, descsz);
			return (int)descsz;
		}
		cur_skip(&c, MIN(ALIGN_UP((u64)descsz, 4) - descsz, cur_left(&c)));
	}
	return -ENOENT;
}

int note_build_id(const void *notes, size_t size, u8 id[20])
{
	return notes_build_id(cur_make(notes, size, false), id);
}

int elf_image_build_id(const struct elf_image *e, u8 id[20])
{
	const u8 *bytes;
	size_t len;
	u32 i;
	int ret;

	for (i = 1; i < e->nr_sections; i++) {
		if (e->sections[i].type != SHT_NOTE)
			continue;
		bytes = elf_image_bytes(e, &e->sections[i], &len);
		ret = bytes ? notes_build_id(cur_make(bytes, len, e->swap), id) : -ENOENT;
		if (ret > 0)
			return ret;
	}
	for (i = 0; i < e->nr_segments; i++) {
		const struct elf_segment *p = &e->segments[i];

		if (p->type != PT_NOTE || !in_file(e, p->offset, p->filesz))
			continue;
		ret = notes_build_id(cur_make(e->data + p->offset, (size_t)p->filesz, e->swap), id);
		if (ret > 0)
			return ret;
	}
	return -ENOENT;
}

int elf_build_id(const char *path, u8 id[20])
{
	struct elf_image e;
	int ret = elf_image_open(&e, path);

	if (ret)
		return ret;
	ret = elf_image_build_id(&e, id);
	elf_image_release(&e);
	return ret;
}

u64 elf_image_file_addr(const struct elf_image *e, u64 vaddr)
{
	u32 i;

	for (i = 0; i < e->nr_segments; i++) {
		const struct elf_segment *p = &e->segments[i];

		if (p->type == PT_LOAD && vaddr >= p->vaddr && vaddr - p->vaddr < p->memsz)
			return vaddr - p->vaddr + p->offset;
	}
	return vaddr;
}
