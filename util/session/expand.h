/* SPDX-License-Identifier: GPL-2.0-or-later */
/* COMPRESSED and COMPRESSED2 records to the records they hold. The seam to libzstd. */
#ifndef PERF_SESSION_EXPAND_H
#define PERF_SESSION_EXPAND_H

#include "base/compat.h"

struct expander;

/**
 * expand_record - expand one record (native order).
 * @x: made with the first record; free with expander_free()
 * @buf: owned by the caller: what expand_keep() kept, then the new bytes; NULL when there are none
 * Return: 0, -EINVAL when the bytes are damaged, -ENOTSUP without libzstd.
 */
int expand_record(struct expander **x, const u8 *rec, u32 type, u32 size, u8 **buf, size_t *len);
/** expand_keep - @n bytes (copied) at the end of the last expansion that begin a record without
 * ending it. */
void expand_keep(struct expander *x, const u8 *left, size_t n);
/** expander_free - NULL is fine. */
void expander_free(struct expander *x);

#endif
