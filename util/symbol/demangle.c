// SPDX-License-Identifier: GPL-2.0-or-later
/* Mangled names to the text that is printed, through libiberty when it is there. */
#include "base/compat.h"

#include "base/alloc.h"
#include "symbol/symbol-internal.h"

#ifdef HAVE_LIBIBERTY
/* libiberty's entry point; declared here because its header is not always installed where the library is. */
extern char *cplus_demangle(const char *mangled, int options);

char *symbol_demangle(const char *name)
{
	/* No options: neither parameters nor return types. Names of absurd length are left as they are. */
	if (strlen(name) > 1 << 14)
		return NULL;
	return cplus_demangle(name, 0);
}
#else
char *symbol_demangle(const char *name)
{
	(void)name;
	return NULL;
}
#endif
