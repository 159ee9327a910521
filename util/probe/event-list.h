/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of the events that there are, as the tracing files of the kernel show them. */
#ifndef PERF_PROBE_EVENT_LIST_H
#define PERF_PROBE_EVENT_LIST_H

#include "probe/event.h"
#include "probe/filter.h"

struct probe_lines {
	struct probe_line *v; /* owned */
	size_t nr, cap;
};

/**
 * probe_lines_parse - append the events of the text of kprobe_events, or (@user) of uprobe_events,
 * sorted by their names. Lines that are no events are left out.
 */
void probe_lines_parse(struct probe_lines *out, const char *text, size_t len, bool user);
void probe_lines_release(struct probe_lines *l);

/** probe_line_passes - tell whether a filter lets the name of an event pass, or (@whole) its
 * "GROUP:EVENT". */
bool probe_line_passes(const struct probe_line *l, const struct name_filter *f, bool whole);
/** probe_lines_again - tell whether an event before number @i has the same name: an event has a
 * line for each of its places. */
bool probe_lines_again(const struct probe_lines *all, size_t i);

#endif
