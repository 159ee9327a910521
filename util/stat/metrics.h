/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics that were asked for by name, beside the counts they are made of. */
#ifndef PERF_STAT_METRICS_H
#define PERF_STAT_METRICS_H

#include "stat/shadow.h"

struct metric_set;

/* Where each metric is shown, and how. */
struct stat_metrics {
	const struct metric_set *set; /* borrowed; its events are in the list that is counted */
	u32 *row;                     /* owned; the event that each stands beside: its first one */
	char **unit;                  /* owned, the array and each: "%  tma_retiring" */
	size_t nr;
	u32 stride; /* 0, or how many events there are before they come again for another cgroup */
};

/** stat_metrics_init - of a set whose events are in the list (metric_set_events()). */
void stat_metrics_init(struct stat_metrics *m, const struct metric_set *set,
		       const struct evlist *l);
/** stat_metrics_release - free the contents. */
void stat_metrics_release(struct stat_metrics *m);

/** stat_metrics_tell - call @fn for each metric that is shown beside the event @evsel at @id; its
 * value is NaN when something in it was not counted there. */
void stat_metrics_tell(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		       void *ctx);

#endif
