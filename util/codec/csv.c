// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "codec/csv.h"

#include "base/escape.h"

static bool plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"';
}

static void put_special(struct strbuf *out, unsigned char c)
{
	if (c == '"')
		strbuf_add(out, "\"\"", 2);
	else if (c == '\t' || c == '\n' || c == '\r')
		strbuf_addch(out, (char)c);
	else
		strbuf_addf(out, "\\x%02x", c);
}

void csv_text(struct strbuf *out, const char *s, size_t len)
{
	escape_bytes(out, s, len, plain, put_special);
}

void csv_cell(struct strbuf *out, const char *s, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len; i++)
		quoted |= !plain((unsigned char)s[i]) || s[i] == ',';
	if (!quoted) {
		strbuf_add(out, s, len);
		return;
	}
	strbuf_addch(out, '"');
	csv_text(out, s, len);
	strbuf_addch(out, '"');
}
