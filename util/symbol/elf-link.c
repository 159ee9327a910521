// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "symbol/elf-link.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#include <elf.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define SECTIONS_AT 8 /* the alignment of what is put behind the end of the file */

/* The place of a number in a structure of the file, and its bytes. */
struct place {
	u16 at, size;
};
#define PLACE(type, member)                                                                        \
	{                                                                                          \
		offsetof(type, member), sizeof(((type *)0)->member)                                \
	}

/* These numbers are changed in a file of a class. */
struct layout {
	struct place type, headers;             /* in its header */
	struct place flags, addr, offset, size; /* in the header of a section */
	struct place value;                     /* in a symbol */
	u16 header_size, symbol_size;
};

static const struct layout wide = {
	PLACE(Elf64_Ehdr, e_type),  PLACE(Elf64_Ehdr, e_shoff),   PLACE(Elf64_Shdr, sh_flags),
	PLACE(Elf64_Shdr, sh_addr), PLACE(Elf64_Shdr, sh_offset), PLACE(Elf64_Shdr, sh_size),
	PLACE(Elf64_Sym, st_value), sizeof(Elf64_Shdr),           sizeof(Elf64_Sym),
};
static const struct layout narrow = {
	PLACE(Elf32_Ehdr, e_type),  PLACE(Elf32_Ehdr, e_shoff),   PLACE(Elf32_Shdr, sh_flags),
	PLACE(Elf32_Shdr, sh_addr), PLACE(Elf32_Shdr, sh_offset), PLACE(Elf32_Shdr, sh_size),
	PLACE(Elf32_Sym, st_value), sizeof(Elf32_Shdr),           sizeof(Elf32_Sym),
};

/* A file while it is linked. */
struct linking {
	struct elf_image e;
	const struct layout *layout;
	struct strbuf out; /* the copy */
	u64 *at;           /* owned: the addresses of sections, by their numbers */
	u64 headers;       /* of sections, in the file */
};

/* ---- numbers in the byte order of the file ---- */

static void put(struct linking *l, u64 base, struct place p, u64 value)
{
	u8 bytes[8];

	for (u16 i = 0; i < p.size; i++)
		bytes[i] = (u8)(value >> 8 * i);
	if ((__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != l->e.swap)
		for (u16 i = 0; i < p.size / 2; i++)
			SWAP(bytes[i], bytes[p.size - 1 - i]);
	if (base <= l->out.len && l->out.len - base >= (u64)p.at + p.size)
		memcpy(l->out.buf + base + p.at, bytes, p.size);
}

static u64 get(const struct linking *l, u64 base, struct place p)
{
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != l->e.swap;
	u64 value = 0;

	if (base > l->out.len || l->out.len - base < (u64)p.at + p.size)
		return 0;
	for (u16 i = 0; i < p.size; i++) {
		u16 from = big ? i : (u16)(p.size - 1 - i);

		value = value << 8 | (u8)l->out.buf[base + p.at + from];
	}
	return value;
}

static void put_header(struct linking *l, u32 section, struct place p, u64 value)
{
	put(l, l->headers + (u64)section * l->layout->header_size, p, value);
}

/* ---- steps ---- */

/* Choose the addresses of the sections that are loaded. */
static void place_sections(struct linking *l)
{
	u64 at = ELF_LINK_AT;

	l->at = xcalloc(l->e.nr_sections + 1, sizeof(*l->at));
	for (u32 i = 1; i < l->e.nr_sections; i++) {
		const struct elf_section *s = &l->e.sections[i];

		if (!(s->flags & SHF_ALLOC))
			continue;
		if (s->align > 1 && at % s->align)
			at += s->align - at % s->align;
		l->at[i] = at;
		put_header(l, i, l->layout->addr, at);
		at += s->size;
	}
}

/* Put the contents of a compressed section behind the file. Return: where. */
static u64 put_unpacked(struct linking *l, u32 section, const u8 *bytes, size_t len)
{
	while (l->out.len % SECTIONS_AT)
		strbuf_addch(&l->out, 0);
	put_header(l, section, l->layout->offset, l->out.len);
	put_header(l, section, l->layout->size, len);
	put_header(l, section, l->layout->flags, l->e.sections[section].flags & ~SHF_COMPRESSED);
	strbuf_add(&l->out, bytes, len);
	return l->out.len - len;
}

/* Put addresses into sections with debug information. Those that are loaded the kernel relocates
 * itself, and nothing here reads them. */
static void relocate_sections(struct linking *l)
{
	for (u32 i = 1; i < l->e.nr_sections; i++) {
		const struct elf_section *s = &l->e.sections[i];
		u64 offset = s->offset;
		const u8 *bytes;
		size_t len;

		if ((s->flags & SHF_ALLOC) || strncmp(s->name, ".debug_", 7))
			continue;
		bytes = elf_image_contents(&l->e, s, &len);
		if (!bytes)
			continue;
		if (s->flags & SHF_COMPRESSED)
			offset = put_unpacked(l, i, bytes, len);
		if (offset <= l->out.len && l->out.len - offset >= len)
			elf_image_relocate(&l->e, s, (u8 *)l->out.buf + offset, len, l->at);
	}
}

/* Put the addresses of sections into the values of symbols. */
static void move_symbols(struct linking *l)
{
	struct elf_symtab t;
	struct elf_sym s;

	if (!elf_image_symtab(&l->e, SHT_SYMTAB, &t))
		return;
	for (u32 i = 1; i < l->e.nr_sections; i++) {
		const struct elf_section *table = &l->e.sections[i];

		if (table->type != SHT_SYMTAB)
			continue;
		for (size_t k = 1; k < t.nr; k++) {
			elf_symtab_entry(&t, k, &s);
			if (s.shndx < l->e.nr_sections && l->at[s.shndx])
				put(l, table->offset + k * l->layout->symbol_size, l->layout->value,
				    s.value + l->at[s.shndx]);
		}
		return;
	}
}

static void link_file(struct linking *l)
{
	l->layout = l->e.is64 ? &wide : &narrow;
	l->headers = get(l, 0, l->layout->headers);
	place_sections(l);
	relocate_sections(l);
	move_symbols(l);
	put(l, 0, l->layout->type, ET_DYN);
}

/* ---- opening ---- */

/* Return a descriptor of the bytes, or a negative errno. */
static int as_file(const struct strbuf *bytes)
{
	int fd = memfd_create("perf-linked", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < bytes->len) {
		ssize_t n = write(fd, bytes->buf + done, bytes->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			int code = n ? -errno : -EIO;

			close(fd);
			return code;
		}
		done += (size_t)n;
	}
	return fd < 0 ? -errno : fd;
}

int elf_link_open(const char *path)
{
	struct linking l = { .out = STRBUF_INIT };
	int rc = elf_image_open(&l.e, path);
	const u8 *bytes;
	size_t len;

	if (rc)
		return rc;
	bytes = elf_image_file(&l.e, &len);
	if (l.e.type != ET_REL || !bytes) {
		elf_image_release(&l.e);
		return -EINVAL;
	}
	strbuf_add(&l.out, bytes, len);
	link_file(&l);
	rc = as_file(&l.out);
	strbuf_release(&l.out);
	free(l.at);
	elf_image_release(&l.e);
	return rc;
}
