// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbol tables and notes: elf_memory() and gelf_getsym() are what util/symbol needs. */
#include <gelf.h>

int main(void)
{
	return elf_version(EV_CURRENT) == EV_NONE;
}
