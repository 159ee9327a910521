/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions choose the samples that a command looks at: --comms, --pid, --tid, -C, --time. */
#ifndef PERF_RECORDING_SAMPLE_FILTER_H
#define PERF_RECORDING_SAMPLE_FILTER_H

#include "base/name-list.h"
#include "machine/machine.h"

struct time_span {
	u64 first, last; /* ns, both included */
};

struct sample_filter {
	struct name_list comms;
	u32 *pids, *tids; /* owned, sorted */
	size_t nr_pids, nr_tids;
	u64 *cpus; /* owned bit map of nr_cpus bits; NULL: all */
	u32 nr_cpus;
	struct time_span *spans; /* owned */
	size_t nr_spans;
	bool any; /* some filter is set */
};

/* Each takes the list as given on the command line. Return: 0, or -EINVAL and a sentence. */
int sample_filter_comms(struct sample_filter *f, const char *list, struct err *err);
int sample_filter_pids(struct sample_filter *f, const char *list, struct err *err);
int sample_filter_tids(struct sample_filter *f, const char *list, struct err *err);
/** sample_filter_cpus - "0,2-3". */
int sample_filter_cpus(struct sample_filter *f, const char *list, struct err *err);
/**
 * sample_filter_time - "start,stop" in seconds (either may be missing), several pairs with blanks
 * between them, or parts of the recording: "10%/2" (the second tenth), "0%-10%,20%-30%".
 * @first, @last: times of the first and the last sample
 */
int sample_filter_time(struct sample_filter *f, const char *list, u64 first, u64 last,
		       struct err *err);
/** sample_filter_time_since - do what sample_filter_time() does, but seconds count from the first
 * sample on. */
int sample_filter_time_since(struct sample_filter *f, const char *list, u64 first, u64 last,
			     struct err *err);
/** sample_filter_release - free the contents. */
void sample_filter_release(struct sample_filter *f);

/** sample_filter_last_cpu - return the highest number that -C gave; -1: none, all CPUs. */
s64 sample_filter_last_cpu(const struct sample_filter *f);
/** sample_filter_cpu - tell whether what happened on that CPU is wanted; ~0U, none, is.
 * Thread-safe. */
bool sample_filter_cpu(const struct sample_filter *f, u32 cpu);
/** sample_filter_takes_cpu - tell whether a sample of that CPU is wanted; it has to be on one.
 * Thread-safe. */
static inline bool sample_filter_takes_cpu(const struct sample_filter *f, u32 cpu)
{
	return !f->cpus || (cpu < f->nr_cpus && f->cpus[cpu / 64] >> cpu % 64 & 1);
}
/** sample_filter_time_takes - tell whether that time is wanted. Thread-safe. */
static inline bool sample_filter_time_takes(const struct sample_filter *f, u64 time)
{
	for (size_t i = 0; i < f->nr_spans; i++)
		if (time >= f->spans[i].first && time <= f->spans[i].last)
			return true;
	return !f->nr_spans;
}
/** sample_filter_match - tell whether a sample is wanted. @comm: name of its thread at the time.
 * Thread-safe. */
bool sample_filter_match(const struct sample_filter *f, u32 pid, u32 tid, u32 cpu, u64 time,
			 const char *comm);

#endif
