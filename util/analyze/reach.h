/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing arrays that are used by number, such as that of a CPU, in any order. */
#ifndef PERF_ANALYZE_REACH_H
#define PERF_ANALYZE_REACH_H

#include "base/alloc.h"

/**
 * VEC_REACH - make sure that a growing array has an element @at; new elements are all zero.
 * @ptr: the array (an lvalue), @nr: the number of its elements (an lvalue of u32), @cap: elements
 *	allocated (an lvalue)
 */
#define VEC_REACH(ptr, at, nr, cap)                                                                \
	do {                                                                                       \
		u32 reach_at = (at);                                                               \
                                                                                                   \
		if (unlikely(reach_at >= (nr))) {                                                  \
			VEC_GROW(ptr, (size_t)reach_at + 1, cap);                                  \
			memset((ptr) + (nr), 0, (reach_at + 1 - (nr)) * sizeof(*(ptr)));           \
			(nr) = reach_at + 1;                                                       \
		}                                                                                  \
	} while (0)

#endif
