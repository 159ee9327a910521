/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts with the CPUs and threads they are of: of a run, or of a recording. */
#ifndef PERF_STATRUN_TABLE_H
#define PERF_STATRUN_TABLE_H

#include "base/hash.h"
#include "base/int-list.h"
#include "statrun/statrun.h"

struct stat_table {
	struct int_list cpus, tids;        /* empty: they are not told apart */
	struct map64 cpu_index, tid_index; /* where each is in those */
	struct cpu_place *places;          /* owned; of each CPU */
	struct stat_thread *threads;       /* owned, as are their names; of each thread */
	bool *unsupported;                 /* owned; of each event: no PMU counts it */
	struct aggr_map ids;
	struct counts counts;
};

/** stat_table_nr_cpus - return how many CPUs are told apart, at least 1. */
static inline size_t stat_table_nr_cpus(const struct stat_table *t)
{
	return MAX(t->cpus.nr, (size_t)1);
}

/** stat_table_add_cpu - add one more CPU; its place is set later. */
void stat_table_add_cpu(struct stat_table *t, int cpu);
/** stat_table_add_thread - add one more thread. @comm: is taken over, NULL without a name */
void stat_table_add_thread(struct stat_table *t, int tid, char *comm);

/**
 * stat_table_settle - get ready for counts: all CPUs with their places and all threads are known.
 * @nr_threads: whose counts are kept apart
 * @results: its result, threads and CPUs are set
 */
void stat_table_settle(struct stat_table *t, const struct evlist *l, enum aggr_mode mode,
		       size_t nr_threads, struct stat_results *results);

/** stat_table_release - free the contents. */
void stat_table_release(struct stat_table *t);

/** stat_results_release - free the contents. */
void stat_results_release(struct stat_results *r);

#endif
