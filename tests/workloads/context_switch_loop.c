// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "workloads.h"

#include <pthread.h>
#include <unistd.h>

struct ping {
	int rd, wr;
	unsigned long loops;
	bool first;
	int ret;
};

void *context_switch_loop_thread(void *arg);

/* One side: wait for a byte, send it back. Whoever is first sends before it waits. */
WORKLOAD_FN void *context_switch_loop_thread(void *arg)
{
	struct ping *p = arg;
	char c = 0;

	for (unsigned long i = 0; i < p->loops && !p->ret; i++) {
		if (p->first && write(p->wr, &c, 1) != 1)
			p->ret = 1;
		if (read(p->rd, &c, 1) != 1)
			p->ret = 1;
		if (!p->first && write(p->wr, &c, 1) != 1)
			p->ret = 1;
	}
	return NULL;
}

int wl_context_switch_loop(int argc, const char **argv)
{
	unsigned long n = workload_count(workload_arg(argc, argv, 0), 20000, 1UL << 30);
	struct ping a, b;
	int there[2], back[2];
	pthread_t th;

	if (!n)
		return 1;
	if (pipe(there) || pipe(back)) {
		perror("pipe");
		return 1;
	}
	a = (struct ping){ .rd = back[0], .wr = there[1], .loops = n, .first = true };
	b = (struct ping){ .rd = there[0], .wr = back[1], .loops = n };
	if (pthread_create(&th, NULL, context_switch_loop_thread, &b)) {
		fprintf(stderr, "the second thread could not be made\n");
		return 1;
	}
	context_switch_loop_thread(&a);
	pthread_join(th, NULL);
	return a.ret | b.ret;
}
