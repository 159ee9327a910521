// SPDX-License-Identifier: GPL-2.0-or-later
/* Instructions as text. The library is loaded when it is needed: its headers are all a build wants.
 */
#include <capstone/capstone.h>
#include <dlfcn.h>

int main(void)
{
	__typeof__(&cs_disasm) disasm;

#ifdef PERF_STATIC
	disasm = cs_disasm;
#else
	*(void **)&disasm = dlsym(dlopen("libcapstone.so", RTLD_LAZY), "cs_disasm");
#endif
	return !disasm;
}
