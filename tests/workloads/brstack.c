// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

void brstack_foo(void);
void brstack_bar(void);
void brstack_bench(u64 i);

static volatile u64 odd, even;

WORKLOAD_FN void brstack_bar(void)
{
	WORKLOAD_FRAME();
	even++;
}

WORKLOAD_FN void brstack_foo(void)
{
	brstack_bar(); /* direct call */
	odd++;
}

WORKLOAD_FN void brstack_bench(u64 i)
{
	void (*volatile indirect)(void) = i & 2 ? brstack_foo : brstack_bar;

	if (i & 1) /* taken every other time */
		brstack_foo();
	indirect();
}

int wl_brstack(int argc, const char **argv)
{
	unsigned long n = workload_count(workload_arg(argc, argv, 0), 100000000, 1UL << 30);

	for (unsigned long i = 0; i < n; i++)
		brstack_bench(i);
	return n ? 0 : 1;
}
