// SPDX-License-Identifier: GPL-2.0-or-later
/* The collection sched: how fast tasks wake each other. */
#include "base/compat.h"
#include "bench/sched-internal.h"

static const struct benchmark list[] = {
	{ "messaging", "Benchmark for scheduling and IPC", sched_messaging },
	{ "pipe", "Benchmark for pipe() between two processes", sched_pipe },
	{ "seccomp-notify", "Benchmark for seccomp user notify", sched_seccomp_notify },
	{ NULL },
};

const struct bench_collection bench_sched = { "sched", "Scheduler and IPC benchmarks", list,
					      "Run all scheduler benchmarks" };
