// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "codec/quote.h"

#include "base/escape.h"

static void add_byte(struct strbuf *out, unsigned char c, const char *slash)
{
	static const char hex[] = "0123456789abcdef";

	strbuf_addstr(out, slash);
	strbuf_addch(out, 'x');
	strbuf_addch(out, hex[c >> 4]);
	strbuf_addch(out, hex[c & 15]);
}

/*
 * Append the character at @s, which is not a plain byte of the syntax. Control characters and bytes
 * that are not valid UTF-8 are written as \xNN, so that different names stay different; @slash is
 * the syntax's form of a backslash. U+FFFE and U+FFFF are not text. Return: the length of the
 * character in bytes.
 */
static size_t add_odd(struct strbuf *out, const char *s, size_t left, const char *slash)
{
	unsigned char c = (unsigned char)*s;
	size_t n = utf8_length(s, left);

	if (c < 0x20 || c == 0x7f || !n ||
	    (n == 3 && (!memcmp(s, "\xef\xbf\xbe", 3) || !memcmp(s, "\xef\xbf\xbf", 3)))) {
		add_byte(out, c, slash);
		return 1;
	}
	strbuf_add(out, s, n);
	return n;
}

/* Append @s, in which each byte of @special is replaced by the string at the same index of @by. */
static void quote(struct strbuf *out, const char *s, const char *special, const char *const *by,
		  const char *slash)
{
	size_t left = strlen(s);
	const char *end = s + left, *hit;

	while (s < end) {
		const char *from = s;

		while (s < end && (unsigned char)*s >= 0x20 && (unsigned char)*s < 0x7f &&
		       !strchr(special, *s))
			s++;
		strbuf_add(out, from, s - from);
		if (s == end)
			break;
		hit = strchr(special, *s);
		if (hit) {
			strbuf_addstr(out, by[hit - special]);
			s++;
		} else {
			s += add_odd(out, s, end - s, slash);
		}
	}
}

void quote_xml(struct strbuf *out, const char *s)
{
	static const char *const by[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };

	quote(out, s, "&<>\"'", by, "\\");
}

/* "</script>" and "<!--" lose their "<"; line ends that only old scripts recognise are escaped. */
void quote_json(struct strbuf *out, const char *s)
{
	static const char *const by[] = { "\\\"", "\\\\", "\\u003c", "\\u003e", "\\u0026" };

	strbuf_addch(out, '"');
	quote(out, s, "\"\\<>&", by, "\\\\");
	strbuf_addch(out, '"');
}

void quote_dot(struct strbuf *out, const char *s)
{
	static const char *const by[] = { "\\\"", "\\\\", "\\n" };

	strbuf_addch(out, '"');
	quote(out, s, "\"\\\n", by, "\\\\");
	strbuf_addch(out, '"');
}

void quote_callgrind(struct strbuf *out, const char *s)
{
	quote(out, s, "", NULL, "\\");
}

void quote_folded(struct strbuf *out, const char *s)
{
	static const char *const by[] = { ":" };

	quote(out, s, ";", by, "\\");
}

void quote_folded_comm(struct strbuf *out, const char *s)
{
	static const char *const by[] = { ":", "_" };

	quote(out, s, "; ", by, "\\");
}

void quote_utf8_bytes(struct strbuf *out, const char *s, size_t len)
{
	const char *end = s + len, *start;

	while (s < end) {
		size_t n = 1;

		for (start = s; s < end && n; s += n)
			n = utf8_length(s, (size_t)(end - s));
		strbuf_add(out, start, (size_t)(s - start));
		if (!n)
			add_byte(out, (unsigned char)*s++, "\\");
	}
}

void quote_utf8(struct strbuf *out, const char *s)
{
	quote_utf8_bytes(out, s, strlen(s));
}

void quote_shell(struct strbuf *out, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+=:,./@%";

	if (*s && !s[strspn(s, plain)]) {
		strbuf_addstr(out, s);
		return;
	}
	strbuf_addch(out, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			strbuf_addstr(out, "'\\'");
		strbuf_addch(out, *s);
	}
	strbuf_addch(out, '\'');
}
