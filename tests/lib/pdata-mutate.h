/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damages perf.data bytes the way the format invites it: whole records are moved, resized, given
 * another type; sections keep pointing at what they should, or stop doing so; the inside of
 * compressed records and the text of tracepoint formats are reached. Blind byte flips rarely get
 * behind the first size check; these do.
 */
#ifndef TESTS_PDATA_MUTATE_H
#define TESTS_PDATA_MUTATE_H

#include "base/compat.h"

/**
 * pdata_mutate - damage the @size bytes at @buf in place, once.
 * @max: room at @buf; @seed: the same seed does the same damage
 * Return: the new size, at most @max; @size when nothing applied.
 */
size_t pdata_mutate(u8 *buf, size_t size, size_t max, u64 seed);

#endif
