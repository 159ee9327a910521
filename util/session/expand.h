/* SPDX-License-Identifier: GPL-2.0-or-later */
/* COMPRESSED and COMPRESSED2 records to the records they hold, in windows of bounded size. The seam
 * to libzstd. */
#ifndef PERF_SESSION_EXPAND_H
#define PERF_SESSION_EXPAND_H

#include "base/compat.h"

/* Bytes of one window: what a compressed record holds comes in as many as it takes. */
#define EXPAND_WINDOW ((size_t)1 << 20)

struct expander;

/** expander_new - for all compressed records of one file, which are one stream. */
struct expander *expander_new(void);
/** expander_free - NULL is fine. */
void expander_free(struct expander *x);

/**
 * expand_begin - go on with this record.
 * @rec: borrowed until expand_more() returned 0
 * @swap: @rec is in the other byte order
 * Return: 0, -EINVAL when it is damaged, -ENOTSUP without libzstd.
 */
int expand_begin(struct expander *x, const u8 *rec, u32 type, u32 size, bool swap);
/**
 * expand_more - the next window: what expand_keep() kept, then new bytes.
 * @to: EXPAND_WINDOW bytes
 * Return: bytes in it, 0 when the record is exhausted, -EINVAL when it is damaged.
 */
ssize_t expand_more(struct expander *x, u8 *to);
/** expand_keep - the last @n bytes of the window (copied) begin a record without ending it: they
 * begin the next window too. Called for each, be it with 0; longer than a record they are dropped.
 */
void expand_keep(struct expander *x, const u8 *left, size_t n);

#endif
