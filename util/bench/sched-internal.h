/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The benchmarks of the collection sched. */
#ifndef PERF_BENCH_SCHED_INTERNAL_H
#define PERF_BENCH_SCHED_INTERNAL_H

#include "bench/bench.h"

int sched_messaging(struct bench *b, struct err *err);
int sched_pipe(struct bench *b, struct err *err);
int sched_seccomp_notify(struct bench *b, struct err *err);

#endif
