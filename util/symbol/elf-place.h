/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find places by the names of symbols: one of a process, or all functions of an object or the
 * kernel.
 */
#ifndef PERF_SYMBOL_ELF_PLACE_H
#define PERF_SYMBOL_ELF_PLACE_H

#include "base/arena.h"
#include "base/suggest.h"
#include "base/sysroot.h"
#include "symbol/elf-image.h"

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

/**
 * object_find_place - find the symbol @name, with or without its version, in the file @path. The
 * address is that of the object's headers.
 * @near: names like it, when there is none; the caller releases it
 * Return: 0; -ENOENT: no such symbol, -EDOM: each thread has its own, or another negative errno.
 */
int object_find_place(const char *path, const char *name, struct elf_place *out, struct near *near);

/*
 * A function of an object or the kernel. Other than in a symbol table, names that share an address
 * are all there, as are functions that share a name.
 */
struct named_function {
	const char *name; /* borrowed from the list: as the symbol table has it */
	u64 addr;         /* of the object's headers; of the running kernel: in memory */
	u64 size;         /* 0: unknown */
	u64 offset;       /* in the file of the object; 0 of the kernel */
	bool global;
	bool stub;     /* NAME@plt: by it the object calls a function of a library */
	bool indirect; /* calling it returns the address of the function that is meant (IFUNC) */
	const char *module; /* of the kernel; NULL: the kernel itself */
};

struct functions {
	struct named_function *v; /* owned; sorted by address, then name */
	size_t nr, cap;
	u32 *by_name; /* owned; see functions_by_name(); NULL: not asked for so far */
	u32 looks;    /* through all names, before they are sorted */
	struct arena names;
	struct elf_image object, debug; /* most names of an object's functions lie in these */
	bool narrow;                    /* the program has addresses of 32 bits */
	u16 machine;                    /* EM_* */
	u64 text; /* of the kernel: the address of _text, or _stext; 0: there is none */
	const char *text_name;
	bool only_stubs; /* the object has no function of its own with a name */
	bool from_debug; /* the symbols are those of a debug file */
};

/**
 * functions_of_object - list the functions of an ELF file: those of its symbol table, or of that
 * in @debug, its debug file (NULL: none), or of .gnu_debugdata and .dynsym; and its stubs.
 * Return: 0, or a negative errno and a sentence; -ENODATA when it has none.
 */
int functions_of_object(struct functions *f, const char *path, const char *debug, struct err *err);
/**
 * functions_of_kernel - list the functions of the running kernel and its modules (/proc/kallsyms).
 * @module: only those of that module, "": of the kernel alone; NULL: all
 * Return: 0, or a negative errno and a sentence; -EPERM when the addresses are hidden.
 */
int functions_of_kernel(struct functions *f, const struct sysroot *sr, const char *module,
			struct err *err);
/** functions_move - add a number to the addresses of the functions of the kernel itself. Those of
 * its modules stay. */
void functions_move(struct functions *f, u64 by);
void functions_release(struct functions *f);

/** functions_by_name - return the indices of all functions, sorted by name, then address. They stay
 * the list's. */
const u32 *functions_by_name(struct functions *f);
/** functions_named - return the first of *@nr of these that have a name. */
const u32 *functions_named(struct functions *f, const char *name, size_t *nr);
/** functions_several - tell whether several functions have a name. */
bool functions_several(struct functions *f, const char *name);
/** functions_at - return the function that an address is in, global ones first; NULL: none. */
const struct named_function *functions_at(const struct functions *f, u64 addr);

#endif
