// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

void leaf(u64 n);
void parent(void);

/* Calls nothing, so on machines with a link register it has no frame record of its own. */
WORKLOAD_FN void leaf(u64 n)
{
	volatile u64 left = n;

	while (left)
		left--;
}

WORKLOAD_FN void parent(void)
{
	while (!workload_stop)
		leaf(100000);
}

int wl_leafloop(int argc, const char **argv)
{
	if (workload_timer(workload_arg(argc, argv, 0), 1))
		return 1;
	parent();
	return 0;
}
