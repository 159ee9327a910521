/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an event tells, by its name, which is all that exports know of it. */
#ifndef PERF_STACKTREE_EVENT_CLASS_H
#define PERF_STACKTREE_EVENT_CLASS_H

#include "base/compat.h"

enum event_class {
	EVENT_SAMPLED, /* says where time (or something else) was spent */
	EVENT_POINT,   /* a tracepoint, a probe: something that happened */
	EVENT_SWITCH   /* a thread left its CPU */
};

enum event_class event_class(const char *name);
/** event_counts_time - are its periods nanoseconds? */
bool event_counts_time(const char *name);
/** event_is_one_of - is it one of those, up to a NULL, with or without modifiers? */
bool event_is_one_of(const char *name, const char *const *names);

#endif
