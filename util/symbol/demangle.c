// SPDX-License-Identifier: GPL-2.0-or-later
/* Mangled names to the text that is printed, through libiberty when it is there. */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#ifdef HAVE_LIBIBERTY
/* libiberty's entry point; declared here because its header is not always installed where the
 * library is. */
extern char *cplus_demangle(const char *mangled, int options);

static char *demangle_cplus(const char *name)
{
	static const char plt[] = "@plt";
	size_t len = strlen(name);
	char *base, *text, *both;

	/* No options: neither parameters nor return types. Names of absurd length are left as they
	 * are. */
	if (len > 1 << 14 || name[0] != '_')
		return NULL;
	if (len < sizeof(plt) || strcmp(name + len - 4, plt))
		return cplus_demangle(name, 0);
	base = xstrndup(name, len - 4);
	text = cplus_demangle(base, 0);
	both = text ? xasprintf("%s%s", text, plt) : NULL;
	free(text);
	free(base);
	return both;
}
#else
static char *demangle_cplus(const char *name)
{
	(void)name;
	return NULL;
}
#endif

char *symbol_demangle(const char *name)
{
	return *name == 'L' ? demangle_java(name) : demangle_cplus(name);
}
