/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sizes and times as people read them. */
#ifndef PERF_BASE_UNITS_H
#define PERF_BASE_UNITS_H

#include "base/strbuf.h"

/** page_size_text - "4K", "2M" appended to @out; "N/A" for 0, when it was not to be had. */
void page_size_text(u64 size, struct strbuf *out);

/** duration_unit - "ns", "us", "ms" or "s", the largest that @ns has one of; its ns in @one. */
const char *duration_unit(u64 ns, u64 *one);

/** duration_text - "999ns", "1.23us", "45.6ms", "789s": three digits, cut off after them. */
void duration_text(u64 ns, struct strbuf *out);

#endif
