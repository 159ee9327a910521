/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The progress of a long job. The code that does the work (a session driver, a symbol loader) gets
 * a struct progress, or NULL, and calls progress_add(). The code that shows progress fills in
 * @tick. Rooms know nothing of terminals.
 */
#ifndef PERF_BASE_PROGRESS_H
#define PERF_BASE_PROGRESS_H

#include "base/compat.h"

struct progress {
	u64 total;         /* amount of work in any unit, such as bytes; 0: not known (yet) */
	u64 done;          /* the part that is done; only progress_add() changes it */
	u64 next;          /* @tick is called when @done reaches this */
	const char *title; /* what is being done, "Processing events..."; borrowed */
	/**
	 * tick - show @done of @total. The thread that passed @next calls it, one thread for each
	 * value of @next, so it has to be thread-safe. May be NULL.
	 */
	void (*tick)(struct progress *p);
	/** end - show nothing any more, because something else is to be written. May be NULL. */
	void (*end)(struct progress *p);
	void *ctx; /* for @tick and @end */
};

/**
 * progress_start - begin a stage of @total units of work with the name @title. @p may be NULL. Not
 * thread-safe.
 */
void progress_start(struct progress *p, const char *title, u64 total);

/** progress_end - end the stage: text can be written where the progress was. @p may be NULL. */
void progress_end(struct progress *p);

/** progress_slow - do the part of progress_add() that is rarely needed. */
void progress_slow(struct progress *p, u64 done);

/**
 * progress_add - count @n more units as done. @p may be NULL. It is thread-safe, and cheap enough
 * to be called every few kilobytes.
 */
static inline void progress_add(struct progress *p, u64 n)
{
	u64 done;

	if (!p)
		return;
	done = __atomic_add_fetch(&p->done, n, __ATOMIC_RELAXED);
	if (unlikely(done >= __atomic_load_n(&p->next, __ATOMIC_RELAXED)))
		progress_slow(p, done);
}

#endif
