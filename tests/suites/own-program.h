/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This very program, as suites look at it: its file, and where that has what is in memory. */
#ifndef PERF_TESTS_OWN_PROGRAM_H
#define PERF_TESTS_OWN_PROGRAM_H

#include "base/compat.h"
#include "symbol/symbol.h"

#include <limits.h>

struct own_program {
	uintptr_t code;   /* an address in it */
	u64 code_in_file; /* and the offset of that in the file */
	u8 id[20];
	int id_size; /* bytes of its build-id; negative: it has none */
};

/** own_program_path - get the path of its file. Return: 0, or a negative errno. */
int own_program_path(char path[PATH_MAX]);
/** own_program_find - fill in all but o->code, by what the loader made of the file. */
void own_program_find(struct own_program *o);
/** own_program_symbols - read the symbols of its file. @syms: to be freed with symbols_free() */
const struct symtab *own_program_symbols(struct symbols **syms);

#endif
