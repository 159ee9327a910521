/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses that the dynamic linker puts into the data of an object (System V ABI, chapter 4), such
 * as those of the global offset table, by which code finds variables that other objects may
 * replace.
 */
#ifndef PERF_DWARF_RELOCS_H
#define PERF_DWARF_RELOCS_H

#include "base/compat.h"

struct relocs;

/* The dynamic linker puts one of these somewhere. */
enum reloc_kind {
	RELOC_NONE,
	RELOC_ADDRESS, /* an address in the object */
	RELOC_GUARD,   /* the address of the value that guards the stack (__stack_chk_guard) */
};

/**
 * relocs_open - read the relocations of an object. Return: NULL when none of them is of the kinds
 * above, or there is no library to read them. relocs_close() frees the result.
 */
struct relocs *relocs_open(const char *object);
/** relocs_close - free the relocations; @r may be NULL. */
void relocs_close(struct relocs *r);
/**
 * relocs_find - tell what the dynamic linker puts at an address of the object's headers.
 * @value: receives the address, which is of the headers, too
 */
enum reloc_kind relocs_find(const struct relocs *r, u64 addr, u64 *value);

#endif
