// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

#include <sys/prctl.h>

void noploop(void);

WORKLOAD_FN void noploop(void)
{
	WORKLOAD_FRAME();
	while (!workload_stop)
		workload_nop();
}

int wl_noploop(int argc, const char **argv)
{
	if (workload_timer(workload_arg(argc, argv, 0), 1))
		return 1;
	prctl(PR_SET_NAME, "perf-noploop"); /* tests look for it among tasks, by this name */
	noploop();
	return 0;
}
