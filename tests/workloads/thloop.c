// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

void test_loop(void);
void *thloop_thread(void *arg);

WORKLOAD_FN void test_loop(void)
{
	volatile u64 n = 0;

	while (!workload_stop)
		n++;
}

WORKLOAD_FN void *thloop_thread(void *arg)
{
	test_loop();
	return arg;
}

int wl_thloop(int argc, const char **argv)
{
	return workload_threads(argc, argv, true, thloop_thread);
}
