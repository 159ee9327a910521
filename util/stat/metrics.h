/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keep the requested metrics next to the counts that they are computed from. */
#ifndef PERF_STAT_METRICS_H
#define PERF_STAT_METRICS_H

#include "stat/shadow.h"

struct metric_set;

/* The place and the form in which each metric is shown. */
struct stat_metrics {
	const struct metric_set *set; /* borrowed; its events are in the list of counted events */
	u32 *row;    /* owned; the event next to which each is shown: its first one */
	char **unit; /* owned, the array and each: "%  tma_retiring" */
	size_t nr;
	u32 stride; /* 0, or the number of events that are repeated for each cgroup */
};

/** stat_metrics_init - prepare a set whose events are in the list, see metric_set_events(). */
void stat_metrics_init(struct stat_metrics *m, const struct metric_set *set,
		       const struct evlist *l);
/** stat_metrics_release - free the contents. */
void stat_metrics_release(struct stat_metrics *m);

/**
 * stat_metrics_tell - call @fn for each metric that is shown next to the event @evsel at @id. Its
 * value is NaN when a part of it was not counted there.
 */
void stat_metrics_tell(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		       void *ctx);

#endif
