/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Write the control bytes of names as \xNN, so that names from files cannot control the
 * terminal. */
#ifndef PERF_BASE_ESCAPE_H
#define PERF_BASE_ESCAPE_H

#include "base/strbuf.h"

/**
 * escape_text - copy @src and write control bytes (0x7f and those below 0x20, except newline and
 * tab) as \xNN.
 * @dst: receives at most @size bytes and is zero-terminated
 * Return: the number of bytes written, without the terminator.
 */
size_t escape_text(char *dst, size_t size, const char *src);

/**
 * escape_needed - tell whether @s holds a byte that escape_name() would rewrite; newline and tab
 * are among them.
 */
bool escape_needed(const char *s);
/** escape_needed_in - do what escape_needed() does, for a string whose length is known. */
bool escape_needed_in(const char *s, size_t len);

/**
 * escape_name - do what escape_text() does, but newline and tab are escaped as well. For names in a
 * table.
 */
size_t escape_name(char *dst, size_t size, const char *src);

/**
 * utf8_length - return the length in bytes of the UTF-8 character at @s, where @len bytes are left.
 * Return: 1 to 4, or 0 when the bytes are not valid UTF-8 (cut off, overlong, a surrogate, above
 * U+10FFFF).
 */
size_t utf8_length(const char *s, size_t len);

/**
 * escape_bytes - append @len bytes, escaped for some syntax: bytes for which @plain holds and
 * multi-byte UTF-8 characters are copied, and @put_special writes each other byte. The function is
 * inline because both callbacks are known where it is called.
 */
static inline void escape_bytes(struct strbuf *out, const char *s, size_t len,
				bool (*plain)(unsigned char c),
				void (*put_special)(struct strbuf *out, unsigned char c))
{
	size_t i = 0, start, n;

	while (i < len) {
		for (start = i; i < len && plain((unsigned char)s[i]); i++)
			;
		strbuf_add(out, s + start, i - start);
		if (i == len)
			break;
		n = utf8_length(s + i, len - i);
		if (n > 1)
			strbuf_add(out, s + i, n);
		else
			put_special(out, (unsigned char)s[i]);
		i += MAX(n, (size_t)1);
	}
}

#endif
