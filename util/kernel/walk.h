/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walk over open events so that CPUs are disturbed as little as possible. */
#ifndef PERF_KERNEL_WALK_H
#define PERF_KERNEL_WALK_H

#include "kernel/open.h"

/**
 * kevents_walk - call @fn with the index of each descriptor. A request to an event of another CPU
 * interrupts that CPU. So when there are many descriptors on several CPUs, the calls are made CPU
 * by CPU, on the CPU itself, and the caller's affinity is restored afterwards. Otherwise they are
 * made in the order of k->fds.
 */
void kevents_walk(const struct kevents *k, void (*fn)(void *ctx, size_t i), void *ctx);

#endif
