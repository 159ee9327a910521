// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

void trap_bench(void);

static volatile u64 traps;

static void on_trap(int sig __unused)
{
	traps++;
}

/* A trap after which execution goes on at the next instruction. */
WORKLOAD_FN void trap_bench(void)
{
	WORKLOAD_FRAME();
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("int3");
#else
	raise(SIGTRAP);
#endif
}

int wl_traploop(int argc, const char **argv)
{
	unsigned long n = workload_count(workload_arg(argc, argv, 0), 10000, 1UL << 30);
	struct sigaction sa = { .sa_handler = on_trap };

	sigaction(SIGTRAP, &sa, NULL);
	for (unsigned long i = 0; i < n; i++)
		trap_bench();
	return n && traps == n ? 0 : 1;
}
