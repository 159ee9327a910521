/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the parts that tell metrics. */
#ifndef PERF_STAT_SHADOW_INTERNAL_H
#define PERF_STAT_SHADOW_INTERNAL_H

#include "stat/shadow.h"

/** shadow_named - tell what there is to say of an event that is known by its name. Return: it is
 * one of those. */
bool shadow_named(const struct stat_result *r, size_t evsel, size_t id, stat_metric_fn *fn,
		  void *ctx);

#endif
