/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Start and stop counting: from outside, or by -D. */
#ifndef PERF_RECORDER_DELAY_H
#define PERF_RECORDER_DELAY_H

#include "kernel/event-loop.h"
#include "recorder/opened.h"

struct sleeps;

/* The events and sleeps that are counted. All pointers are borrowed. */
struct counting {
	struct kevents *kevents;
	const struct evlist *list;
	struct sleeps *sleeps; /* NULL: without */
	const struct notices *notes;
};

/** counting_enable - have everything count, or nothing. */
void counting_enable(const struct counting *c, bool on);
/** counting_set - count, or not; side-band records keep coming. */
void counting_set(const struct counting *c, bool on);
/** counting_measure - do what counting_set() does, and tell of it. */
void counting_measure(const struct counting *c, bool on);

/* -D: a time until events count, or spans of time in which they do. Starts zeroed. */
struct delay {
	const struct counting *counting; /* borrowed, as the loop */
	const struct delay_spans *spans;
	struct event_loop *loop;
	size_t span; /* the one we are in or before */
	bool in_span;
	u64 start_ms; /* what spans are counted from */
};

/** delay_start - have @loop enable the events after @delay_ms or in the spans of @o. Return: 0, or
 * negative errno and a sentence. */
int delay_start(struct delay *d, const struct record_opts *o, const struct counting *c,
		struct event_loop *loop, struct err *err);

#endif
