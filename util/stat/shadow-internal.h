/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the parts that compute metrics of counts. */
#ifndef PERF_STAT_SHADOW_INTERNAL_H
#define PERF_STAT_SHADOW_INTERNAL_H

#include "stat/shadow.h"

/**
 * shadow_named - call @fn for the metrics of an event that is known by its name. Return: whether it
 * is.
 */
bool shadow_named(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		  void *ctx);

#endif
