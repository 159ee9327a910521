/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The units over which counts are added up: everything, or each CPU, core, cache, cluster, die,
 * socket, node or thread.
 */
#ifndef PERF_STAT_AGGR_H
#define PERF_STAT_AGGR_H

#include "base/strbuf.h"
#include "base/sysroot.h"

enum aggr_mode {
	AGGR_GLOBAL,
	AGGR_NONE, /* each CPU separately */
	AGGR_CORE,
	AGGR_CACHE,
	AGGR_CLUSTER,
	AGGR_DIE,
	AGGR_SOCKET,
	AGGR_NODE,
	AGGR_THREAD,
	AGGR_NR
};

/* The place of a CPU in the topology; -1: unknown. */
struct cpu_place {
	int cpu, node, socket, die, cluster, core;
	int cache_level,
		cache; /* the cache it shares, identified by the lowest CPU that shares it */
};

/* A thread that has counts of its own. */
struct stat_thread {
	int tid;
	const char *comm; /* borrowed */
};

/* A unit that has counts of its own; members that do not distinguish units are -1. */
struct aggr_id {
	struct cpu_place at;
	int thread; /* index in the list of threads */
	u32 nr;     /* number of CPUs in it */
};

struct aggr_map {
	enum aggr_mode mode;
	struct aggr_id *ids; /* owned; sorted */
	size_t nr, cap;
	/* owned; for each CPU, in the given order, its index in ids; NULL with AGGR_THREAD */
	u32 *of_cpu;
};

/**
 * cpu_place_read - read the place of @cpu from sysfs.
 * @cache_level: the level of the cache to look up; 0: the last one
 */
void cpu_place_read(const struct sysroot *sr, int cpu, int cache_level, struct cpu_place *out);

/**
 * aggr_map_init - make the ids for these CPUs.
 * @places: of each CPU; for AGGR_GLOBAL and AGGR_THREAD only their number is used
 * @nr_threads: for AGGR_THREAD
 */
void aggr_map_init(struct aggr_map *m, enum aggr_mode mode, const struct cpu_place *places,
		   size_t nr_cpus, size_t nr_threads);
/** cache_level_parse - read the level of a cache, "L2" or "2"; NULL is the last one, 0. Return: it,
 * or -EINVAL when @text is none of L1 to L9. */
int cache_level_parse(const char *text);
/** aggr_map_release - free the contents. */
void aggr_map_release(struct aggr_map *m);

/**
 * aggr_id_name - append the name of an id, such as "S0-D0-C1" or "CPU3"; nothing for AGGR_GLOBAL
 * and AGGR_THREAD.
 */
void aggr_id_name(const struct aggr_map *m, size_t id, struct strbuf *out);

#endif
