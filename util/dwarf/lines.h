/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Find source lines of addresses in the debug information of one object, and the functions that
 * were inlined there. DWARF 2 to 5 is read, also when it is compressed, split into other files
 * (.dwo, .dwp), or has its common part in another file (dwz).
 *
 * When an object is opened, only the headers of its units and their addresses are read. A unit is
 * read when one of its addresses is asked for. Any number of threads may ask at the same time;
 * those that ask for one unit wait for each other, so threads that have many addresses share them
 * out by lines_unit().
 */
#ifndef PERF_DWARF_LINES_H
#define PERF_DWARF_LINES_H

#include "base/err.h"

struct lines;
struct line_source;
struct objcache;
struct module_section;

/**
 * lines_open - read which parts of a program have debug information.
 * @debug: path of the file with the debug information
 * @object: path of the mapped file, whose layout addresses refer to; may be the same or
 *	NULL
 * Return: NULL when there is none. lines_close() frees the result.
 */
struct lines *lines_open(const char *debug, const char *object);
/**
 * lines_open_module - do the same for a kernel module, whose file is not linked.
 * @debug: the file with the debug information
 * @sections: where the loader puts those with code (symtab_sections()), @nr of them; addresses
 *	count from where the module begins, and are asked for with @virtual
 */
struct lines *lines_open_module(const char *debug, const struct module_section *sections,
				size_t nr);
/**
 * lines_open_by - do what lines_open() does, by means of the reader that is asked for. All of an
 * object is one unit then, numbered 0.
 */
struct lines *lines_open_by(const struct line_source *by, const char *debug, const char *object);

/* The place on disk where it is kept which units an object has, and which functions are in them. */
struct source_keep {
	struct objcache *cache; /* borrowed; NULL: nothing is kept */
	const u8 *id;           /* the build-id of the object, of @id_size bytes; 0: it has none */
	u8 id_size;
};
/**
 * lines_open_kept - do what lines_open() does, and take from the cache what earlier runs found of a
 * large object. Where nothing is kept so far, lines_close() keeps its units; the second run that
 * looks for functions lists all of them. Only one thread at a time may look for functions.
 */
struct lines *lines_open_kept(const char *debug, const char *object,
			      const struct source_keep *keep);
/** lines_close - free the line information; @l may be NULL. */
void lines_close(struct lines *l);
/**
 * lines_find - return the source line of an address.
 * @addr: address in the object's file or, with @virtual, as its headers number it
 * @file: receives the path that the compiler was given, with its directory; valid until
 *	lines_close()
 * Return: the line, or 0 when it is unknown.
 */
u32 lines_find(struct lines *l, u64 addr, bool virtual, const char **file);

/**
 * line_source_parse - take the first reader of a list that this perf can use.
 * @list: "NAME[,NAME...]" of builtin, libdw, llvm, libbfd, and cmd:addr2line or addr2line. LLVM and
 *	libbfd are never there, and passed over.
 * @out: its style is set
 * Return: 0, or -EINVAL and a sentence when a name is unknown or none of them is there.
 */
int line_source_parse(struct line_source *out, const char *list, struct err *err);
/** line_source_program - have a program read lines, by its name or path. Return: 0, or -ENOENT and
 * a sentence when it is not there. */
int line_source_program(struct line_source *out, const char *program, struct err *err);

#define INLINED_MAX 64 /* nested functions; outer ones beyond that are left out */

/* A function that was inlined at an address. Strings are valid until lines_close(). */
struct inlined {
	const char *name; /* its linkage name if there is one, otherwise its name in the source */
	const char *file; /* file of the call, as from lines_find(); NULL: unknown */
	u32 line;         /* line of the call; 0: unknown */
};

/**
 * lines_inlined - return the functions that were inlined at an address.
 * @addr, @virtual: as for lines_find()
 * @out: room for INLINED_MAX functions; the innermost is first
 * Return: their number.
 */
size_t lines_inlined(struct lines *l, u64 addr, bool virtual, struct inlined *out);

#define LINES_NO_UNIT UINT32_MAX
/** lines_unit - return the number of the unit that contains an address, or LINES_NO_UNIT. */
u32 lines_unit(const struct lines *l, u64 addr, bool virtual);
/** lines_unit_entry - get where in section .debug_info the first entry of the unit is that has an
 * address of the headers. Return: whether there is one. */
bool lines_unit_entry(const struct lines *l, u64 addr, u64 *off);
/**
 * lines_forget - free what was read of a unit, except strings that were handed out. It is read
 * again when another of its addresses is asked for.
 */
void lines_forget(struct lines *l, u32 unit);
/** lines_lacking - tell whether parts of the information on a unit, which was asked for an address
 * before, are in files that were not found. */
bool lines_lacking(struct lines *l, u32 unit);

/**
 * lines_symbol - look up the value of a symbol in the file with the debug information. Return:
 * whether it exists.
 */
bool lines_symbol(struct lines *l, const char *name, u64 *value);

#endif
