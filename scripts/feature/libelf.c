// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbol tables and notes: elf_memory(), elf_getphdrnum() and gelf_getnote() are what util/symbol
 * needs. */
#include <gelf.h>

int main(void)
{
	size_t nr;

	return elf_version(EV_CURRENT) == EV_NONE || elf_getphdrnum(elf_memory(0, 0), &nr) ||
	       gelf_getnote(0, 0, 0, 0, 0);
}
