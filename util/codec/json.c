// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "codec/json.h"

#include "base/escape.h"

static bool plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void put_special(struct strbuf *out, unsigned char c)
{
	static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt"; /* byte, letter */
	char text[] = "\\?";

	for (size_t i = 0; i + 1 < sizeof(letters); i += 2) {
		if ((unsigned char)letters[i] != c)
			continue;
		text[1] = letters[i + 1];
		strbuf_add(out, text, 2);
		return;
	}
	strbuf_addf(out, c < 0x80 ? "\\u%04x" : "\\\\x%02x", c);
}

void json_text(struct strbuf *out, const char *s, size_t len)
{
	escape_bytes(out, s, len, plain, put_special);
}

bool json_plain(const char *s, size_t len)
{
	bool all = true;

	for (size_t i = 0; i < len; i++)
		all &= plain((unsigned char)s[i]);
	return all;
}

void json_string(struct strbuf *out, const char *s)
{
	strbuf_addch(out, '"');
	json_text(out, s, strlen(s));
	strbuf_addch(out, '"');
}

void json_text_member(struct strbuf *out, const char *name, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, ",\"%s\":", name);
	json_string(out, text);
}
