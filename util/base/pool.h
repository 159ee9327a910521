/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run the same function over numbered pieces of work on several threads. */
#ifndef PERF_BASE_POOL_H
#define PERF_BASE_POOL_H

#include "base/compat.h"

/** pool_cpus - return the number of CPUs this process may run on, at least 1. */
int pool_cpus(void);
/** pool_workers - return the number of threads for work whose result does not depend on their
 * number: $PERF_WORKERS, or pool_cpus(). */
int pool_workers(void);

/**
 * pool_run - call fn(ctx, worker, item) once for every item in [0, @nr).
 * @workers: the number of threads, the caller being worker 0; 1 runs everything in the
 *	caller
 * Items are handed out in increasing order, and the result must not depend on which worker gets
 * which. The function returns when all items are done. When a thread cannot be created, the others
 * do its work.
 */
void pool_run(int workers, size_t nr, void (*fn)(void *ctx, int worker, size_t item), void *ctx);

/**
 * struct crew - threads that stay from one job to the next, for jobs of a few milliseconds that
 * follow each other. A new thread may start on the CPU of its creator and share it with that thread
 * until the kernel moves one of them, milliseconds later; a thread that has slept is more likely to
 * be woken on an idle CPU.
 */
struct crew;

/**
 * crew_new - return a crew of @workers, of which the caller is one. Its threads are created when
 * there is work for them. crew_free() frees it.
 */
struct crew *crew_new(int workers);
/** crew_workers - return the largest number of workers that take part in a job; 1 for NULL. */
int crew_workers(const struct crew *c);
/**
 * crew_run - do what pool_run() does, one job after another, called by one thread. @c NULL: the
 * caller does all the work.
 */
void crew_run(struct crew *c, size_t nr, void (*fn)(void *ctx, int worker, size_t item), void *ctx);
/** crew_free - end the threads and free the crew, which may be NULL. */
void crew_free(struct crew *c);

/**
 * pool_run_in_order - produce items on several threads and pass them on one after the other.
 * @make: produces an item; it is called as pool_run() calls its function
 * @hand: called for item 0, then item 1 and so on, never twice at a time, by the thread
 *	that made the item. When it returns something other than 0, no later item is passed on.
 * A thread that finishes early waits for its turn, so that each worker holds one item at most.
 * Return: 0, or what @hand returned last.
 */
int pool_run_in_order(int workers, size_t nr, void (*make)(void *ctx, int worker, size_t item),
		      int (*hand)(void *ctx, int worker, size_t item), void *ctx);

#endif
