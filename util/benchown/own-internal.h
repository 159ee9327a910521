/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The benchmarks of the collection internals. */
#ifndef PERF_BENCHOWN_OWN_INTERNAL_H
#define PERF_BENCHOWN_OWN_INTERNAL_H

#include "bench/bench.h"

int own_synthesize(struct bench *b, struct err *err);
int own_kallsyms(struct bench *b, struct err *err);
int own_inject(struct bench *b, struct err *err);
int own_open_close(struct bench *b, struct err *err);
int own_pmu_scan(struct bench *b, struct err *err);

#endif
