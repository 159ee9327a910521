// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * OCaml names as its native compiler writes them: "caml", the module, and what is in it behind a
 * separator, with a number that tells values of one name apart. The separator is "__" up to OCaml
 * 5.0, later "." or, where dots are not possible, "$". Other bytes are "$xx" in hexadecimal, or
 * "$$xx" where "$" separates.
 */
#include "base/compat.h"

#include "base/strbuf.h"
#include "symbol/symbol-internal.h"

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Two digits make a byte, which is not the end of a text. Return: false when it is none. */
static bool escaped_byte(const char *p, struct strbuf *out)
{
	int high = hex_value(p[0]), low = high < 0 ? -1 : hex_value(p[1]);

	if (low < 0 || (!high && !low))
		return false;
	strbuf_addch(out, (char)(high << 4 | low));
	return true;
}

char *demangle_ocaml(const char *name)
{
	bool dots = strchr(name, '.'), lines = !dots && strstr(name, "__");
	bool dollars = !dots && !lines;
	struct strbuf out = STRBUF_INIT;

	if (!sym_is_ocaml(name, strnlen(name, SYM_OCAML_HEAD)))
		return NULL;
	for (const char *p = name + SYM_OCAML_HEAD - 1; *p; p++) {
		if (lines && p[0] == '_' && p[1] == '_') {
			strbuf_addch(&out, '.');
			p++;
		} else if (*p == '$' && !dollars && escaped_byte(p + 1, &out)) {
			p += 2;
		} else if (*p == '$' && dollars && p[1] == '$' && escaped_byte(p + 2, &out)) {
			p += 3;
		} else {
			strbuf_addch(&out, *p == '$' && dollars ? '.' : *p);
		}
	}
	return strbuf_detach(&out);
}
