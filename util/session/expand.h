/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expansion of COMPRESSED and COMPRESSED2 records to the records in them, in windows of bounded
 * size. Only this file uses libzstd for reading.
 */
#ifndef PERF_SESSION_EXPAND_H
#define PERF_SESSION_EXPAND_H

#include "base/compat.h"

/* Bytes of one window. The contents of a compressed record are returned in as many as they need. */
#define EXPAND_WINDOW ((size_t)1 << 20)

struct expander;

/**
 * expander_new - return an expander for all compressed records of one file, which form a single
 * stream.
 */
struct expander *expander_new(void);
/** expander_free - free the expander; @x may be NULL. */
void expander_free(struct expander *x);

/**
 * expand_begin - continue with this compressed record.
 * @rec: borrowed until expand_more() has returned 0
 * @swap: @rec is in the other byte order
 * Return: 0; -EINVAL when it is damaged; -ENOTSUP when perf was built without libzstd.
 */
int expand_begin(struct expander *x, const u8 *rec, u32 type, u32 size, bool swap);
/**
 * expand_more - fill the next window: the bytes kept by expand_keep(), then new ones.
 * @to: room for EXPAND_WINDOW bytes
 * Return: bytes in the window; 0 when the record is exhausted; -EINVAL when it is damaged.
 */
ssize_t expand_more(struct expander *x, u8 *to);
/**
 * expand_keep - keep a copy of the last @n bytes of the window, which begin an incomplete record;
 * the next window begins with them. It is called after each window, also with 0. Bytes that exceed
 * a record are dropped.
 */
void expand_keep(struct expander *x, const u8 *left, size_t n);

#endif
