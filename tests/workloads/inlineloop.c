// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

void inlineloop_parent(void);

static volatile u64 inlineloop_sum;

static inline __attribute__((always_inline)) void inlineloop_leaf(void)
{
	for (int i = 0; i < 1000; i++)
		inlineloop_sum++;
}

static inline __attribute__((always_inline)) void inlineloop_middle(void)
{
	inlineloop_leaf();
}

/* The only one of the three with a symbol; debug information knows the others. */
WORKLOAD_FN void inlineloop_parent(void)
{
	WORKLOAD_FRAME();
	while (!workload_stop)
		inlineloop_middle();
}

int wl_inlineloop(int argc, const char **argv)
{
	if (workload_timer(workload_arg(argc, argv, 0), 1))
		return 1;
	inlineloop_parent();
	return 0;
}
