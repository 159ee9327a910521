/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What counts are added up over: everything, or each CPU, core, die, socket, node, thread. */
#ifndef PERF_STAT_AGGR_H
#define PERF_STAT_AGGR_H

#include "base/strbuf.h"
#include "base/sysroot.h"

enum aggr_mode {
	AGGR_GLOBAL,
	AGGR_NONE, /* each CPU by itself */
	AGGR_CORE,
	AGGR_CACHE,
	AGGR_CLUSTER,
	AGGR_DIE,
	AGGR_SOCKET,
	AGGR_NODE,
	AGGR_THREAD,
	AGGR_NR
};

/* Where a CPU is; -1 where that is not known. */
struct cpu_place {
	int cpu, node, socket, die, cluster, core;
	int cache_level, cache; /* the cache it shares, named by the lowest CPU of those that do */
};

/* A thread that has counts of its own. */
struct stat_thread {
	int tid;
	const char *comm; /* borrowed */
};

/* One of the things that is counted by itself; -1 in what it is not told apart by. */
struct aggr_id {
	struct cpu_place at;
	int thread; /* index in the list of threads */
	u32 nr;     /* CPUs in it */
};

struct aggr_map {
	enum aggr_mode mode;
	struct aggr_id *ids; /* owned; sorted */
	size_t nr, cap;
	/* owned; index in ids of each CPU, in the order given; NULL with AGGR_THREAD */
	u32 *of_cpu;
};

/**
 * cpu_place_read - where @cpu is, as sysfs has it.
 * @cache_level: the cache to be told; 0: the last one
 */
void cpu_place_read(const struct sysroot *sr, int cpu, int cache_level, struct cpu_place *out);

/**
 * aggr_map_init - the ids for these CPUs.
 * @places: of each CPU; for AGGR_GLOBAL and AGGR_THREAD only their number is looked at
 * @nr_threads: for AGGR_THREAD
 */
void aggr_map_init(struct aggr_map *m, enum aggr_mode mode, const struct cpu_place *places,
		   size_t nr_cpus, size_t nr_threads);
/** aggr_map_release - free the contents. */
void aggr_map_release(struct aggr_map *m);

/** aggr_id_name - "S0-D0-C1", "CPU3", ... appended; nothing for AGGR_GLOBAL and AGGR_THREAD. */
void aggr_id_name(const struct aggr_map *m, size_t id, struct strbuf *out);

#endif
