// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracepoint formats. */
#include <event-parse.h>

int main(void)
{
	struct tep_handle *tep = tep_alloc();

	tep_free(tep);
	return !tep;
}
