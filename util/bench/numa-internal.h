/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the benchmark numa mem: what is asked for, the tasks that work on memory, what came
 * of it. */
#ifndef PERF_BENCH_NUMA_INTERNAL_H
#define PERF_BENCH_NUMA_INTERNAL_H

#include "base/int-list.h"
#include "bench/bench.h"

#define NUMA_MOST_TASKS 4096

struct numa_options {
	unsigned int procs, threads;         /* threads of each process */
	u64 global, process, locked, thread; /* bytes that all tasks, those of a process under a
						lock, and each task work on */
	unsigned int loops, secs;            /* 0: no limit; no time */
	unsigned int sleep_us, perturb_secs;
	int thp; /* < 0: no huge pages, > 0: huge pages */
	bool reads, writes, backwards, zero, random_walk;
	bool init_zero, init_random, init_cpu0, serialize;
	bool convergence;            /* end when each process is on one node */
	struct int_list cpus, nodes; /* of the first tasks; the others are free */
};

/* A task did this. The processes share it. */
struct numa_task {
	u64 bytes, ns;
	int node; /* it was last seen on */
};

struct numa_result {
	struct numa_task *tasks; /* owned: numa_result_release() */
	unsigned int nr;
	u64 setup_ns;
	u64 converged_ns; /* since the start; 0: it did not */
};

/** numa_run - run all tasks. Return: 0, or a negative errno and a sentence. */
int numa_run(const struct numa_options *o, struct numa_result *r, struct err *err);
/** numa_result_release - free the tasks. */
void numa_result_release(struct numa_result *r);
/**
 * numa_work - go through memory once.
 * @part, @of: the task begins at this part of as many
 * @loop: its number, from which random walks follow
 * Return: a sum of what was read, which has to be used.
 */
u64 numa_work(const struct numa_options *o, u64 *data, u64 bytes, unsigned int part,
	      unsigned int of, u64 loop);
/** numa_nodes - return how many nodes with memory there are, at least 1. */
unsigned int numa_nodes(void);
/** numa_list_parse - read "0,2-3,1x4": numbers, ranges, with #N in steps of N, with xN N times.
 * Return: 0, or -EINVAL. */
int numa_list_parse(struct int_list *out, const char *text);

#endif
