/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These functions tell when the samples of a profile were taken, for the strip of time. The
 * recording is read again for that: a profile does not keep the times of its samples. */
#ifndef PERF_BROWSE_OVER_TIME_H
#define PERF_BROWSE_OVER_TIME_H

#include "browse/counted.h"
#include "ui/views/strip.h"

struct over_time;

/**
 * over_time_new - count the samples of some events over time.
 * @c: tells which samples pass; owned from now on, and was not run
 * @evsel, @nr_events: the first event, and how many there are from it on
 * Return: what over_time_free() frees; NULL and a sentence.
 */
struct over_time *over_time_new(struct counted *c, u32 evsel, u32 nr_events, struct err *err);
/** over_time_free - free it; NULL is fine. */
void over_time_free(struct over_time *t);
/** over_time_tracks - return the counts, which are borrowed. */
const struct strip_tracks *over_time_tracks(const struct over_time *t);

#endif
