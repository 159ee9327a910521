/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run the same function over numbered pieces of work on several threads. */
#ifndef PERF_BASE_POOL_H
#define PERF_BASE_POOL_H

#include "base/compat.h"

/** pool_cpus - processors this process may run on, at least 1. */
int pool_cpus(void);

/**
 * pool_run - call fn(ctx, worker, item) once for every item in [0, @nr).
 * @workers: threads, the caller being worker 0; 1 runs everything in the caller
 * Items are handed out in increasing order; fn must not care which worker gets one.
 * Returns when all are done. When a thread cannot be made the rest do its work.
 */
void pool_run(int workers, size_t nr, void (*fn)(void *ctx, int worker, size_t item), void *ctx);

/** pool_keep - threads that pool_run() makes stay for the next one, until pool_release(). Not for
 * what changes the whole process meanwhile, as setns() does; a child has none of them. */
void pool_keep(void);
/** pool_release - end the threads that stay; without pool_keep() there are none. */
void pool_release(void);

/**
 * pool_run_in_order - make items on several threads and hand them over one after the other.
 * @make: called as pool_run() calls its function
 * @hand: called for item 0, then 1 and so on, never two at a time, by the thread that made the
 *	item; what is not 0 ends it all: no item after it is handed over
 * A thread that is done early waits for its turn, so that no more than one item of each worker
 * is held. Returns 0 or what @hand returned last.
 */
int pool_run_in_order(int workers, size_t nr, void (*make)(void *ctx, int worker, size_t item),
		      int (*hand)(void *ctx, int worker, size_t item), void *ctx);

#endif
