/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page tables filled ahead of a walk, by a thread of its own, in steps: faulting one by one
 * costs as much as the walk itself, and disk reads overlap with it.
 */
#ifndef PERF_SESSION_PREFAULT_H
#define PERF_SESSION_PREFAULT_H

#include "base/compat.h"

struct prefault;

/** prefault_start - begin at @p (any address of a mapping). Return: NULL when it would not pay;
 * that is fine below. */
struct prefault *prefault_start(const u8 *p, size_t size);
/** prefault_wait - until the bytes before @upto are there (or will not come this way). */
void prefault_wait(struct prefault *pf, const u8 *upto);
/** prefault_stop - end the thread and free. */
void prefault_stop(struct prefault *pf);

#endif
