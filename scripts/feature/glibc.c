// SPDX-License-Identifier: GPL-2.0-or-later
/* Told apart from other C libraries only for `perf version --build-options`. */
#include <features.h>

#ifndef __GLIBC__
#error another C library
#endif

int main(void)
{
	return 0;
}
