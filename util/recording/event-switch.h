/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Choose the samples between one event and another: --switch-on, --switch-off. */
#ifndef PERF_RECORDING_EVENT_SWITCH_H
#define PERF_RECORDING_EVENT_SWITCH_H

#include "base/err.h"
#include "events/evlist.h"

struct event_switch {
	const char *on, *off; /* names, borrowed; NULL: not asked for */
	bool show;            /* also the samples that switch */
	/* private */
	u32 on_idx, off_idx;
	bool waiting; /* for the event that switches on */
};

static inline bool event_switch_any(const struct event_switch *sw)
{
	return sw->on || sw->off;
}

/**
 * event_switch_start - find the events that switch among those of the recording.
 * Return: 0, or -ENOENT and a sentence when an event is not there.
 */
int event_switch_start(struct event_switch *sw, const struct evlist *l, struct err *err);

/**
 * event_switch_takes - tell whether the next sample, in the order of time, is wanted. Without
 * --switch-on nothing switches on again, so --switch-off alone takes away the one sample that
 * switches.
 */
bool event_switch_takes(struct event_switch *sw, const struct evsel *e);

#endif
