/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a count means beside others: instructions per cycle, misses in per cent of accesses, events
 * per second. Never by an event that was not counted. */
#ifndef PERF_STAT_SHADOW_H
#define PERF_STAT_SHADOW_H

#include "stat/result.h"

/* How much of a concern a value is; for colours. */
enum stat_alarm { ALARM_NONE, ALARM_LOW, ALARM_MEDIUM, ALARM_HIGH };

struct stat_metric {
	double value;     /* NaN: it cannot be told */
	const char *fmt;  /* printf format of value, with what follows it but the unit: "%8.2f%%" */
	const char *unit; /* "of all branches" */
	enum stat_alarm alarm;
	bool asked; /* for by its name */
};

typedef void stat_metric_fn(void *ctx, const struct stat_metric *m);

/**
 * shadow_metrics - call @fn for each thing there is to say beside the value of @evsel at @id: none,
 * one, two (instructions), and the metrics that were asked for (stat/metrics.h).
 */
void shadow_metrics(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		    void *ctx);

#endif
