// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

u32 deterministic_bar(u32 x);
u32 deterministic_foo(u32 x);

static volatile u32 deterministic_result;

WORKLOAD_FN u32 deterministic_bar(u32 x)
{
	WORKLOAD_FRAME();
	for (int i = 0; i < 16; i++)
		x = x * 1664525 + 1013904223;
	return x;
}

WORKLOAD_FN u32 deterministic_foo(u32 x)
{
	u32 y = deterministic_bar(x);

	return y ^ deterministic_bar(y);
}

/* No clock, no system call, no input: each run retires the same instructions in the loop. */
int wl_deterministic(int argc, const char **argv)
{
	unsigned long n = workload_count(workload_arg(argc, argv, 0), 20000000, 1UL << 30);
	u32 x = 1;

	for (unsigned long i = 0; i < n; i++)
		x = deterministic_foo(x);
	deterministic_result = x;
	return n ? 0 : 1;
}
