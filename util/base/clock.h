/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read clocks as nanoseconds. */
#ifndef PERF_BASE_CLOCK_H
#define PERF_BASE_CLOCK_H

#include "base/compat.h"

#include <time.h>

/** timespec_ns - return the time @t in nanoseconds. */
static inline u64 timespec_ns(const struct timespec *t)
{
	return (u64)t->tv_sec * 1000000000 + (u64)t->tv_nsec;
}

/**
 * clock_ns - return the time of the clock @id (CLOCK_MONOTONIC, ...) in nanoseconds, or 0 when
 * there is no such clock.
 */
static inline u64 clock_ns(clockid_t id)
{
	struct timespec ts = { 0 };

	clock_gettime(id, &ts);
	return timespec_ns(&ts);
}

#endif
