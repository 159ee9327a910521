/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the files of the aux room. */
#ifndef PERF_AUX_INTERNAL_H
#define PERF_AUX_INTERNAL_H

#include "base/compat.h"

/** aux_little - return the number of @n bytes, up to 8, in little-endian order. */
static inline u64 aux_little(const u8 *p, size_t n)
{
	u64 v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

#endif
