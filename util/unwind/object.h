/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The unwind tables of one object, and its code where there are none. */
#ifndef PERF_UNWIND_OBJECT_H
#define PERF_UNWIND_OBJECT_H

#include "arch/frames.h"
#include "symbol/symbol.h"
#include "unwind/rules.h"

struct unw_object;
struct cfi_section;
struct elf_image;

/** unw_section_read - find section @name, ".eh_frame" or ".debug_frame"; @out borrows from @e.
 * Return: false, and nothing is set, when there is none. */
bool unw_section_read(struct cfi_section *out, const struct elf_image *e, const char *name);

/**
 * unw_object_open - read what there is of an object. Thread-safe.
 * @syms: of the object; borrowed
 * @a: how functions of the process call each other; borrowed
 * Return: never NULL; unw_object_close() frees it.
 */
struct unw_object *unw_object_open(const struct symtab *syms, const struct dso *dso,
				   const struct arch_frames *a);
/** unw_object_close - free it; @o may be NULL. */
void unw_object_close(struct unw_object *o);

enum unw_source {
	UNW_ABSENT, /* the object was not found */
	UNW_BARE,   /* it has no unwind tables */
	UNW_MADE,   /* it is code that was made at run time, which has neither file nor tables */
	UNW_TABLES,
};
/** unw_object_source - tell what there is of the object. */
enum unw_source unw_object_source(const struct unw_object *o);

/** unw_object_image - return its file or memory, borrowed; elf is NULL when it was not found. */
const struct elf_image *unw_object_image(const struct unw_object *o);
/** unw_object_path - return the path of the file that holds its code, borrowed; NULL: there is
 * none. */
const char *unw_object_path(const struct unw_object *o);

/**
 * unw_object_rules - find the rules at an instruction, from tables, or else from the code.
 * Thread-safe.
 * @at: address in the object's file (map_to_file())
 * @call: it is behind a call, so that the rules are those of the instruction before it
 * @out: valid is false when neither knows; nothing is guessed of an object that was not found
 */
void unw_object_rules(const struct unw_object *o, u64 at, bool call, struct unw_rules *out);

#endif
