// SPDX-License-Identifier: GPL-2.0-or-later
/* Screens on a terminal. The library is loaded when one is opened; only the header is needed to
 * build. */
#include <dlfcn.h>
#include <slang.h>

int main(void)
{
#ifdef PERF_STATIC
	return SLtt_initialize(NULL) + SLtt_Screen_Rows;
#else
	SLtt_Char_Type mask = SLTT_REV_MASK;

	return !mask || !dlopen;
#endif
}
