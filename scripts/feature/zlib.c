// SPDX-License-Identifier: GPL-2.0-or-later
/* Pages and profiles that are compressed. */
#include <zlib.h>

int main(void)
{
	return zlibVersion() == NULL;
}
