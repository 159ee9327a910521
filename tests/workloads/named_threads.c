// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

#include <sys/prctl.h>

void named_threads_loop(void);
void *named_threads_thread(void *arg);

WORKLOAD_FN void named_threads_loop(void)
{
	volatile u64 n = 0;

	while (!workload_stop)
		n++;
}

WORKLOAD_FN void *named_threads_thread(void *arg)
{
	char name[32];

	snprintf(name, sizeof(name), "thread%lu", (unsigned long)(uintptr_t)arg);
	prctl(PR_SET_NAME, name);
	named_threads_loop();
	return NULL;
}

int wl_named_threads(int argc, const char **argv)
{
	return workload_threads(argc, argv, false, named_threads_thread);
}
