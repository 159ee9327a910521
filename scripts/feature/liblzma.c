// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbol tables of stripped programs (.gnu_debugdata). */
#include <lzma.h>

int main(void)
{
	return lzma_version_number() == 0;
}
