// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Java methods as virtual machines name them: "Lpkg/Class;method(IJ)V" is pkg.Class.method(int,
 * long). Descriptors are those of the class file format.
 */
#include "base/compat.h"

#include "base/strbuf.h"
#include "symbol/symbol-internal.h"

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
