// SPDX-License-Identifier: GPL-2.0-or-later
/* C++ and Rust demangling. */
#include <stddef.h>
#include <libiberty/demangle.h>

int main(void)
{
	return cplus_demangle("_Z1fv", DMGL_NO_OPTS) == NULL;
}
