/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Section .eh_frame_hdr (Linux Standard Base, "Exception Frames"), which every linked object with
 * unwind information has, also a stripped one: a table of functions and of the entries of .eh_frame
 * that describe them, sorted by the address of the function.
 */
#ifndef PERF_SYMBOL_EH_TABLE_H
#define PERF_SYMBOL_EH_TABLE_H

#include "base/compat.h"

struct elf_image;

struct eh_table {
	const u8 *entries; /* borrowed */
	size_t nr;         /* 0: there is no table */
	u64 base;          /* address of the section */
	bool swap;
};

/**
 * eh_table_parse - find the table in a section.
 * @bytes, @size, @addr: contents of the section, and its address in the object
 * @swap: it is of the other byte order
 * Return: false when there is none that can be used.
 */
bool eh_table_parse(struct eh_table *t, const u8 *bytes, size_t size, u64 addr, bool swap);
/** eh_table_read - find the table of an image. */
void eh_table_read(struct eh_table *t, const struct elf_image *e);
/** eh_table_room - bytes from @vaddr up to the next start of a function; 0: not known. */
u32 eh_table_room(const struct eh_table *t, u64 vaddr);
/**
 * eh_table_find - find the last function that starts at or before an address.
 * @fde: set to the address of its entry in .eh_frame
 * Return: false when there is none.
 */
bool eh_table_find(const struct eh_table *t, u64 vaddr, u64 *fde);

#endif
