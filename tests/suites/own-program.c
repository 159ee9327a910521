// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "own-program.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <unistd.h>

int own_program_path(char path[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (n < 0)
		return -errno;
	path[n] = '\0';
	return 0;
}

/* The first object is the program itself. */
static int first_object(struct dl_phdr_info *info, size_t size __unused, void *arg)
{
	struct own_program *o = arg;

	o->id_size = -ENOENT;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_NOTE && o->id_size <= 0)
			o->id_size = note_build_id((const void *)start, ph->p_memsz, o->id);
		if (ph->p_type == PT_LOAD && o->code - start < ph->p_filesz)
			o->code_in_file = o->code - start + ph->p_offset;
	}
	return 1;
}

void own_program_find(struct own_program *o)
{
	dl_iterate_phdr(first_object, o);
}

const struct symtab *own_program_symbols(struct symbols **syms)
{
	struct symconf conf = { .buildid_dir = "" };
	char path[PATH_MAX] = "";
	struct dso dso = { .path = path, .short_name = path, .kind = DSO_USER, .pid = -1 };

	own_program_path(path);
	dso.cpumode = PERF_RECORD_MISC_USER;
	*syms = symbols_new(&conf);
	return symbols_load(*syms, &dso);
}
