/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of addresses, from the debug information of one object. */
#ifndef PERF_DWARF_LINES_H
#define PERF_DWARF_LINES_H

#include "base/compat.h"

struct lines;

/**
 * lines_open - read which parts of a program have lines.
 * @debug: path of the file with the debug information
 * @object: of the one that is mapped, whose layout addresses follow; may be the same or NULL
 * Return: NULL when there are no lines (or no library to read them). Free with lines_close().
 */
struct lines *lines_open(const char *debug, const char *object);
void lines_close(struct lines *l);
/**
 * lines_find - the line of an address, in one thread at a time.
 * @addr: in the object's file, or, with @virtual, as its headers number it
 * @file: path as the compiler was told, from its folder; borrowed until lines_close()
 * Return: the line, 0 when it is not known.
 */
u32 lines_find(struct lines *l, u64 addr, bool virtual, const char **file);

#define INLINED_MAX 64 /* of functions in each other; those further out are left out */

/* A function that was inlined where an address is. What it points to is borrowed until
 * lines_close(). */
struct inlined {
	const char *name; /* as the linker would know it, else as written */
	const char *file; /* where it was called, as of lines_find(); NULL: not known */
	u32 line;         /* 0: not known */
};

/**
 * lines_inlined - the functions that were inlined at an address, in one thread at a time.
 * @addr, @virtual: as for lines_find()
 * @out: room for INLINED_MAX; the innermost function is first
 * Return: how many there are.
 */
size_t lines_inlined(struct lines *l, u64 addr, bool virtual, struct inlined *out);

/** lines_symbol - the value of a symbol of the file with the lines; false: not there. */
bool lines_symbol(struct lines *l, const char *name, u64 *value);

#endif
