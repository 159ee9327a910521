// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is an ELF file, whose code is looked at with the debug information that it has. */
#include "base/compat.h"
#include "datatype/datatype-internal.h"
#include "asan-tls.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXT 0x1000 /* where code begins in a linked program, and its address */
#define MOST 4096   /* bytes of code */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes that the program would have at an address: those of the input. */
struct input {
	const uint8_t *data;
	size_t size;
};

static size_t read_input(void *ctx, u64 addr, void *buf, size_t size)
{
	const struct input *in = ctx;

	if (addr >= in->size || in->size - addr < size)
		return 0;
	memcpy(buf, in->data + addr, size);
	return size;
}

static void look(struct input *in, const struct code *known, const char *uname)
{
	const struct arch *arch = arch_of(uname);
	struct disasm *d = disasm_open_operands(arch, true);
	struct code c = *known;

	c.debug = c.info ? debug_function_at(c.info, TEXT) : NULL;
	c.abi = arch->frames;
	c.arch = arch->code;
	c.wide = true;
	c.read = read_input;
	c.read_ctx = in;
	c.start = TEXT;
	if (!d)
		return;
	code_decode(&c, d, in->data + TEXT, MIN(in->size - TEXT, (size_t)MOST));
	code_follow(&c);
	for (size_t k = 0; k < c.nr_blocks; k++) {
		struct state s = c.blocks[k].in;

		for (u32 i = c.blocks[k].first; i < c.blocks[k].first + c.blocks[k].nr; i++) {
			struct access_result found;

			state_enter(&c, i, &s);
			access_find(&(struct place_in_code){ &c, i, &s }, &found);
			if (found.result >= NR_DATATYPE_RESULTS)
				abort();
			state_leave(&c, i, &s);
		}
	}
	code_release(&c);
	disasm_close(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct code c = { 0 };
	struct relocs *relocs;
	char path[32];
	int fd;

	if (size <= TEXT)
		return 0;
	fd = memfd_create("input", MFD_CLOEXEC);
	if (fd < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		c.info = debuginfo_open(path);
		c.frames = frames_open(path);
		c.relocs = relocs = relocs_open(path);
		look(&in, &c, data[18] == EM_AARCH64 ? "aarch64" : "x86_64");
		debuginfo_close(c.info);
		frames_close(c.frames);
		relocs_close(relocs);
	}
	close(fd);
	return 0;
}
