// SPDX-License-Identifier: GPL-2.0-or-later
/* The input is an ELF file with debug information: its lines, what is inlined, and what
 * its functions keep. */
#include "base/compat.h"
#include "dwarf/frames.h"
#include "dwarf/lines.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* Where a library that came later keeps what is of a thread (libdw: its last error), the leak
 * checker of gcc 12 guesses wrongly, reads there and dies. */
const char *__asan_default_options(void)
{
	return "intercept_tls_get_addr=0";
}

static void look(const char *path)
{
	struct lines *l = lines_open(path, path);
	struct frames *f = frames_open(path);
	struct inlined in[INLINED_MAX];
	const char *file;
	u64 value;

	for (u64 addr = 0; addr < 0x2000; addr += 0x80) {
		if (l) {
			(void)lines_find(l, addr, false, &file);
			(void)lines_find(l, 0x400000 + addr, true, &file);
			(void)lines_inlined(l, addr, false, in);
			(void)lines_inlined(l, 0x400000 + addr, true, in);
		}
		if (f)
			for (int reg = 0; reg < 17; reg += 8)
				(void)frames_untouched(f, addr, reg);
	}
	if (l)
		(void)lines_symbol(l, "main", &value);
	lines_close(l);
	frames_close(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	char path[32];

	if (fd < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size)
		look(path);
	close(fd);
	return 0;
}
