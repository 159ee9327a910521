// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where symbols come from. The first byte chooses how the rest is read: an ELF object, the
 * text of kallsyms, or a perf-PID.map. Then every name of the table is asked for.
 */
#include "base/compat.h"
#include "symbol/symbol.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_table(const struct symtab *t)
{
	u32 i;

	for (i = 0; i < symtab_nr(t); i++) {
		const struct symbol *sym = symtab_get(t, i);

		if (!symtab_name(t, i) || strlen(symtab_raw_name(t, i)) > 1 << 20)
			abort();
		symtab_find(t, sym->start);
		symtab_find(t, sym->end);
	}
	symtab_why(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dso dso = { .short_name = "it", .pid = -1, .cpumode = PERF_RECORD_MISC_USER };
	struct symconf conf = { .buildid_dir = "" };
	struct symbols *s;
	char path[64];
	u8 id[20];
	int fd;

	if (!size)
		return 0;
	fd = memfd_create("fuzz", 0);
	if (fd < 0 || write(fd, data + 1, size - 1) != (ssize_t)size - 1)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	dso.path = path;
	switch (data[0] % 3) {
	case 0:
		dso.kind = DSO_USER;
		elf_build_id(path, id);
		note_build_id(data + 1, size - 1, id);
		break;
	case 1:
		dso.kind = DSO_KERNEL;
		dso.path = "[kernel.kallsyms]";
		dso.cpumode = PERF_RECORD_MISC_KERNEL;
		conf.kallsyms = path;
		break;
	default:
		dso.kind = DSO_PERF_MAP;
		dso.pid = 1;
	}
	s = symbols_new(&conf);
	read_table(symbols_load(s, &dso));
	symbols_free(s);
	close(fd);
	return 0;
}
