// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "base/alloc.h"
#include "workloads.h"

#include <pthread.h>

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

/* The main thread is one of the threads asked for. */
int wl_thloop(int argc, const char **argv)
{
	unsigned long nr = workload_count(workload_arg(argc, argv, 0), 2, 4096), made = 0;
	pthread_t *th;
	int ret = 0;

	if (!nr || workload_timer(workload_arg(argc, argv, 1), 1))
		return 1;
	th = xcalloc(nr, sizeof(*th));
	while (made < nr - 1) {
		if (pthread_create(&th[made], NULL, thloop_thread, NULL)) {
			fprintf(stderr, "only %lu of %lu threads could be made\n", made + 1, nr);
			workload_stop = 1;
			ret = 1;
			break;
		}
		made++;
	}
	thloop_thread(NULL);
	while (made)
		pthread_join(th[--made], NULL);
	free(th);
	return ret;
}
