// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "statrun/monitor.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "statrun/run-internal.h"

void stat_monitor_init(struct stat_monitor *m, struct stat_run *r)
{
	const struct counts *c = &r->table.counts;
	size_t nr = c->nr_evsels * c->nr_cpus * c->nr_threads;

	*m = (struct stat_monitor){ .run = r };
	m->none = xcalloc(MAX(nr, (size_t)1), sizeof(*m->none));
	stat_result_init(&m->result, r->evlist, &r->table.ids, r->table.unsupported);
	m->result.metrics = r->o->metrics;
}

void stat_monitor_take(struct stat_monitor *m)
{
	const struct stat_run *r = m->run;
	struct counts all = r->table.counts;

	all.before = m->none;
	stat_sum(&m->result, &all, r->table.places, r->o->scale);
	totals_take(&m->totals, &m->result);
	m->result.duration = m->earlier + (r->start ? clock_ns(CLOCK_MONOTONIC) - r->start : 0);
}

void stat_monitor_read(struct stat_monitor *m)
{
	stat_read(m->run);
	stat_monitor_take(m);
}

void stat_monitor_next_run(struct stat_monitor *m)
{
	totals_next_run(&m->totals, &m->result);
	m->earlier += m->run->results.times.wall;
}

void stat_monitor_release(struct stat_monitor *m)
{
	totals_release(&m->totals);
	stat_result_release(&m->result);
	free(m->none);
}
