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
/** put_string - append a text with its terminator. */
void put_string(struct strbuf *b, const char *s);

#endif
