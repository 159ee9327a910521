/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The work of the threads of a team in a second becomes text and a figure. */
#ifndef PERF_BENCH_RATES_H
#define PERF_BENCH_RATES_H

#include "bench/bench.h"
#include "bench/team.h"

/**
 * bench_tell_rates - tell what each thread of a team did in a second, and the mean.
 * @ns: how long they worked
 * @silent: tell the mean alone
 * @object: appends the number of a thread and what it worked on
 */
void bench_tell_rates(struct bench *b, const struct bench_team *t, u64 ns, bool silent,
		      void (*object)(const struct bench_worker *w, struct strbuf *out));

#endif
