/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that come from files must not drive the terminal: control bytes become \xNN. */
#ifndef PERF_BASE_ESCAPE_H
#define PERF_BASE_ESCAPE_H

#include "base/compat.h"

/**
 * escape_text - copy @src, writing control bytes (below 0x20 but for newline and tab, and 0x7f) as
 * \xNN.
 * @dst: zero-terminated on return, cut to @size
 * Return: bytes written without the terminator.
 */
size_t escape_text(char *dst, size_t size, const char *src);

/** escape_needed - true when @s holds a byte that escape_name() would rewrite (newline and tab
 * too). */
bool escape_needed(const char *s);

/** escape_name - as escape_text(), newline and tab escaped as well: for names inside a table. */
size_t escape_name(char *dst, size_t size, const char *src);

#endif
