// SPDX-License-Identifier: GPL-2.0-or-later
/* Without libzstd: compressed records are counted as unreadable. */
#include "base/compat.h"

#ifndef HAVE_LIBZSTD
#include "session/expand.h"

#include <errno.h>

int expand_record(struct expander **x, const u8 *rec, u32 type, u32 size, u8 **buf, size_t *len)
{
	return -ENOTSUP;
}

void expand_keep(struct expander *x, const u8 *left, size_t n)
{
}

void expander_free(struct expander *x)
{
}

#endif
