/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lane of a timeline: what one thing (a task, a CPU) did over time. It is a function of time that
 * has a kind and a value; each change holds up to the next one, so that there are no gaps and no
 * overlaps. What is unknown is of the kind LANE_NONE.
 *
 * Recordings have millions of changes. A lane keeps each as two numbers of variable length, about
 * five bytes together:
 *
 *	(ns since the change before << 4) | kind,  value
 *
 * Every LANE_STRIDE changes there is a stop: a place to read from, with the time that the lane has
 * spent in each kind so far. The sums of any span therefore are the difference of two sums, each of
 * which takes a search and at most LANE_STRIDE steps. They are exact at any zoom, and cost the same
 * however many events the span has.
 */
#ifndef PERF_ANALYZE_LANE_H
#define PERF_ANALYZE_LANE_H

#include "base/compat.h"

enum lane_kind {
	LANE_NONE,      /* nothing is known, or the thing does not exist */
	LANE_RUNNING,   /* value, of a task: the CPU; of a CPU: the number of the task's lane */
	LANE_RUNNABLE,  /* value: 0: it was preempted; otherwise the waker, see lane_waker() */
	LANE_SLEEPING,  /* interruptible, or stopped; value: number of the call chain, or 0 */
	LANE_BLOCKED,   /* uninterruptible, which mostly is waiting for I/O; value: as above */
	LANE_IDLE,      /* value: the depth of the idle state, of a CPU's tasks 0 */
	LANE_INTERRUPT, /* value: its number */
	LANE_SOFTIRQ,   /* value: its number */
	LANE_FREQUENCY, /* value: kHz */
	LANE_KINDS
};

#define LANE_STRIDE 128

/* The state of a lane after some of its changes. */
struct lane_stop {
	u64 time;             /* of the last change, in ns */
	u64 sums[LANE_KINDS]; /* ns spent in each kind before that time */
	u32 at;               /* offset of the next change */
	u32 value;
	enum lane_kind kind;
};

struct lane {
	u8 *bytes; /* owned */
	u32 len;
	size_t cap;
	struct lane_stop *stops; /* owned; in the order of time */
	u32 nr_stops;
	size_t cap_stops;
	u32 nr;                     /* changes */
	u64 first, end;             /* of the first change; when the last one stops to hold */
	struct lane_stop last;      /* its sums leave out what follows the last change */
	struct lane_window *window; /* owned; what lane_add_coarse() has not written so far */
};

void lane_release(struct lane *l);

/**
 * lane_add - change a lane. Nothing happens if it is of that kind and value already.
 * @time: ns; a time before that of the last change counts as that time
 */
void lane_add(struct lane *l, u64 time, enum lane_kind kind, u32 value);
/* Changes of a short time, of which only the sums are kept. */
struct lane_window {
	u64 start, since;       /* of the window, and of the kind that the lane has now, in ns */
	u64 sums[LANE_KINDS];   /* ns of each kind before @since */
	u32 values[LANE_KINDS]; /* the last ones */
	enum lane_kind kind;
	u32 nr; /* changes in it */
};

/**
 * lane_add_coarse - change a lane that may not grow as it would. Of all changes within @grain ns
 * one interval of each kind is made, which has the sum of their times and the last value. What
 * lasts longer stays as it is, but for its ends.
 * @grain: 0: keep all, unless it was another number before
 * Return: how many changes were left out by now.
 */
u32 lane_add_coarse(struct lane *l, u64 grain, u64 time, enum lane_kind kind, u32 value);
/** lane_next_grain - return the grain of lanes that have grown too large: the first one after 0,
 * then the double. */
static inline u64 lane_next_grain(u64 grain)
{
	return grain ? 2 * grain : 10000;
}
/** lane_bytes - return how much memory the changes of a lane take. */
static inline u64 lane_bytes(const struct lane *l)
{
	return l->cap + l->cap_stops * sizeof(*l->stops);
}
/** lane_now - return the kind that the lane has at its end so far. */
static inline enum lane_kind lane_now(const struct lane *l)
{
	return l->window ? l->window->kind : l->last.kind;
}
/** lane_is_empty - tell whether the lane has not been changed so far. */
static inline bool lane_is_empty(const struct lane *l)
{
	return !l->nr && !l->window;
}
/** lane_finish - let the last change hold up to @end, and give back memory that is not used. */
void lane_finish(struct lane *l, u64 end);

/* The lane was of one kind from @start to @end, which are not equal. */
struct lane_interval {
	u64 start, end; /* ns */
	enum lane_kind kind;
	u32 value;
};

/* A place in a lane, which is borrowed. */
struct lane_cursor {
	const struct lane *lane;
	struct lane_stop at;
	struct lane_interval now; /* the one that was returned last */
	bool over;
};

/** lane_seek - go to the interval that contains @time, or to the first one behind it. Call it after
 * lane_finish(). */
void lane_seek(struct lane_cursor *c, const struct lane *l, u64 time);
/** lane_next - return the interval at the cursor and move on; NULL: there are no more. It is valid
 * until the next call. */
const struct lane_interval *lane_next(struct lane_cursor *c);

/**
 * lane_sums - compute how long a lane was of each kind in the span from @from to @to. What is
 * outside of the lane counts as LANE_NONE.
 * @sums: receives ns
 */
void lane_sums(const struct lane *l, u64 from, u64 to, u64 sums[LANE_KINDS]);

#define LANE_NO_WAKER UINT32_MAX
/** lane_waker - return the number of the lane of the task that has woken a runnable one;
 * LANE_NO_WAKER: it was preempted, or the waker is unknown or no task. */
static inline u32 lane_waker(u32 value)
{
	return value > 1 ? value - 2 : LANE_NO_WAKER;
}
/** lane_woken_by - return the value of a runnable task by its waker. */
static inline u32 lane_woken_by(u32 waker)
{
	return waker == LANE_NO_WAKER ? 1 : waker + 2;
}

/** lane_kind_name - return the name of a kind: "running". */
const char *lane_kind_name(enum lane_kind kind);

#endif
