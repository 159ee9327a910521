/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tell text from other bytes in fields of tracepoints that are declared as characters. */
#ifndef PERF_TRACEFMT_PRINTABLE_H
#define PERF_TRACEFMT_PRINTABLE_H

#include "base/compat.h"

#include <ctype.h>

/**
 * tf_printable - return the length of a text of at most @len bytes, which ends at its first zero
 * byte; -1 when it has characters that cannot be shown.
 */
static inline ssize_t tf_printable(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len && s[i]; i++)
		if (!isprint((unsigned char)s[i]) && !isspace((unsigned char)s[i]))
			return -1;
	return (ssize_t)i;
}

#endif
