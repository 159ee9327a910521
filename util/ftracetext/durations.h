/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times that something took: counted in steps and shown as a histogram, or summed up by function
 * and shown as a table.
 */
#ifndef PERF_FTRACETEXT_DURATIONS_H
#define PERF_FTRACETEXT_DURATIONS_H

#include "base/err.h"
#include "base/strbuf.h"

#define DURATION_STEPS 22

struct durations {
	/* This is asked for: */
	bool nsec;       /* the unit is ns, else us */
	bool hide_empty; /* steps without counts are not shown */
	u64 range;       /* the width of all steps in that unit; 0: each is twice the one before */
	u64 min, max;    /* the first step ends, and the last one begins there; 0: not set */
	/* This is counted: */
	u64 counts[DURATION_STEPS];
	u64 nr, sum, least, most; /* ns */
};

/** durations_check - tell whether what is asked for is possible. Return: 0 or -EINVAL and a
 * sentence. */
int durations_check(const struct durations *d, struct err *err);
/** durations_add - count one time in ns. */
void durations_add(struct durations *d, u64 ns);
/** durations_ends - store where the steps end, in ns. The last one has no end. @ends:
 * DURATION_STEPS. Return: the number of steps. */
u32 durations_ends(const struct durations *d, u64 *ends);
/** durations_take - take what somebody else has counted in these steps; @counts by step, times in
 * ns. */
void durations_take(struct durations *d, const u64 *counts, u64 nr, u64 sum, u64 least, u64 most);
/** durations_put - append the histogram, and below it the figures of all. */
void durations_put(const struct durations *d, struct strbuf *out);
/** durations_json - append it as an object. */
void durations_json(const struct durations *d, struct strbuf *out);

#endif
