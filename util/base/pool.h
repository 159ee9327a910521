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

/**
 * struct crew - threads that stay from one job to the next, for jobs of a few milliseconds that
 * follow each other. A new thread may begin on the CPU of the one that made it, which then gets
 * half of it until the kernel moves one of them, milliseconds later; one that has slept is more
 * likely to be woken where a CPU is idle.
 */
struct crew;

/** crew_new - of @workers, the caller being one; threads are made when there is work for them. Free
 * with crew_free(). */
struct crew *crew_new(int workers);
/** crew_workers - how many take part at most; of NULL one does. */
int crew_workers(const struct crew *c);
/** crew_run - as pool_run(). Of one thread, job after job; @c NULL: it does all. */
void crew_run(struct crew *c, size_t nr, void (*fn)(void *ctx, int worker, size_t item), void *ctx);
/** crew_free - the threads end; NULL is none. */
void crew_free(struct crew *c);

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
