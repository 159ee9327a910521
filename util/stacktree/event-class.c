// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "stacktree/event-class.h"

bool event_is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++) {
		size_t len = strlen(*names);

		if (!strncmp(name, *names, len) && (!name[len] || name[len] == ':'))
			return true;
	}
	return false;
}

enum event_class event_class(const char *name)
{
	static const char *const switches[] = { "context-switches", "cs", "sched:sched_switch",
						NULL };
	const char *colon = strchr(name, ':');

	if (event_is_one_of(name, switches))
		return EVENT_SWITCH;
	/* "cycles:u" has modifiers; anything else after a colon is the name of a tracepoint. */
	if (!colon || strchr(name, '/') || !strncmp(name, "mem:", 4))
		return EVENT_SAMPLED;
	return colon[1 + strspn(colon + 1, "ukhpPGHISDWeb")] ? EVENT_POINT : EVENT_SAMPLED;
}

bool event_counts_time(const char *name)
{
	/* For these tracepoints the kernel uses the reported time as the period. */
	static const char *const names[] = { "cpu-clock",
					     "task-clock",
					     "offcpu-time",
					     "wall-clock",
					     "sched:sched_stat_wait",
					     "sched:sched_stat_sleep",
					     "sched:sched_stat_iowait",
					     "sched:sched_stat_blocked",
					     "sched:sched_stat_runtime",
					     NULL };

	return event_is_one_of(name, names);
}
