/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counts of opened events. linux/perf_event.h describes the layout of read() (PERF_FORMAT_*).
 */
#ifndef PERF_KERNEL_COUNT_H
#define PERF_KERNEL_COUNT_H

#include "kernel/open.h"

/* A count, and the times in nanoseconds during which the event was enabled and on a counter. */
struct kcount {
	u64 val, enabled, running;
};

/**
 * kcount_fn - receives the count of one event at one place.
 * @k: the place (k->cpu, k->tid) and the event (k->evsel)
 */
typedef void kcount_fn(void *ctx, const struct kfd *k, const struct kcount *c);

/**
 * kevents_read - read every count. A group (PERF_FORMAT_GROUP) is read at once, by its leader.
 * Events that the kernel does not let be read, because they are in an error state, are left out.
 */
void kevents_read(const struct kevents *k, const struct evlist *l, kcount_fn *fn, void *ctx);
/**
 * kevents_count - return the sum of the counts of @e at all its places. @e leads its group or is in
 * none. The sum is 0 as well when the kernel has given the event up.
 */
u64 kevents_count(const struct kevents *k, const struct evlist *l, const struct evsel *e);

#endif
