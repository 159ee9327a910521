/* SPDX-License-Identifier: GPL-2.0-or-later */
/* I/O (flow.h) is summed up by device, task, operation and so on, with distributions of latencies.
 */
#ifndef PERF_BLOCK_SUMS_H
#define PERF_BLOCK_SUMS_H

#include "block/flow.h"

#include "analyze/steps.h"
#include "base/intern.h"

/* Latencies are named by the letters of the moments that they lie between, as btt does it. */
enum block_span {
	BLOCK_Q2G, /* until a bio has a request of its own */
	BLOCK_G2I, /* until the request stands in a queue */
	BLOCK_I2D, /* until it leaves the queue */
	BLOCK_G2D, /* until it is issued, when it was in no queue */
	BLOCK_D2C, /* the device's part */
	BLOCK_C2E, /* from the data to the end of the flushes around them */
	BLOCK_G2E, /* an empty write waits for a flush */
	BLOCK_Q2C, /* all of it, until the last completion */
	/* Bios that have joined the request of another one have these. */
	BLOCK_Q2M, /* until then */
	BLOCK_M2C, /* from then until the last completion */
	BLOCK_SPANS
};

struct block_times {
	u64 nr, sum, min, max; /* ns */
	u64 part;              /* the sum of those that are part of a Q2C */
	u32 steps[STEPS];
};

/** block_times_add - count a time. The shortest one is UINT64_MAX before the first. */
static inline void block_times_add(struct block_times *t, u64 ns)
{
	t->nr++;
	t->sum += ns;
	t->min = MIN(t->min, ns);
	t->max = MAX(t->max, ns);
	t->steps[step_of(ns)]++;
}

/** block_times_mean - return the mean in ns; 0: there are none. */
static inline u64 block_times_mean(const struct block_times *t)
{
	return t->nr ? t->sum / t->nr : 0;
}

/** block_times_quantile - return the time that @millionths of a million do not exceed. */
static inline u64 block_times_quantile(const struct block_times *t, u32 millionths)
{
	return t->nr ? MAX(steps_quantile(t->steps, t->nr, t->max, millionths), t->min) : 0;
}

/* Rows differ in what these bits stand for. */
#define BLOCK_BY_DEV 1U
#define BLOCK_BY_TASK 2U
#define BLOCK_BY_OP 4U
#define BLOCK_BY_CGROUP 8U
#define BLOCK_BY_STACK 16U

/* A row is about this. It has no padding. */
struct block_key {
	u64 cgroup;
	u32 dev;
	u32 task;  /* the watcher's number */
	u32 stack; /* the watcher's number */
	char rwbs[BLOCK_RWBS];
};

struct block_row {
	struct block_key key; /* what rows do not differ in is zero */
	u64 requests[BLOCK_KINDS], merges[BLOCK_KINDS], sectors[BLOCK_KINDS];
	u64 sync;                               /* requests that somebody waited for */
	u64 errors;                             /* requests that failed */
	struct block_times *times[BLOCK_SPANS]; /* owned; NULL: none */
};

/* It starts zeroed but for @by. */
struct block_sums {
	u32 by;
	struct intern keys;
	struct block_row *rows; /* owned; from number 1 on */
	u32 nr;
	size_t cap;
};

/** block_sums_end - count a request. @key: all members are set; others than @by are left out */
void block_sums_end(struct block_sums *s, const struct block_key *key, const struct block_io *io);
/** block_sums_member - count the latencies of a bio that had joined a request. */
void block_sums_member(struct block_sums *s, const struct block_key *key,
		       const struct block_io *io);
/** block_sums_merge - count a merge. */
void block_sums_merge(struct block_sums *s, const struct block_key *key, u32 kind);
/** block_sums_fold - add all rows of @from, which differ in more, to those of @to. */
void block_sums_fold(struct block_sums *to, const struct block_sums *from);
void block_sums_release(struct block_sums *s);

/**
 * block_span_of - tell how long a latency of I/O was that is complete.
 * @member: it is a bio that had joined a request
 * Return: whether the I/O has this latency.
 */
bool block_span_of(const struct block_io *io, enum block_span span, bool member, u64 *ns);

/** block_span_name - return "Q2G" and the like. */
const char *block_span_name(enum block_span span);

#endif
