// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading counts, and adding them up. */
#include "base/compat.h"
#include "statrun/run-internal.h"

#include "events/names.h"
#include "metric/metric.h"

#include <math.h>

void stat_take_count(void *ctx, const struct kfd *k, const struct kcount *c)
{
	struct stat_run *r = ctx;
	struct stat_table *t = &r->table;
	u32 cpu = t->cpus.nr ? map64_get(&t->cpu_index, (u64)k->cpu) : 0;
	u32 thread = t->counts.nr_threads > 1 ? map64_get(&t->tid_index, (u64)k->tid) : 0;
	size_t i = counts_index(&t->counts, k->evsel, cpu, thread);
	struct count *n = &t->counts.now[i];
	/* The kernel counts the time that a task spends on other CPUs as time without a counter. */
	bool here = k->tid >= 0 && k->cpu >= 0 && r->evlist->evsels[k->evsel]->terms.cpus_given;

	stat_file_count(r, k, c);
	if (r->o->verbose > 1)
		notice(&r->to.counts, "%s: %d: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       r->evlist->evsels[k->evsel]->name, k->cpu, c->val, c->enabled, c->running);
	n->val += c->val;
	n->enabled += c->enabled;
	n->running += here ? c->enabled : c->running;
	t->counts.there[i] = true;
}

/* Return a fact about the machine, or about what is counted, as a count. */
static struct count fact_count(const struct stat_run *r, enum tool_event tool)
{
	double value = NAN;

	if (tool == TOOL_CORE_WIDE)
		value = metric_core_wide(r->o->sysroot, r->o->target.all_cpus);
	else if (tool == TOOL_TARGET_CPU)
		value = target_system(&r->o->target);
	else if (metric_fact(r->o->sysroot, event_tool_name(tool), &value))
		value = NAN;
	if (isnan(value))
		return (struct count){ 0 };
	return (struct count){ (u64)value, 1, 1 };
}

static struct count gauge_count(const struct gauge_value *v, u64 wall)
{
	u64 time = v->there ? MAX(wall, (u64)1) : 0;

	return (struct count){ v->value, time, time };
}

static void read_gauges(struct stat_run *r)
{
	struct counts *counts = &r->table.counts;
	size_t nr = 0;

	if (!r->gauges.nr)
		return;
	gauge_values_read(&r->gauges, r->o->sysroot, &r->table.tids);
	for (size_t i = 0; i < r->evlist->nr; i++) {
		size_t at = counts_index(counts, i, 0, 0);

		if (r->evlist->evsels[i]->tool != TOOL_GAUGE)
			continue;
		counts->now[at] = gauge_count(&r->gauges.v[nr], r->results.times.wall);
		counts->there[at] = r->gauges.v[nr++].there;
	}
}

void stat_gauges_start(struct stat_run *r)
{
	bool fresh = !r->gauges.nr;

	for (size_t i = 0; fresh && i < r->evlist->nr; i++) {
		const struct evsel *e = r->evlist->evsels[i];

		if (e->tool == TOOL_GAUGE)
			gauge_values_add(&r->gauges, r->o->sysroot, e->pmu, e->gauge);
	}
	gauge_values_restart(&r->gauges);
	if (r->gauges.nr)
		gauge_values_read(&r->gauges, r->o->sysroot, &r->table.tids);
}

/* Fill in the counts that perf measures by itself. */
static void read_tools(struct stat_run *r)
{
	const struct stat_times *times = &r->results.times;
	const u64 of[TOOL_NR] = { [TOOL_DURATION_TIME] = times->wall,
				  [TOOL_USER_TIME] = times->user,
				  [TOOL_SYSTEM_TIME] = times->system };
	struct counts *counts = &r->table.counts;

	for (size_t i = 0; i < r->evlist->nr; i++) {
		enum tool_event tool = r->evlist->evsels[i]->tool;
		size_t at = counts_index(counts, i, 0, 0);

		if (tool == TOOL_NONE || tool >= TOOL_NR)
			continue;
		counts->now[at] = tool >= TOOL_FACTS
					  ? fact_count(r, tool)
					  : (struct count){ of[tool], of[tool], of[tool] };
		counts->there[at] = true;
	}
}

void stat_read(struct stat_run *r)
{
	struct counts *c = &r->table.counts;

	/* what is now adds up over the threads that are one to us */
	memset(c->now, 0, c->nr_evsels * c->nr_cpus * c->nr_threads * sizeof(*c->now));
	if (stat_bpf_used(r))
		bpf_counts_read(&r->bpf.counts, stat_take_count, r);
	else
		kevents_read(&r->kevents, r->evlist, stat_take_count, r);
	read_tools(r);
	read_gauges(r);
	stat_sampler_read(r);
}

/* Tell the sums with -v. */
static void tell_sums(const struct stat_run *r)
{
	for (size_t i = 0; r->o->verbose && r->o->mode == AGGR_GLOBAL && i < r->evlist->nr; i++) {
		const struct stat_value *v = stat_value_at(&r->results.last, i, 0);

		if (!r->table.unsupported[i])
			notice(&r->to.counts, "%s: %.0f %" PRIu64 " %" PRIu64 "\n",
			       r->evlist->evsels[i]->name, v->val, v->enabled, v->running);
	}
}

void stat_sum_up(struct stat_run *r)
{
	stat_sum(&r->results.last, &r->table.counts, r->table.places, r->o->scale);
	tell_sums(r);
}

void stat_end_interval(struct stat_run *r, u64 now)
{
	u64 time = now - r->start;

	r->results.times.wall = time;
	stat_read(r);
	stat_file_round(r, time, false);
	stat_sum_up(r);
	counts_mark(&r->table.counts);
	r->results.last.duration = (u64)r->o->interval * 1000000;
	if (r->to.interval)
		r->to.interval(r->to.ctx, time);
}
