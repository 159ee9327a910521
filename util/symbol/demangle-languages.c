// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of languages whose compilers have no library that reads them. */
#include "base/compat.h"

#include "base/strbuf.h"
#include "symbol/symbol-internal.h"

/*
 * ---- Java ----
 *
 * Java methods as virtual machines name them: "Lpkg/Class;method(IJ)V" is pkg.Class.method(int,
 * long). Descriptors are those of the class file format.
 */

static const char *primitive(char c)
{
	switch (c) {
	case 'B':
		return "byte";
	case 'C':
		return "char";
	case 'D':
		return "double";
	case 'F':
		return "float";
	case 'I':
		return "int";
	case 'J':
		return "long";
	case 'S':
		return "short";
	case 'Z':
		return "boolean";
	default:
		return NULL;
	}
}

/* Turn "Lpkg/Class;" into "pkg.Class". Return: what follows it, NULL when it is none. */
static const char *class_name(const char *p, struct strbuf *out)
{
	size_t len = strcspn(p, ";()"), i;

	if (*p != 'L' || p[len] != ';' || len < 2)
		return NULL;
	for (i = 1; i < len; i++)
		strbuf_addch(out, p[i] == '/' ? '.' : p[i]);
	return p + len + 1;
}

static const char *argument(const char *p, struct strbuf *out)
{
	size_t arrays = strspn(p, "[");
	const char *word = primitive(p[arrays]);

	p += arrays;
	if (word) {
		strbuf_addstr(out, word);
		p++;
	} else {
		p = class_name(p, out);
	}
	while (p && arrays--)
		strbuf_addstr(out, "[]");
	return p;
}

static bool method(const char *p, struct strbuf *out)
{
	size_t len;
	bool first = true;

	p = class_name(p, out);
	len = p ? strcspn(p, "(") : 0;
	if (!len || !p[len])
		return false;
	/* Other perfs show no dot before <init>, and before methods that come with a separator of
	 * their own. */
	if (*p != '<' && *p != '.' && *p != ':' && *p != ' ')
		strbuf_addch(out, '.');
	strbuf_add(out, p, len + 1);
	for (p += len + 1; *p && *p != ')'; first = false) {
		if (!first)
			strbuf_addstr(out, ", ");
		p = argument(p, out);
		if (!p)
			return false;
	}
	strbuf_addch(out, ')');
	return *p == ')';
}

char *demangle_java(const char *name)
{
	struct strbuf out = STRBUF_INIT;

	if (method(name, &out))
		return strbuf_detach(&out);
	strbuf_release(&out);
	return NULL;
}

/*
 * ---- OCaml ----
 *
 * OCaml names as its native compiler writes them: "caml", the module, and what is in it behind a
 * separator, with a number that tells values of one name apart. The separator is "__" up to OCaml
 * 5.0, later "." or, where dots are not possible, "$". Other bytes are "$xx" in hexadecimal, or
 * "$$xx" where "$" separates.
 */

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
