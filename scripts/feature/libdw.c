// SPDX-License-Identifier: GPL-2.0-or-later
/* Debug information. The library is loaded when it is needed: its headers are all a build wants. */
#include <dlfcn.h>
#include <elfutils/libdw.h>

int main(void)
{
	__typeof__(&dwarf_getsrc_die) find;

	*(void **)&find = dlsym(dlopen("libdw.so.1", RTLD_LAZY), "dwarf_getsrc_die");
	return !find;
}
