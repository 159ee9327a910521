/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions tell how many of the recorded threads were on CPUs at each moment, by records of
 * context switches. */
#ifndef PERF_PROFILE_PARALLELISM_H
#define PERF_PROFILE_PARALLELISM_H

#include "base/hash.h"
#include "session/session.h"

struct parallelism {
	struct parallel_step {
		u64 time;
		s64 running; /* from then on; without those of @early */
	} * steps;           /* owned; in the order of time */
	size_t nr, cap;
	struct map64 threads; /* by tid: is it running? */
	s64 running;
	u32 early; /* that ran before the first record of them */
};

/** parallelism_note - take a record; those that say nothing of it are ignored. In the order of
 * time. */
void parallelism_note(struct parallelism *p, const struct session_event *ev);
/** parallelism_at - return how many threads ran at a time: 1 to @cpus (0: not known). @hint: of the
 * caller, 0 at first; times that follow one another are found without a search. */
u32 parallelism_at(const struct parallelism *p, u64 time, u32 cpus, size_t *hint);
void parallelism_release(struct parallelism *p);

#endif
