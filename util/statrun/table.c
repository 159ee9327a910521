// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "statrun/table.h"

#include "base/alloc.h"

void stat_table_add_cpu(struct stat_table *t, int cpu)
{
	map64_set(&t->cpu_index, (u64)cpu, (u32)t->cpus.nr);
	int_list_add(&t->cpus, cpu);
}

void stat_table_add_thread(struct stat_table *t, int tid, char *comm)
{
	size_t nr = t->tids.nr;

	map64_set(&t->tid_index, (u64)tid, (u32)nr);
	int_list_add(&t->tids, tid);
	t->threads = xrealloc(t->threads, nr + 1, sizeof(*t->threads));
	t->threads[nr] = (struct stat_thread){ tid, comm };
}

void stat_table_settle(struct stat_table *t, const struct evlist *l, enum aggr_mode mode,
		       size_t nr_threads, struct stat_results *results)
{
	size_t nr_cpus = stat_table_nr_cpus(t);

	aggr_map_init(&t->ids, mode, t->places, nr_cpus, MAX(t->tids.nr, (size_t)1));
	counts_init(&t->counts, l->nr, nr_cpus, nr_threads);
	t->unsupported = xcalloc(l->nr + 1, sizeof(*t->unsupported));
	stat_result_init(&results->last, l, &t->ids, t->unsupported);
	results->threads = t->threads;
	results->nr_cpus = (u32)nr_cpus;
}

void stat_table_release(struct stat_table *t)
{
	for (size_t i = 0; i < t->tids.nr; i++)
		free((char *)(uintptr_t)t->threads[i].comm);
	free(t->threads);
	free(t->places);
	free(t->unsupported);
	counts_release(&t->counts);
	aggr_map_release(&t->ids);
	map64_release(&t->cpu_index);
	map64_release(&t->tid_index);
	int_list_release(&t->cpus);
	int_list_release(&t->tids);
}

void stat_results_release(struct stat_results *r)
{
	stat_result_release(&r->last);
	stat_runs_release(&r->runs);
	free(r->walls);
	free(r->compared.rows);
}
