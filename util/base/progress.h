/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a long job has got. Who does the work (a session driver, a symbol
 * loader) is handed a struct progress, or NULL, and calls progress_add(); who
 * shows it (builtins, ui/) fills in @tick. Rooms know nothing of terminals.
 */
#ifndef PERF_BASE_PROGRESS_H
#define PERF_BASE_PROGRESS_H

#include "base/compat.h"

struct progress {
	u64 total;         /* amount of work, in whatever unit (bytes); 0: not known (yet) */
	u64 done;          /* of it; only changed by progress_add() */
	u64 next;          /* @tick is due when @done reaches this */
	const char *title; /* what is being done, "Processing events..."; borrowed */
	/**
	 * tick - show @done of @total. Called by whichever thread passed @next, so it must be
	 * thread-safe, but by one thread at a time per value of @next. May be NULL.
	 */
	void (*tick)(struct progress *p);
	void *ctx; /* of @tick */
};

/** progress_start - begin a (new) stage: @total units of work called @title. @p may be NULL. Not
 * thread-safe. */
void progress_start(struct progress *p, const char *title, u64 total);

/** progress_slow - the rare part of progress_add(). */
void progress_slow(struct progress *p, u64 done);

/** progress_add - @n more units are done. @p may be NULL. Thread-safe; cheap enough for every few
 * kilobytes. */
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
