// SPDX-License-Identifier: GPL-2.0-or-later
/* Mangled names to the text that is printed, through libiberty when it is there. */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#ifdef HAVE_LIBIBERTY
/* libiberty's entry point; declared here because its header is not always installed where the
 * library is. */
extern char *cplus_demangle(const char *mangled, int options);

/* Options of libiberty: parameters, and const and the like with them. */
#define WITH_PARAMETERS 3

static char *demangle_cplus(const char *name, int options)
{
	static const char plt[] = "@plt";
	size_t len = strlen(name);
	char *base, *text, *both;

	/* Without options there are neither parameters nor return types. Names of absurd length are
	 * left as they are. */
	if (len > 1 << 14 || name[0] != '_')
		return NULL;
	if (len < sizeof(plt) || strcmp(name + len - 4, plt))
		return cplus_demangle(name, options);
	base = xstrndup(name, len - 4);
	text = cplus_demangle(base, options);
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

char *symbol_demangle(const char *name)
{
	return *name == 'L' ? demangle_java(name) : demangle_cplus(name, 0);
}

char *symbol_demangle_full(const char *name)
{
	return *name == 'L' ? demangle_java(name) : demangle_cplus(name, WITH_PARAMETERS);
}
