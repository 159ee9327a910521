/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics of system calls, by groups: a thread, a control group, or all. Mean and deviation come
 * from whole sums of times and of their squares, which are exact; 128 bits hold the squares of all
 * times that fit in the 64 bits of their sum. Memory grows with the groups that are alive, not with
 * all that ever were: those that have ended are added to one common group when there are too many
 * of them.
 */
#ifndef PERF_ANALYZE_SYSCALL_SUMS_H
#define PERF_ANALYZE_SYSCALL_SUMS_H

#include "analyze/steps.h"
#include "base/hash.h"

#define SYSCALL_MAX_ERRNO 4095

struct syscall_errno {
	u32 error; /* positive */
	u64 nr;
};

/* The calls of one number. Times are in ns. */
struct syscall_sum {
	s64 nr;
	u64 calls, errors;
	u64 timed; /* calls whose begin and end were seen, which the times are of */
	u64 total, min, max;
	unsigned __int128 squares;    /* the sum of the squares of the times */
	struct syscall_errno *errnos; /* owned; nr_errnos of them, in the order of appearance */
	u32 nr_errnos;
	u32 *steps; /* owned; the distribution of times; NULL: not asked for, or there are none */
};

struct syscall_group {
	u64 key;  /* as the user of the sums knows it; 0: what is left of groups that have ended */
	u64 last; /* time of its last event */
	u32 pid;  /* of its first event */
	u64 events, faults_major, faults_minor;
	u64 runtime;              /* ns on a CPU, where that is told */
	bool ended;               /* the task is no more */
	u32 folded;               /* how many others were added to it */
	struct syscall_sum *sums; /* owned */
	size_t nr, cap;
	struct map64 by_nr;         /* of a group that is alive */
	struct syscall_sum *recent; /* in @sums, that was looked up last; NULL: none */
};

struct syscall_sums {
	struct syscall_group *groups; /* owned; in the order of appearance */
	size_t nr, cap;
	struct map64 by_key; /* of groups that are alive */
	size_t recent;       /* the place in @groups that was looked up last */
	u64 events;          /* of all groups */
	size_t ended, most_ended;
	bool steps; /* distributions are wanted; may be set before the first call */
};

/** syscall_sums_init - prepare; syscall_sums_release() frees what was counted.
 * @most_ended: groups that have ended and are kept apart */
void syscall_sums_init(struct syscall_sums *s, size_t most_ended);
void syscall_sums_release(struct syscall_sums *s);

/** syscall_sums_find - do what syscall_sums_group() does, whichever group it was the last time. */
size_t syscall_sums_find(struct syscall_sums *s, u64 key, u32 pid);
/** syscall_sums_group - return the number of the group with a key that is not 0, which may be a new
 * one. It is valid until syscall_sums_end(). */
static inline size_t syscall_sums_group(struct syscall_sums *s, u64 key, u32 pid)
{
	/* Usually it is the same thread again. */
	if (likely(s->recent < s->nr && s->groups[s->recent].key == key &&
		   !s->groups[s->recent].ended))
		return s->recent;
	return syscall_sums_find(s, key, pid);
}
/** syscall_sums_events - count @nr events of a group, the last of them at @time. */
static inline void syscall_sums_events(struct syscall_sums *s, size_t group, u64 nr, u64 time)
{
	s->groups[group].events += nr;
	s->groups[group].last = time;
	s->events += nr;
}
/** syscall_sums_event - count an event of a group. */
static inline void syscall_sums_event(struct syscall_sums *s, size_t group, u64 time)
{
	syscall_sums_events(s, group, 1, time);
}
/** syscall_sums_call - count a call. */
void syscall_sums_call(struct syscall_sums *s, size_t group, s64 nr);
/**
 * syscall_sums_return - take the result of a call that has been counted.
 * @timed: @ns is how long it took
 * @ret: what it has returned
 */
void syscall_sums_return(struct syscall_sums *s, size_t group, s64 nr, bool timed, u64 ns, s64 ret);
/** syscall_sums_add - add calls of one number that were counted elsewhere. @more: borrowed */
void syscall_sums_add(struct syscall_sums *s, size_t group, const struct syscall_sum *more);
/** syscall_sums_end - note that the task of a group has ended. Its key may be used again. */
void syscall_sums_end(struct syscall_sums *s, u64 key);

/** syscall_sum_quantile - return the time in ns that @millionths of a million calls do not exceed,
 * within an eighth; 0 without a distribution. */
u64 syscall_sum_quantile(const struct syscall_sum *s, u32 millionths);
/** syscall_sum_mean - return the mean of the times; 0 without any. */
static inline double syscall_sum_mean(const struct syscall_sum *s)
{
	return s->timed ? (double)s->total / (double)s->timed : 0;
}
/** syscall_sum_deviation - return the standard deviation of the mean, in per cent of the mean. */
double syscall_sum_deviation(const struct syscall_sum *s);
/** syscall_sums_sort - bring the calls of all groups into the order of their total times, longest
 * first, then by number. Nothing can be counted afterwards. */
void syscall_sums_sort(struct syscall_sums *s);

#endif
