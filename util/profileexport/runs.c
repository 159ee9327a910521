// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "profileexport/runs.h"

#include "analysis/analysis.h"
#include "analyze/timeline.h"
#include "base/alloc.h"

#include <stdlib.h>

static bool has_switches(const struct session *s)
{
	for (size_t i = 0; i < s->evlist.nr; i++)
		if (!strcmp(s->evlist.evsels[i]->name, "sched:sched_switch"))
			return true;
	return false;
}

static int by_end(const void *a, const void *b)
{
	const struct timeline_slice *l = a, *r = b;

	if (l->end != r->end)
		return l->end < r->end ? -1 : 1;
	return l->cpu < r->cpu ? -1 : l->cpu > r->cpu;
}

static void take_cpu(const struct timeline_lanes *l, u32 cpu, struct timeline_runs *out)
{
	const struct lane_interval *i;
	struct lane_cursor c;

	lane_seek(&c, &l->cpus[cpu].rows[TIMELINE_TASKS], l->start);
	while ((i = lane_next(&c))) {
		if (i->kind != LANE_RUNNING)
			continue;
		VEC_GROW(out->v, out->nr + 1, out->cap);
		out->v[out->nr++] = (struct timeline_slice){ i->start, i->end, cpu, i->value };
	}
}

static void take(const struct timeline_lanes *l, struct task_table *tasks,
		 struct timeline_runs *out)
{
	out->tasks = xcalloc((size_t)l->nr_tasks + 1, sizeof(*out->tasks));
	out->nr_tasks = l->nr_tasks;
	for (u32 i = 0; i < l->nr_tasks; i++) {
		const struct task_at *t = task_table_last(tasks, l->tasks[i].id);

		out->tasks[i] =
			(struct timeline_runner){ t->pid, t->tid, xstrdup(t->comm ? t->comm : "") };
	}
	for (u32 cpu = 0; cpu < l->nr_cpus; cpu++)
		take_cpu(l, cpu, out);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), by_end);
}

void export_runs_read(const struct session *s, struct timeline_runs *out)
{
	const struct recording_options o = { .input = s->file->path, .force = true };
	struct sched_timeline *t;
	struct recording r;
	struct analysis *a;
	struct err err = { 0 };

	*out = (struct timeline_runs){ 0 };
	if (!has_switches(s) || session_is_stream(s) || recording_open(&r, &o, NULL, &err))
		return;
	a = analysis_new(&r);
	t = sched_timeline_new(&(struct sched_timeline_conf){ .tasks = analysis_tasks(a) });
	if (!analysis_run(a, sched_timeline_engine(), t, &err))
		take(sched_timeline_result(t), analysis_tasks(a), out);
	sched_timeline_free(t);
	analysis_free(a);
	recording_close(&r);
}
