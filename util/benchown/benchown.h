/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Benchmarks of perf itself: the code that it runs when it records and reads recordings. */
#ifndef PERF_BENCHOWN_BENCHOWN_H
#define PERF_BENCHOWN_BENCHOWN_H

#include "bench/bench.h"

extern const struct bench_collection bench_internals;

#endif
