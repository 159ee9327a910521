// SPDX-License-Identifier: GPL-2.0-or-later
/* Test copies of relocatable files in which sections, symbols and debug information have addresses,
 * in both classes and byte orders. */
#include "base/compat.h"
#include "base/alloc.h"
#include "base/strbuf.h"
#include "symbol/elf-link.h"
#include "symbol/elf-place.h"
#include "symbol/elf-image.h"
#include "tmp-tree.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

/* A file that is made field by field. */
struct maker {
	struct strbuf out;
	bool is32, big;
};

static void put(struct maker *m, u64 value, int size)
{
	for (int i = 0; i < size; i++)
		strbuf_addch(&m->out, (char)(value >> 8 * (m->big ? size - 1 - i : i)));
}

/* Put an address or an offset. */
static void word(struct maker *m, u64 value)
{
	put(m, value, m->is32 ? 4 : 8);
}

static void section(struct maker *m, u32 name, u32 type, u64 flags, u64 offset, u64 size, u32 link,
		    u32 info, u64 align, u64 entry)
{
	put(m, name, 4);
	put(m, type, 4);
	word(m, flags);
	word(m, 0);
	word(m, offset);
	word(m, size);
	put(m, link, 4);
	put(m, info, 4);
	word(m, align);
	word(m, entry);
}

static void symbol(struct maker *m, u32 name, u64 value, u8 info, u16 shndx)
{
	put(m, name, 4);
	if (m->is32) {
		put(m, value, 4);
		put(m, 0x10, 4);
	}
	put(m, info, 1);
	put(m, 0, 1);
	put(m, shndx, 2);
	if (!m->is32) {
		put(m, value, 8);
		put(m, 0x10, 8);
	}
}

static void at(const struct maker *m, u64 offset)
{
	assert_int_equal(m->out.len, offset);
}

#define NAMES                                                                                      \
	"\0.text\0.init.text\0.debug_info\0.rela.debug_info\0.symtab\0.strtab\0first\0second\0"
/* where the words of NAMES begin */
enum {
	N_TEXT = 1,
	N_INIT = 7,
	N_INFO = 18,
	N_RELA = 30,
	N_SYMTAB = 47,
	N_STRTAB = 55,
	N_FIRST = 63,
	N_SECOND = 69
};
enum {
	TEXT_AT = 0x40,
	INFO_AT = 0x100,
	RELA_AT = 0x120,
	SYMS_AT = 0x180,
	NAMES_AT = 0x200,
	HEADERS_AT = 0x280
};

static void fill(struct maker *m, u64 to)
{
	assert_true(m->out.len <= to);
	while (m->out.len < to)
		strbuf_addch(&m->out, 0);
}

static void relocation(struct maker *m, u64 offset, u32 sym, u32 type, u64 addend)
{
	word(m, offset);
	word(m, m->is32 ? sym << 8 | type : (u64)sym << 32 | type);
	word(m, addend);
}

/* Make a file with the sections .text (0x33 bytes) and .init.text, a function in each, and eight
 * bytes of debug information that are the address of the second one, and 4 of .text + 2. */
static void make(struct maker *m, u16 machine, u32 reloc_word, u32 reloc_long)
{
	u32 entry = m->is32 ? 40 : 64, sym = m->is32 ? 16 : 24, rela = m->is32 ? 12 : 24;

	strbuf_add(&m->out, "\177ELF", 4);
	put(m, m->is32 ? ELFCLASS32 : ELFCLASS64, 1);
	put(m, m->big ? ELFDATA2MSB : ELFDATA2LSB, 1);
	put(m, EV_CURRENT, 1);
	fill(m, 16);
	put(m, ET_REL, 2);
	put(m, machine, 2);
	put(m, EV_CURRENT, 4);
	word(m, 0);
	word(m, 0);
	word(m, HEADERS_AT);
	put(m, 0, 4);
	put(m, m->is32 ? 52 : 64, 2);
	put(m, 0, 4);
	put(m, entry, 2);
	put(m, 7, 2);
	put(m, 6, 2);
	fill(m, INFO_AT + 16);
	fill(m, RELA_AT);
	if (reloc_long)
		relocation(m, 0, 2, reloc_long, 0);
	else
		relocation(m, 0, 2, reloc_word, 0);
	relocation(m, 8, 1, reloc_word, 2);
	relocation(m, 14, 1, reloc_word, 0); /* beyond the end */
	fill(m, SYMS_AT);
	symbol(m, 0, 0, 0, 0);
	symbol(m, N_FIRST, 0, STT_FUNC, 1);
	symbol(m, N_SECOND, 8, STT_FUNC, 2);
	fill(m, NAMES_AT);
	strbuf_add(&m->out, NAMES, sizeof(NAMES));
	fill(m, HEADERS_AT);
	section(m, 0, SHT_NULL, 0, 0, 0, 0, 0, 0, 0);
	section(m, N_TEXT, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT_AT, 0x33, 0, 0, 16, 0);
	section(m, N_INIT, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT_AT, 0x20, 0, 0, 16, 0);
	section(m, N_INFO, SHT_PROGBITS, 0, INFO_AT, 16, 0, 0, 1, 0);
	section(m, N_RELA, SHT_RELA, 0, RELA_AT, 3 * rela, 5, 3, 8, rela);
	section(m, N_SYMTAB, SHT_SYMTAB, 0, SYMS_AT, 3 * sym, 6, 1, 8, sym);
	section(m, N_STRTAB, SHT_STRTAB, 0, NAMES_AT, sizeof(NAMES), 0, 0, 1, 0);
	at(m, HEADERS_AT + 7 * entry);
}

static u64 number(const struct maker *m, const u8 *p, int size)
{
	u64 value = 0;

	for (int i = 0; i < size; i++)
		value = value << 8 | p[m->big ? i : size - 1 - i];
	return value;
}

#define FIRST_AT ELF_LINK_AT
#define SECOND_AT (ELF_LINK_AT + 0x40 + 8)

static void check(struct maker *m, const char *path)
{
	struct functions f;
	struct elf_image e;
	struct err err;
	size_t len, nr;
	const u8 *info;
	char *copy;
	int fd;

	file_write(path, m->out.buf, m->out.len);
	fd = elf_link_open(path);
	assert_true(fd >= 0);
	copy = xasprintf("/proc/self/fd/%d", fd);
	assert_int_equal(elf_image_open(&e, copy), 0);
	assert_int_equal(e.type, ET_DYN);
	assert_int_equal(e.sections[1].addr, FIRST_AT);
	assert_int_equal(e.sections[2].addr, ELF_LINK_AT + 0x40);
	assert_int_equal(e.sections[3].addr, 0);
	info = elf_image_contents(&e, &e.sections[3], &len);
	assert_int_equal(len, 16);
	assert_int_equal(number(m, info, m->is32 ? 4 : 8), SECOND_AT);
	assert_int_equal(number(m, info + 8, 4), FIRST_AT + 2);
	elf_image_release(&e);
	assert_int_equal(functions_of_object(&f, copy, NULL, &err), 0);
	assert_int_equal(f.v[*functions_named(&f, "first", &nr)].addr, FIRST_AT);
	assert_int_equal(f.v[*functions_named(&f, "second", &nr)].addr, SECOND_AT);
	functions_release(&f);
	free(copy);
	close(fd);
}

static void test_link(void **state)
{
	char *dir = tmp_dir(), *path = xasprintf("%s/x.ko", dir);
	struct maker wide = { .is32 = false }, narrow = { .is32 = true, .big = true };
	struct maker big = { .big = true };

	(void)state;
	make(&wide, EM_X86_64, R_X86_64_32, R_X86_64_64);
	check(&wide, path);
	make(&narrow, EM_PPC, R_PPC_ADDR32, 0);
	check(&narrow, path);
	make(&big, EM_PPC64, R_PPC64_ADDR32, R_PPC64_ADDR64);
	check(&big, path);
	strbuf_release(&narrow.out);
	strbuf_release(&big.out);

	/* what is linked or no such file is refused; what is damaged is not read beyond its end */
	for (size_t at = 16; at < wide.out.len; at++) {
		u8 old = (u8)wide.out.buf[at];
		int fd;

		wide.out.buf[at] = (char)0xff;
		file_write(path, wide.out.buf, wide.out.len);
		fd = elf_link_open(path);
		if (fd >= 0)
			close(fd);
		wide.out.buf[at] = (char)old;
	}
	wide.out.buf[16] = ET_DYN;
	file_write(path, wide.out.buf, wide.out.len);
	assert_int_equal(elf_link_open(path), -EINVAL);
	file_write(path, "text", 4);
	assert_int_equal(elf_link_open(path), -ENOEXEC);
	strbuf_release(&wide.out);
	tmp_remove(dir);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_link) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
