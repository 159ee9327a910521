/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters of events as options give them: each is for the events of the -e before it. Those of
 * tracepoints are judged by the kernel (evsel.filter), others look at samples (evsel.sample_filter,
 * events/filter.h). Both are checked here.
 */
#ifndef PERF_EVENTS_EVENT_FILTERS_H
#define PERF_EVENTS_EVENT_FILTERS_H

#include "base/name-list.h"
#include "base/sysroot.h"
#include "events/evlist.h"

struct event_filters {
	struct evlist *evlist; /* borrowed */
	struct evlist *last;   /* borrowed; the list that was added to last, to which a filter
				  belongs; NULL: evlist */
	const struct sysroot *sysroot; /* borrowed */
	const char *pending; /* borrowed; a filter that had no event before it; NULL: none */
	bool refused;        /* the kernel would refuse a filter, and the user was told */
};

/**
 * event_filters_add - add a filter to the events that were named last. Without any event it waits
 * for event_filters_settle(). Events that a pattern brought in are removed when the filter is not
 * for them, such as when they lack its field, but for others. A filter that the kernel would refuse
 * for an event that was named, or for all, only sets f->refused.
 * @text: borrowed until event_filters_settle()
 * @told: what the user is to be told is appended: warnings, or why it is none
 *
 * Return: 0, or -EINVAL when @text is no filter of one of these events.
 */
int event_filters_add(struct event_filters *f, const char *text, struct strbuf *told);
/**
 * event_filters_exclude - let the tracepoints that were named last take nothing of process @pid.
 * Return: 0, or -EINVAL with a text in @told when what was named last is not tracepoints.
 */
int event_filters_exclude(struct event_filters *f, int pid, struct strbuf *told);
/**
 * event_filters_settle - apply the filter that waits, when all events are known.
 * @named: events were named by options, so that the list has more than the default one
 *
 * Return: 0; -ECANCELED when a filter was refused before; -EINVAL when the one that waits is no
 * filter or comes before all events, with a text in @told.
 */
int event_filters_settle(struct event_filters *f, bool named, struct strbuf *told);
/**
 * filter_left_out - append a line that says which events of a pattern a filter does not apply to.
 * @of: the number of all events of the pattern
 * @what: a word for them: "events", "calls"
 */
void filter_left_out(const char *text, const struct few_names *names, size_t of, const char *what,
		     struct strbuf *out);

#endif
