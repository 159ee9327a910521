// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is an ELF file: where its code is, and how its functions find their callers, by tables
 * with and without an index, or from code. Addresses all over it are asked for. */
#include "base/compat.h"

#include "arch/frames.h"
#include "disasm/elf-layout.h"
#include "symbol/symbol.h"
#include "unwind/habit.h"
#include "unwind/object.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define STEP 13 /* bytes between the addresses */

/* An offset and its address lead to each other, unless segments overlap. */
static void check_layout(const struct elf_layout *l, size_t size)
{
	for (u64 at = 0; at < size; at += STEP) {
		u64 vaddr, offset;

		if (elf_layout_addr(l, at, &vaddr) && !elf_layout_offset(l, vaddr, &offset))
			abort();
		(void)elf_layout_section(l, at);
	}
}

static void read_layout(int fd, size_t size)
{
	const struct module_section placed[] = {
		{ .offset = 0x40, .at = 0x1000, .size = 0x40 },
		{ .offset = 0x80, .at = UINT64_MAX - 8, .size = 99 }
	};
	struct elf_layout l;

	elf_layout_read(&l, fd);
	check_layout(&l, size);
	elf_layout_place(&l, placed, ARRAY_SIZE(placed));
	check_layout(&l, size);
	elf_layout_release(&l);
}

static void read_rules(const char *path, const struct arch_frames *a, size_t size)
{
	const struct symconf conf = { .buildid_dir = "" };
	struct dso dso = { .path = path, .short_name = path, .kind = DSO_USER };
	struct symbols *symbols = symbols_new(&conf);
	struct unw_object *o = unw_object_open(symbols_load(symbols, &dso), &dso, a);
	struct unw_rules r;

	for (u64 at = 0; at < size; at += STEP) {
		unw_object_rules(o, at, at % 2, &r);
		if (r.nr > UNW_REGS ||
		    (r.valid && !r.guessed && unw_object_source(o) != UNW_TABLES && !r.signal))
			abort();
	}
	unw_object_close(o);
	symbols_free(symbols);
}

static void read_habit(int fd, const struct arch_frames *a)
{
	struct elf_image e;

	if (elf_image_open_fd(&e, dup(fd)))
		return;
	(void)frame_habit(&e, a);
	elf_image_release(&e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const unames[] = { "x86_64", "aarch64", "i686" };
	char path[32];
	int fd;

	if (size < EI_NIDENT)
		return 0;
	fd = memfd_create("object", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_layout(fd, size);
	for (size_t i = 0; i < ARRAY_SIZE(unames); i++) {
		const struct arch *arch = arch_of(unames[i]);
		const struct arch_frames *a = arch->frames ? arch->frames : arch->narrow_frames;

		read_rules(path, a, size);
		read_habit(fd, a);
	}
	close(fd);
	return 0;
}
