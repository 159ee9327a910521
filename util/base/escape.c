// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/escape.h"

static bool is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7f;
}

static size_t escape(char *dst, size_t size, const char *src, bool keep_layout)
{
	static const char hex[] = "0123456789abcdef";
	size_t n = 0;

	if (!size)
		return 0;
	for (; *src; src++) {
		unsigned char c = (unsigned char)*src;

		if (!is_control(c) || (keep_layout && (c == '\n' || c == '\t'))) {
			if (n + 1 >= size)
				break;
			dst[n++] = (char)c;
			continue;
		}
		if (n + 4 >= size)
			break;
		dst[n++] = '\\';
		dst[n++] = 'x';
		dst[n++] = hex[c >> 4];
		dst[n++] = hex[c & 15];
	}
	dst[n] = '\0';
	return n;
}

size_t escape_text(char *dst, size_t size, const char *src)
{
	return escape(dst, size, src, true);
}

size_t escape_name(char *dst, size_t size, const char *src)
{
	return escape(dst, size, src, false);
}

bool escape_needed(const char *s)
{
	for (; *s; s++)
		if (is_control((unsigned char)*s))
			return true;
	return false;
}
