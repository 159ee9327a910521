// SPDX-License-Identifier: GPL-2.0-or-later
/* Streams of COMPRESSED records. */
#include <zstd.h>

int main(void)
{
	return ZSTD_versionNumber() == 0;
}
