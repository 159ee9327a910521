/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Find source lines of addresses in the debug information of one object. */
#ifndef PERF_DWARF_LINES_H
#define PERF_DWARF_LINES_H

#include "base/compat.h"

struct lines;

/**
 * lines_open - read which parts of a program have line information.
 * @debug: path of the file with the debug information
 * @object: path of the mapped file, whose layout addresses refer to; may be the same or
 *	NULL
 * Return: NULL when there are no lines, or no library to read them. lines_close() frees the result.
 */
struct lines *lines_open(const char *debug, const char *object);
/** lines_close - free the line information; @l may be NULL. */
void lines_close(struct lines *l);
/**
 * lines_find - return the source line of an address. Only one thread at a time may use @l.
 * @addr: address in the object's file or, with @virtual, as its headers number it
 * @file: receives the path that the compiler was given, with its directory; valid until
 *	lines_close()
 * Return: the line, or 0 when it is unknown.
 */
u32 lines_find(struct lines *l, u64 addr, bool virtual, const char **file);

#define INLINED_MAX 64 /* nested functions; outer ones beyond that are left out */

/* A function that was inlined at an address. Strings are valid until lines_close(). */
struct inlined {
	const char *name; /* its linkage name if there is one, otherwise its name in the source */
	const char *file; /* file of the call, as from lines_find(); NULL: unknown */
	u32 line;         /* line of the call; 0: unknown */
};

/**
 * lines_inlined - return the functions that were inlined at an address. Only one thread at a time
 * may use @l.
 * @addr, @virtual: as for lines_find()
 * @out: room for INLINED_MAX functions; the innermost is first
 * Return: their number.
 */
size_t lines_inlined(struct lines *l, u64 addr, bool virtual, struct inlined *out);

/**
 * lines_symbol - look up the value of a symbol in the file with the debug information. Return:
 * whether it exists.
 */
bool lines_symbol(struct lines *l, const char *name, u64 *value);

#endif
