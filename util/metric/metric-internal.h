/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the parts of the room. */
#ifndef PERF_METRIC_INTERNAL_H
#define PERF_METRIC_INTERNAL_H

#include "metric/metric.h"

/* One expression of a metric. The values of a metric are in one array: first those of its ids, then
 * those of its steps. */
struct metric_step {
	const struct vendor_metric *def;
	struct expr expr;
	u32 *slots; /* the index of each id of the expression in the values */
};

/* The facts about the machine that expressions use. @ctx: struct metric_env */
int metric_literal(void *ctx, const char *name, double *value);
bool metric_has_event(void *ctx, const char *event);
bool metric_cpuid_matches(void *ctx, const char *pattern);

#endif
