/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events that probes have made: what the tracing files have of them. */
#ifndef PERF_PROBERUN_LIVE_H
#define PERF_PROBERUN_LIVE_H

#include "proberun/proberun.h"

/**
 * probe_live_remove - remove the events that filters of names select (probe/filter.h), one filter
 * after the other. A filter without a colon is about names of events, not of groups.
 * Return: 0, or a negative errno and a sentence: -ENOENT when a filter selects nothing.
 */
int probe_live_remove(const struct probe_run *r, const char *const *filters, size_t nr,
		      struct err *err);
/**
 * probe_live_list - append the events that a filter selects, with the place that each has in the
 * source, or (@json) a document with them.
 * @filter: "": all
 * Return: 0, or a negative errno and a sentence.
 */
int probe_live_list(const struct probe_run *r, const char *filter, bool json, struct strbuf *out,
		    struct err *err);

#endif
