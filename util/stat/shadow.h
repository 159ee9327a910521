/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meaning of a count in relation to others: instructions per cycle, misses in percent of
 * accesses, events per second. Events that were not counted are never used.
 */
#ifndef PERF_STAT_SHADOW_H
#define PERF_STAT_SHADOW_H

#include "stat/result.h"

/* The severity of a value, for colours. */
enum stat_alarm { ALARM_NONE, ALARM_LOW, ALARM_MEDIUM, ALARM_HIGH };

struct stat_metric {
	double value; /* NaN: unknown */
	const char *
		fmt; /* printf format of value and of what follows it, except the unit: "%8.2f%%" */
	const char *unit; /* "of all branches" */
	enum stat_alarm alarm;
	bool asked; /* it was requested by its name */
};

typedef void stat_metric_fn(void *ctx, const struct stat_metric *m);

/**
 * shadow_metrics - call @fn for each metric next to the value of @evsel at @id: none, one or two
 * (instructions), and the requested metrics (stat/metrics.h).
 */
void shadow_metrics(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		    void *ctx);

#endif
