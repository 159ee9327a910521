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
/** durations_put - append the histogram, and below it the figures of all. */
void durations_put(const struct durations *d, struct strbuf *out);
/** durations_json - append it as an object. */
void durations_json(const struct durations *d, struct strbuf *out);

#endif
