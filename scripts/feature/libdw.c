// SPDX-License-Identifier: GPL-2.0-or-later
/* Debug information. The library is loaded when it is needed: its headers are all a build wants. */
#include <dlfcn.h>
#include <elfutils/libdw.h>

int main(void)
{
	__typeof__(&dwarf_getsrc_die) find;

#ifdef PERF_STATIC
	find = dwarf_getsrc_die;
#else
	*(void **)&find = dlsym(dlopen("libdw.so.1", RTLD_LAZY), "dwarf_getsrc_die");
#endif
	return !find;
}
