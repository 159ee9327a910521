// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "kernel/walk.h"

#include "base/alloc.h"

#include <sched.h>

/* Moving to a CPU costs about as much as requests to so many events from elsewhere. */
#define WORTH 8
#define SETS 8 /* sets of CPU_SETSIZE CPUs each */

static int compare(const void *pa, const void *pb, void *ctx)
{
	const struct kfd *fds = ctx;
	size_t a = *(const size_t *)pa, b = *(const size_t *)pb;

	if (fds[a].cpu != fds[b].cpu)
		return fds[a].cpu < fds[b].cpu ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Tell whether there are several CPUs, each with enough descriptors. */
static bool worth(const struct kfd *fds, const size_t *order, size_t nr)
{
	size_t cpus = 1;

	for (size_t i = 1; i < nr; i++)
		cpus += fds[order[i]].cpu != fds[order[i - 1]].cpu;
	return cpus > 1 && fds[order[0]].cpu >= 0 && nr / cpus >= WORTH;
}

static void go_to(int cpu)
{
	cpu_set_t set[SETS];

	if (cpu >= SETS * CPU_SETSIZE)
		return;
	memset(set, 0, sizeof(set));
	CPU_SET_S((size_t)cpu, sizeof(set), set);
	/* without the permission the walk only costs more */
	(void)sched_setaffinity(0, sizeof(set), set);
}

static void walk_cpus(const struct kevents *k, const size_t *order, void (*fn)(void *ctx, size_t i),
		      void *ctx)
{
	cpu_set_t before[SETS];
	int cpu = -1;
	bool move = sched_getaffinity(0, sizeof(before), before) == 0;

	for (size_t i = 0; i < k->nr; i++) {
		int next = k->fds[order[i]].cpu;

		if (move && next != cpu)
			go_to(next);
		cpu = next;
		fn(ctx, order[i]);
	}
	if (move)
		(void)sched_setaffinity(0, sizeof(before), before);
}

void kevents_walk(const struct kevents *k, void (*fn)(void *ctx, size_t i), void *ctx)
{
	size_t *order = NULL;

	if (k->nr >= 2 * WORTH) {
		order = xcalloc(k->nr, sizeof(*order));
		for (size_t i = 0; i < k->nr; i++)
			order[i] = i;
		qsort_r(order, k->nr, sizeof(*order), compare, k->fds);
	}
	if (order && worth(k->fds, order, k->nr)) {
		walk_cpus(k, order, fn, ctx);
	} else {
		for (size_t i = 0; i < k->nr; i++)
			fn(ctx, i);
	}
	free(order);
}
