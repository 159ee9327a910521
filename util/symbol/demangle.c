// SPDX-License-Identifier: GPL-2.0-or-later
/* Turn mangled names into the text that is printed, through libiberty when it is there. */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#define CLONE " [clone ."

#ifdef HAVE_LIBIBERTY
/* libiberty's entry point; declared here because its header is not always installed where the
 * library is. */
extern char *cplus_demangle(const char *mangled, int options);

/* Options of libiberty: parameters, and const and the like with them. */
#define WITH_PARAMETERS 3

/* Append the suffix that tells clones of a function apart. libiberty puts it behind the
 * parameters. */
static char *with_clones(char *text, const char *name)
{
	char *full, *both;
	const char *tail;

	if (!text || !strchr(name, '.'))
		return text;
	full = cplus_demangle(name, WITH_PARAMETERS);
	tail = full ? strstr(full, CLONE) : NULL;
	if (tail) {
		both = xasprintf("%s%s", text, tail);
		free(text);
		text = both;
	}
	free(full);
	return text;
}

static char *demangle_plain(const char *name, int options)
{
	char *text = cplus_demangle(name, options);

	return options ? text : with_clones(text, name);
}

static char *demangle_cplus(const char *name, int options)
{
	static const char plt[] = "@plt";
	size_t len = strlen(name);
	char *base, *text, *both;

	/* Without options libiberty writes neither parameters nor return types. Names of absurd
	 * length are left as they are. */
	if (len > 1 << 14 || name[0] != '_')
		return NULL;
	if (len < sizeof(plt) || strcmp(name + len - 4, plt))
		return demangle_plain(name, options);
	base = xstrndup(name, len - 4);
	text = demangle_plain(base, options);
	both = text ? xasprintf("%s%s", text, plt) : NULL;
	free(text);
	free(base);
	return both;
}
#else
#define WITH_PARAMETERS 0

static char *demangle_cplus(const char *name, int options)
{
	(void)name;
	(void)options;
	return NULL;
}
#endif

static char *demangle(const char *name, int options)
{
	switch (*name) {
	case 'L':
		return demangle_java(name);
	case 'c':
		return demangle_ocaml(name);
	default:
		return demangle_cplus(name, options);
	}
}

char *symbol_demangle(const char *name)
{
	return demangle(name, 0);
}

char *symbol_demangle_full(const char *name)
{
	return demangle(name, WITH_PARAMETERS);
}

void bare_name(char *name)
{
	static const char *const kinds[] = { "cold",     "constprop",  "isra",  "part",    "llvm",
					     "lto_priv", "localalias", "clone", "unlikely" };
	char *dot = strstr(name, CLONE);

	if (dot) {
		*dot = '\0';
		return;
	}
	for (dot = strchr(name + !!*name, '.'); dot; dot = strchr(dot + 1, '.')) {
		size_t len = strcspn(dot + 1, ".");

		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
			if (len == strlen(kinds[i]) && !memcmp(dot + 1, kinds[i], len)) {
				*dot = '\0';
				return;
			}
		}
	}
}
