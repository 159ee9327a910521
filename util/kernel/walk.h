/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Going through open events. */
#ifndef PERF_KERNEL_WALK_H
#define PERF_KERNEL_WALK_H

#include "kernel/open.h"

/**
 * kevents_walk - call @fn with the index of each descriptor.
 * What is asked of an event of another CPU interrupts that one. So when there are many on several
 * CPUs the calls come CPU by CPU, on that CPU; the caller's affinity is as before afterwards.
 * Otherwise they come in the order of k->fds.
 */
void kevents_walk(const struct kevents *k, void (*fn)(void *ctx, size_t i), void *ctx);

#endif
