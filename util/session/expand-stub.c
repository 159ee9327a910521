// SPDX-License-Identifier: GPL-2.0-or-later
/* Without libzstd compressed records are counted as unreadable. */
#include "base/compat.h"

#ifndef HAVE_LIBZSTD
#include "session/expand.h"

#include <errno.h>

struct expander *expander_new(void)
{
	return NULL;
}

void expander_free(struct expander *x)
{
}

int expand_begin(struct expander *x, const u8 *rec, u32 type, u32 size, bool swap)
{
	return -ENOTSUP;
}

ssize_t expand_more(struct expander *x, u8 *to)
{
	return 0;
}

void expand_keep(struct expander *x, const u8 *left, size_t n)
{
}

#endif
