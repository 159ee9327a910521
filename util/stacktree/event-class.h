/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Derive the meaning of an event from its name, which is all that exports know of it. */
#ifndef PERF_STACKTREE_EVENT_CLASS_H
#define PERF_STACKTREE_EVENT_CLASS_H

#include "base/compat.h"

/** event_class - return the class of an event. */
enum event_class {
	EVENT_SAMPLED, /* its samples say where time, or another resource, was spent */
	EVENT_POINT,   /* a tracepoint or a probe: its samples are single occurrences */
	EVENT_SWITCH   /* a thread leaves its CPU */
};

enum event_class event_class(const char *name);
/** event_counts_time - tell whether its periods are nanoseconds. */
bool event_counts_time(const char *name);
/**
 * event_is_one_of - tell whether it is one of @names, which end with NULL; modifiers are ignored.
 */
bool event_is_one_of(const char *name, const char *const *names);

#endif
