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

#define BYTES(b) (0x0101010101010101ULL * (b))

/* Tell whether any byte of the word is less than 0x20, or 0x7f. */
static bool any_control(u64 word)
{
	u64 del = word ^ BYTES(0x7f);

	return (((word - BYTES(0x20)) & ~word) | ((del - BYTES(1)) & ~del)) & BYTES(0x80);
}

bool escape_needed_in(const char *s, size_t len)
{
	const char *end = s + len;
	u64 word;

	for (; end - s >= (ptrdiff_t)sizeof(word); s += sizeof(word)) {
		memcpy(&word, s, sizeof(word));
		if (any_control(word))
			return true;
	}
	for (; s < end; s++)
		if (is_control((unsigned char)*s))
			return true;
	return false;
}

bool escape_needed(const char *s)
{
	return escape_needed_in(s, strlen(s));
}

size_t utf8_length(const char *s, size_t len)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	size_t n, i;
	u32 c;

	if (!len)
		return 0;
	if (p[0] < 0x80)
		return 1;
	n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
	if (p[0] < 0xc0 || p[0] >= 0xf8 || n > len)
		return 0;
	c = p[0] & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	return c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) ? 0 : n;
}
