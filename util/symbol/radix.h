/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sort many numbers without comparing them. */
#ifndef PERF_SYMBOL_RADIX_H
#define PERF_SYMBOL_RADIX_H

#include "base/compat.h"

/* A number, and whose it is. */
struct radix_item {
	u64 key;
	u32 of;
};

/** radix_sort - sort @nr items by their keys. Those with equal keys stay in their order. */
void radix_sort(struct radix_item *v, size_t nr);

#endif
