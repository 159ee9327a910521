// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "disasm/elf-layout.h"

#include "base/alloc.h"
#include "base/cur.h"
#include "symbol/symbol.h"

#include <elf.h>
#include <unistd.h>

#define MOST_PARTS 8192 /* segments or sections that are looked at */
#define SECTION_CODE (SHF_ALLOC | SHF_EXECINSTR)

/* The place of one of the two tables of a file. */
struct table {
	u64 offset;
	u16 entry, nr;
};

/* Read up to @size bytes. The caller frees. */
static u8 *read_bytes(int fd, u64 offset, size_t size, size_t *got)
{
	u8 *buf = xmalloc(size ? size : 1);
	ssize_t n = offset <= INT64_MAX ? pread(fd, buf, size, (off_t)offset) : -1;

	*got = n > 0 ? (size_t)n : 0;
	return buf;
}

static u64 word(struct cur *c, bool wide)
{
	return wide ? cur_u64(c) : cur_u32(c);
}

static bool host_is_big(void)
{
	const union {
		u16 word;
		u8 first;
	} order = { .word = 1 };

	return !order.first;
}

/* Read the header of the file. Return: whether the integers are in the other byte order. */
static bool read_header(struct elf_layout *l, int fd, struct table *segments,
			struct table *sections, u16 *names)
{
	size_t got;
	u8 *buf = read_bytes(fd, 0, sizeof(Elf64_Ehdr), &got);
	bool swap = false;
	struct cur c;

	if (got >= EI_NIDENT && !memcmp(buf, ELFMAG, SELFMAG)) {
		l->wide = buf[EI_CLASS] == ELFCLASS64;
		swap = (buf[EI_DATA] == ELFDATA2MSB) != host_is_big();
		c = cur_make(buf, got, swap);
		cur_skip(&c, EI_NIDENT + 2);
		l->machine = cur_u16(&c);
		cur_u32(&c);       /* the version */
		word(&c, l->wide); /* where it starts */
		segments->offset = word(&c, l->wide);
		sections->offset = word(&c, l->wide);
		cur_skip(&c, 6);
		segments->entry = cur_u16(&c);
		segments->nr = cur_u16(&c);
		sections->entry = cur_u16(&c);
		sections->nr = cur_u16(&c);
		*names = cur_u16(&c);
		l->elf = cur_ok(&c);
	}
	free(buf);
	return swap;
}

static void add_part(struct elf_layout *l, const struct elf_part *p)
{
	if (!p->size || p->offset + p->size < p->offset || p->vaddr + p->size < p->vaddr)
		return;
	VEC_GROW(l->parts, l->nr + 1, l->cap);
	l->parts[l->nr++] = *p;
}

static void read_segments(struct elf_layout *l, int fd, const struct table *t, bool swap)
{
	size_t got, nr = MIN(t->nr, MOST_PARTS);
	u8 *buf = read_bytes(fd, t->offset, nr * t->entry, &got);

	for (size_t i = 0; i < nr && (i + 1) * t->entry <= got; i++) {
		struct cur c = cur_make(buf + i * t->entry, t->entry, swap);
		struct elf_part p = { 0 };
		u32 type = cur_u32(&c);

		if (l->wide)
			cur_u32(&c); /* flags */
		p.offset = word(&c, l->wide);
		p.vaddr = word(&c, l->wide);
		word(&c, l->wide); /* the physical address */
		p.size = word(&c, l->wide);
		if (cur_ok(&c) && type == PT_LOAD)
			add_part(l, &p);
	}
	free(buf);
	l->nr_segments = l->nr;
}

/* Read one section header. Return: whether it could be read; @name: where its name is. */
static bool read_section(const u8 *at, u16 entry, bool wide, bool swap, struct elf_part *p,
			 u32 *name, u64 *flags)
{
	struct cur c = cur_make(at, entry, swap);

	*name = cur_u32(&c);
	cur_u32(&c); /* the type */
	*flags = word(&c, wide);
	p->vaddr = word(&c, wide);
	p->offset = word(&c, wide);
	p->size = word(&c, wide);
	return cur_ok(&c);
}

static void name_section(struct elf_part *p, int fd, const struct elf_part *names, u32 name)
{
	size_t got;
	u8 *text;

	if (name >= names->size)
		return;
	text = read_bytes(fd, names->offset + name, sizeof(p->name) - 1, &got);
	memcpy(p->name, text, got);
	free(text);
}

static void read_sections(struct elf_layout *l, int fd, const struct table *t, u16 names, bool swap)
{
	size_t got, nr = MIN(t->nr, MOST_PARTS);
	u8 *buf = read_bytes(fd, t->offset, nr * t->entry, &got);
	struct elf_part strings = { 0 };
	u64 flags;
	u32 name;

	nr = t->entry ? MIN(nr, got / t->entry) : 0;
	if (names < nr)
		read_section(buf + (size_t)names * t->entry, t->entry, l->wide, swap, &strings,
			     &name, &flags);
	for (size_t i = 0; i < nr; i++) {
		struct elf_part p = { 0 };

		if (!read_section(buf + i * t->entry, t->entry, l->wide, swap, &p, &name, &flags) ||
		    (flags & SECTION_CODE) != SECTION_CODE)
			continue;
		name_section(&p, fd, &strings, name);
		add_part(l, &p);
	}
	free(buf);
}

void elf_layout_read(struct elf_layout *l, int fd)
{
	struct table segments = { 0 }, sections = { 0 };
	u16 names = 0;
	bool swap;

	*l = (struct elf_layout){ 0 };
	swap = read_header(l, fd, &segments, &sections, &names);
	if (!l->elf)
		return;
	read_segments(l, fd, &segments, swap);
	read_sections(l, fd, &sections, names, swap);
}

void elf_layout_place(struct elf_layout *l, const struct module_section *sections, size_t nr)
{
	struct elf_layout placed = { .machine = l->machine, .elf = l->elf, .wide = l->wide };

	for (size_t i = 0; i < nr; i++)
		add_part(&placed, &(struct elf_part){ .offset = sections[i].offset,
						      .vaddr = sections[i].at,
						      .size = sections[i].size });
	placed.nr_segments = placed.nr;
	for (size_t i = l->nr_segments; i < l->nr; i++)
		add_part(&placed, &l->parts[i]);
	free(l->parts);
	*l = placed;
}

void elf_layout_release(struct elf_layout *l)
{
	free(l->parts);
	*l = (struct elf_layout){ 0 };
}

bool elf_layout_addr(const struct elf_layout *l, u64 offset, u64 *vaddr)
{
	for (size_t i = 0; i < l->nr_segments; i++) {
		const struct elf_part *p = &l->parts[i];

		if (offset < p->offset || offset - p->offset >= p->size)
			continue;
		*vaddr = p->vaddr + (offset - p->offset);
		return true;
	}
	return false;
}

bool elf_layout_offset(const struct elf_layout *l, u64 vaddr, u64 *offset)
{
	for (size_t i = 0; i < l->nr_segments; i++) {
		const struct elf_part *p = &l->parts[i];

		if (vaddr < p->vaddr || vaddr - p->vaddr >= p->size)
			continue;
		*offset = p->offset + (vaddr - p->vaddr);
		return true;
	}
	return false;
}

const char *elf_layout_section(const struct elf_layout *l, u64 offset)
{
	for (size_t i = l->nr_segments; i < l->nr; i++) {
		const struct elf_part *p = &l->parts[i];

		if (offset >= p->offset && offset - p->offset < p->size)
			return p->name;
	}
	return NULL;
}
