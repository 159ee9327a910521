/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parse the argument of --threads: which CPUs' rings a thread empties, and where it runs. */
#ifndef PERF_RECORDER_THREAD_SETS_H
#define PERF_RECORDER_THREAD_SETS_H

#include "kernel/target.h"

#include <sched.h>

struct thread_set {
	cpu_set_t maps; /* the CPUs whose rings */
	cpu_set_t run;  /* the CPUs it may run on */
};

struct thread_sets {
	struct thread_set *v; /* owned */
	size_t nr, cap;
};

/**
 * thread_sets_parse - "cpu", "core", "package", "numa", or "CPUS/MASK:CPUS/MASK...".
 * @cpus: what is recorded; others are left out of the sets, and sets without any are dropped
 * Return: 0, or negative errno and a sentence.
 */
int thread_sets_parse(struct thread_sets *t, const struct sysroot *sr, const char *text,
		      const struct int_list *cpus, struct err *err);
/** thread_set_of - return the set that has the ring of @cpu; NULL when none has. */
const struct thread_set *thread_set_of(const struct thread_sets *t, int cpu);
/** thread_sets_release - free. */
void thread_sets_release(struct thread_sets *t);

#endif
