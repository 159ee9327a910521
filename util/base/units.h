/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes and durations in the units that people read. */
#ifndef PERF_BASE_UNITS_H
#define PERF_BASE_UNITS_H

#include "base/strbuf.h"

/**
 * page_size_text - append a page size such as "4K" or "2M" to @out; "N/A" when @size is 0, which
 * means unknown.
 */
void page_size_text(u64 size, struct strbuf *out);

/**
 * duration_unit - return the largest of "ns", "us", "ms" and "s" that is not longer than @ns. @one
 * receives the length of that unit in ns.
 */
const char *duration_unit(u64 ns, u64 *one);

/**
 * duration_text - append "999ns", "1.23us", "45.6ms" or "789s": three digits, the rest is cut off.
 */
void duration_text(u64 ns, struct strbuf *out);

#endif
