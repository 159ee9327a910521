/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Set the recorder's priority and where it runs, as records are lost when it is late. */
#ifndef PERF_RECORDER_SCHEDULING_H
#define PERF_RECORDER_SCHEDULING_H

#include "recordopts/options.h"
#include "recorder/thread-sets.h"

struct priority {
	int nice; /* before it was raised */
	bool raised;
};

/* The CPUs that are near to each other. */
struct nearness {
	struct thread_sets sets;      /* owned; empty: the recorder stays where it is */
	const struct thread_set *now; /* of those, where we run; NULL: not moved yet */
};

/** realtime_set - give the calling thread a @priority of SCHED_FIFO; 0: leave it as it is. Return:
 * 0, or negative errno and a sentence. */
int realtime_set(int priority, struct err *err);
/** priority_raise - run before others, if we may. */
void priority_raise(struct priority *p);
/** priority_lower - return to the priority before priority_raise(). */
void priority_lower(struct priority *p);
/** nearness_find - find out which of @cpus are near which; thread_sets_release() frees n->sets. */
void nearness_find(struct nearness *n, enum ring_affinity affinity, const struct sysroot *sr,
		   const struct int_list *cpus);
/** nearness_follow - go to where the ring of @cpu is near. */
void nearness_follow(struct nearness *n, int cpu);

#endif
