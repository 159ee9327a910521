// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "base/alloc.h"
#include "workloads.h"

#include <pthread.h>
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
	unsigned long nr = workload_count(workload_arg(argc, argv, 0), 2, 4096), made = 0;
	pthread_t *th;
	int ret = 0;

	if (!nr || workload_timer(workload_arg(argc, argv, 1), 1))
		return 1;
	th = xcalloc(nr, sizeof(*th));
	while (made < nr && !ret) {
		if (pthread_create(&th[made], NULL, named_threads_thread,
				   (void *)(uintptr_t)(made + 1)))
			ret = 1;
		else
			made++;
	}
	if (ret) {
		fprintf(stderr, "only %lu of %lu threads could be made\n", made, nr);
		workload_stop = 1;
	}
	while (made)
		pthread_join(th[--made], NULL);
	free(th);
	return ret;
}
