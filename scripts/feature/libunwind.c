// SPDX-License-Identifier: GPL-2.0-or-later
/* Another unwinder of copied stacks, of x86-64 only. The library is loaded when it is needed: its
 * headers are all a build wants. */
#include <dlfcn.h>
#include <libunwind.h>

#ifndef __x86_64__
#error "the names of the library are those of x86-64"
#endif

int main(void)
{
	__typeof__(&unw_step) step;

#ifdef PERF_STATIC
	step = unw_step;
#else
	*(void **)&step = dlsym(dlopen("libunwind-x86_64.so.8", RTLD_LAZY), "_Ux86_64_step");
#endif
	return !step;
}
