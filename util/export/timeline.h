/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples over time, for formats with tracks: which thread ran when, and how often an event
 * occurred.
 */
#ifndef PERF_EXPORT_TIMELINE_H
#define PERF_EXPORT_TIMELINE_H

#include "stacktree/event-class.h"
#include "stacktree/stacks.h"

/* A thread had a CPU from @start to @end. */
struct timeline_slice {
	u64 start, end;
	u32 cpu, thread;
};

/* The runs of tasks on CPUs as the timeline of the recording tells them (analyze/timeline.h), which
 * knows of both tasks of a switch and of losses. */
struct timeline_runner {
	u32 pid, tid;
	char *comm; /* owned */
};
struct timeline_runs {
	struct timeline_slice *v; /* owned; in the order of their ends; @thread: number in @tasks */
	size_t nr, cap;
	struct timeline_runner *tasks; /* owned */
	u32 nr_tasks;
};
void timeline_runs_release(struct timeline_runs *r);

/**
 * timeline_slices - find out which threads had the CPUs, where there are samples of the context
 * switches of all threads, that is, idle threads or the kernel threads of each CPU are among them.
 * They come from the timeline of the recording. Without one, they lie between the samples of
 * switches; the time before the first and after the last switch of a CPU is then left out. Idle
 * threads are left out, too.
 * @narrowed: a filter leaves switches out, and there are no slices
 * @runs: the timeline; NULL: there is none
 * @slices: receives the slices in the order of their ends; the caller frees them
 * Return: their number; 0 when the switches are not sufficient.
 */
size_t timeline_slices(const struct stacks *s, bool narrowed, const struct timeline_runs *runs,
		       struct timeline_slice **slices);

#define TIMELINE_STEPS 1000

/* The amount of each event on the whole machine, in steps of equal length. */
struct timeline_rates {
	u64 start, step; /* ns; step is not 0 */
	u32 nr_steps;
	u64 *sums; /* [event * nr_steps + step]: by weight */
};

/** timeline_rates - compute them. timeline_rates_release() frees them. */
void timeline_rates(struct timeline_rates *r, const struct stacks *s, enum stacks_weight weight);
/**
 * timeline_still_none - tell whether a step and the one before it are empty, so that it need not be
 * written.
 */
static inline bool timeline_still_none(const struct timeline_rates *r, u32 event, u32 step)
{
	const u64 *at = &r->sums[event * (size_t)r->nr_steps + step];

	return step && !at[0] && !at[-1];
}
void timeline_rates_release(struct timeline_rates *r);

#endif
