/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that no record has told of when a file that is read once came to their samples. Records
 * that come later may tell of them after all; whether they did is known at the end.
 */
#ifndef PERF_RECORDING_STRANGERS_H
#define PERF_RECORDING_STRANGERS_H

#include "base/hash.h"
#include "machine/machine.h"

/* A thread was taken for a stranger over this time. */
struct stranger {
	u32 pid, tid;
	u64 first, last;
};

struct strangers {
	struct stranger *v; /* owned */
	size_t nr, cap;
	struct map64 by_ids; /* (pid, tid) -> index */
};

/** strangers_note - note that a thread was taken for a stranger at @time, and for as long as @at
 * holds. */
void strangers_note(struct strangers *s, u64 time, const struct thread_at *at);
/** strangers_stay - tell whether the complete model knows none of them either. @m: sealed */
bool strangers_stay(const struct strangers *s, const struct machine *m);
void strangers_release(struct strangers *s);

#endif
