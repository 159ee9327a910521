/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions find a symbol of an ELF file by its name. */
#ifndef PERF_SYMBOL_ELF_PLACE_H
#define PERF_SYMBOL_ELF_PLACE_H

#include "base/suggest.h"
#include "base/sysroot.h"

struct elf_place {
	u64 addr, size;
	bool code;
	u64 first_vaddr, first_offset; /* of the first segment that is loaded */
};

/**
 * process_find_place - find the symbol @name of an object of process @pid, at the address it has
 * there.
 * @object: a path, or a file name, of what is mapped there, or a link to it; NULL: the program
 * @near: names like it, when there is none; the caller releases it
 * Return: 0; -ENOENT: no such symbol, -EDOM: each thread has its own, -ESRCH: where the program is
 * loaded is not to be seen, -ENXIO: no such object is mapped, or another negative errno.
 */
int process_find_place(const struct sysroot *sr, int pid, const char *object, const char *name,
		       struct elf_place *out, struct near *near);

#endif
