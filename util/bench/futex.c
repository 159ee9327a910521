// SPDX-License-Identifier: GPL-2.0-or-later
/* The collection futex. */
#include "base/compat.h"
#include "bench/futex-internal.h"

static const struct benchmark list[] = {
	{ "hash", "Benchmark for futex hash table", futex_hash },
	{ "wake", "Benchmark for futex wake calls", futex_wake, true },
	{ "wake-parallel", "Benchmark for parallel futex wake calls", futex_wake_parallel, true },
	{ "requeue", "Benchmark for futex requeue calls", futex_requeue, true },
	{ "lock-pi", "Benchmark for futex lock_pi calls", futex_lock_pi },
	{ NULL },
};

const struct bench_collection bench_futex = { "futex", "Futex stressing benchmarks", list,
					      "Run all futex benchmarks" };
