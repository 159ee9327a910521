/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that come from files must not drive the terminal: control bytes become \xNN. */
#ifndef PERF_BASE_ESCAPE_H
#define PERF_BASE_ESCAPE_H

#include "base/strbuf.h"

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
/** escape_needed_in - the same where its length is known. */
bool escape_needed_in(const char *s, size_t len);

/** escape_name - as escape_text(), newline and tab escaped as well: for names inside a table. */
size_t escape_name(char *dst, size_t size, const char *src);

/**
 * utf8_length - bytes of the character at @s, of which @len are there.
 * Return: 1 to 4; 0 when they are no UTF-8 (cut off, overlong, a surrogate, above U+10FFFF).
 */
size_t utf8_length(const char *s, size_t len);

/**
 * escape_bytes - append @len bytes for a syntax: those that are @plain and characters of UTF-8 of
 * more than a byte as they are, each other byte as @put_special writes it. Inline, for both are
 * known where it is called.
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
