// SPDX-License-Identifier: GPL-2.0-or-later
/* The collection epoll. */
#include "base/compat.h"
#include "bench/epoll-internal.h"

static const struct benchmark list[] = {
	{ "wait", "Benchmark epoll concurrent epoll_waits", epoll_bench_wait },
	{ "ctl", "Benchmark epoll concurrent epoll_ctls", epoll_bench_ctl },
	{ NULL },
};

const struct bench_collection bench_epoll = { "epoll", "Epoll stressing benchmarks", list,
					      "Run all epoll benchmarks" };
