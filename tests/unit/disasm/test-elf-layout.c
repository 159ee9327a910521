// SPDX-License-Identifier: GPL-2.0-or-later
/* The layout of ELF files, and of what is none. */
#include "base/compat.h"
#include "disasm/elf-layout.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

/* A program of one segment and one section with code, as the ABI has it. */
struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segments[2];
	Elf64_Shdr sections[3];
	char names[16];
};

static struct image image(void)
{
	static const union {
		u16 word;
		u8 first;
	} order = { .word = 1 };
	struct image im = {
		.header = { .e_phoff = offsetof(struct image, segments),
			    .e_shoff = offsetof(struct image, sections),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = 2,
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 3,
			    .e_shstrndx = 2 },
		.segments = { { .p_type = PT_NOTE, .p_filesz = 9 },
			      { .p_type = PT_LOAD,
				.p_offset = 0x1000,
				.p_vaddr = 0x401000,
				.p_filesz = 0x200 } },
		.sections = { [1] = { .sh_name = 1,
				      .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				      .sh_addr = 0x401100,
				      .sh_offset = 0x1100,
				      .sh_size = 0x80 },
			      [2] = { .sh_offset = offsetof(struct image, names), .sh_size = 16 } },
		.names = "\0.text",
	};

	memcpy(im.header.e_ident, ELFMAG, SELFMAG);
	im.header.e_ident[EI_CLASS] = ELFCLASS64;
	im.header.e_ident[EI_DATA] = order.first ? ELFDATA2LSB : ELFDATA2MSB;
	return im;
}

static void read_bytes(struct elf_layout *l, const void *data, size_t size)
{
	int fd = memfd_create("image", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), size);
	elf_layout_read(l, fd);
	close(fd);
}

static void whole(void **state)
{
	struct image im = image();
	struct elf_layout l;
	u64 v;

	read_bytes(&l, &im, sizeof(im));
	assert_true(l.elf && l.wide);
	assert_true(elf_layout_addr(&l, 0x1010, &v));
	assert_int_equal(v, 0x401010);
	assert_true(elf_layout_offset(&l, 0x4011ff, &v));
	assert_int_equal(v, 0x11ff);
	assert_false(elf_layout_offset(&l, 0x401200, &v));
	assert_false(elf_layout_addr(&l, 0xfff, &v));
	assert_string_equal(elf_layout_section(&l, 0x1100), ".text");
	assert_null(elf_layout_section(&l, 0x1180));
	elf_layout_release(&l);
}

static void damaged(void **state)
{
	struct image im = image();
	struct elf_layout l;

	for (size_t len = 0; len < sizeof(im); len++) {
		read_bytes(&l, &im, len);
		elf_layout_release(&l);
	}
	for (size_t i = 0; i < sizeof(im); i++) {
		struct image bad = im;

		((u8 *)&bad)[i] ^= 0xff;
		read_bytes(&l, &bad, sizeof(bad));
		elf_layout_release(&l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
