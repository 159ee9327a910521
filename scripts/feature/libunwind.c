// SPDX-License-Identifier: GPL-2.0-or-later
/* Another unwinder of copied stacks, of x86-64 only. The library is loaded when it is needed: its
 * headers are all a build wants. A static perf goes without. */
#include <dlfcn.h>
#include <libunwind.h>

#if !defined(__x86_64__) || defined(PERF_STATIC)
#error "the names of the library are those of x86-64, and it is loaded"
#endif

int main(void)
{
	return !dlsym(dlopen("libunwind-x86_64.so.8", RTLD_LAZY), "_Ux86_64_step");
}
