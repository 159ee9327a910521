/* SPDX-License-Identifier: GPL-2.0-or-later */
/* These declarations are shared by the parts of the room. */
#ifndef PERF_GAUGES_GAUGES_INTERNAL_H
#define PERF_GAUGES_GAUGES_INTERNAL_H

#include "gauges/gauges.h"

/* A client of a graphics card had used so much when it was last seen. */
struct gauge_client {
	u64 key; /* hash of its device and of its number there */
	u64 last;
};

/* Appends a gauge with these two names; the rest is zero. */
struct gauge *gauges_add(struct gauges *g, char *pmu, char *name);

/* Reads the values of graphics cards in one walk through the processes. */
void graphics_read(struct gauge_values *v, const struct sysroot *sr, const struct int_list *tids);

#endif
