/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What opened events have counted (the layout of read() is that of linux/perf_event.h,
 * PERF_FORMAT_*). */
#ifndef PERF_KERNEL_COUNT_H
#define PERF_KERNEL_COUNT_H

#include "kernel/open.h"

/* A count, and for how many nanoseconds the event was enabled and on a counter. */
struct kcount {
	u64 val, enabled, running;
};

/**
 * kcount_fn - told of the count of one event at one place.
 * @k: where: k->cpu and k->tid; k->evsel is the event
 */
typedef void kcount_fn(void *ctx, const struct kfd *k, const struct kcount *c);

/**
 * kevents_read - read every count, groups (PERF_FORMAT_GROUP) in one go by their leaders.
 * What the kernel does not let be read (an event in error state) is not told of.
 */
void kevents_read(const struct kevents *k, const struct evlist *l, kcount_fn *fn, void *ctx);
/** kevents_count - what @e, which leads its group or is alone, has counted at all its places
 * together; 0 also when the kernel has given it up. */
u64 kevents_count(const struct kevents *k, const struct evlist *l, const struct evsel *e);

#endif
