/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write ELF files of x86-64 that have sections and nothing else. */
#ifndef TESTS_SECTIONS_H
#define TESTS_SECTIONS_H

#include "base/strbuf.h"

struct section {
	const char *name;
	const void *data;
	size_t len;
};

/** sections_write - write a file at @path with @nr sections, and one that has their names. */
void sections_write(const char *path, const struct section *sections, size_t nr);

/** put_number - append the @size lowest bytes of a number, the lowest first. */
void put_number(struct strbuf *b, u64 v, size_t size);
/**
 * unit_begin - begin a compilation unit of DWARF 4 with addresses of 8 bytes (section 7.5.1.1), and
 * its entry, of which only the name is put: the caller goes on with what else @abbrev has.
 */
void unit_begin(struct strbuf *info, u8 abbrev, const char *name);
/** unit5_begin - do the same for DWARF 5. */
void unit5_begin(struct strbuf *info, u8 abbrev, const char *name);
/** unit_end - end the entry of the only unit of @info, and set the unit's length. */
void unit_end(struct strbuf *info);
/** put_string - append a text with its terminator. */
void put_string(struct strbuf *b, const char *s);

#endif
