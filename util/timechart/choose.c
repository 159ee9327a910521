// SPDX-License-Identifier: GPL-2.0-or-later
/* Choose the tasks and the CPUs of a picture. */
#include "base/compat.h"

#include "timechart/timechart-internal.h"

#include "base/alloc.h"
#include "block/event.h"

#include <stdlib.h>

void chart_task_text(const struct timechart_conf *conf, u32 id, struct strbuf *out)
{
	const struct task_at *task = task_table_last(conf->tasks, id);

	strbuf_addf(out, "%s:%u", task->comm ? task->comm : "", task->tid);
}

void chart_queue_text(const struct timechart_conf *conf, const struct queue *q, struct strbuf *out)
{
	if (q->kind == QUEUE_WORKQUEUE) {
		strbuf_addf(out, "workqueue%s%s", *q->name ? " " : "s", q->name);
	} else if (q->kind == QUEUE_VCPU) {
		strbuf_addstr(out, "vcpu ");
		if (q->vcpu != UINT32_MAX)
			strbuf_addf(out, "%u of ", q->vcpu);
		chart_task_text(conf, (u32)q->id, out);
	} else if (conf->devices) {
		strbuf_addstr(out, block_name(conf->devices, (u32)q->id));
	} else {
		strbuf_addf(out, "%u,%u", block_major((u32)q->id), block_minor((u32)q->id));
	}
}

bool chart_chain(const struct timechart_conf *conf, const struct timeline_lanes *lanes, u32 task,
		 const struct lane_interval *i, struct strbuf *out)
{
	const struct task_at *who;
	struct sched_chain_at at = { .time = i->start };

	if (!conf->chains || (i->kind != LANE_SLEEPING && i->kind != LANE_BLOCKED))
		return false;
	at.ips = sched_chain_ips(&lanes->chains, i->value, &at.nr);
	if (!at.nr)
		return false;
	who = task_table_last(conf->tasks, lanes->tasks[task].id);
	at.pid = who->pid;
	at.tid = who->tid;
	sched_chains_put_at(conf->chains, &at, out);
	return true;
}

/* Tell whether @text is the number @n. */
static bool is_number(const char *text, u32 n)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	return *text >= '0' && *text <= '9' && !*end && v == n;
}

bool chart_selected(const struct timechart_conf *conf, const struct task_at *task)
{
	for (u32 i = 0; i < conf->nr_selected; i++) {
		const char *s = conf->selected[i];

		if ((task->comm && !strcmp(s, task->comm)) || is_number(s, task->tid) ||
		    is_number(s, task->pid))
			return true;
	}
	return false;
}

bool chart_shows(const struct timechart_conf *conf, const struct task_at *task)
{
	return conf->processes && (!conf->nr_selected || chart_selected(conf, task));
}

static size_t count_from(const struct chart_task *tasks, size_t nr, u64 least)
{
	size_t n = 0;

	for (size_t i = 0; i < nr; i++)
		n += tasks[i].weight >= least;
	return n;
}

size_t chart_choose(const struct timechart_conf *conf, const u32 *ids, u64 least,
		    struct chart_task *tasks, size_t nr)
{
	size_t kept = 0;

	while (least && count_from(tasks, nr, least) < conf->least)
		least /= 2;
	for (size_t i = 0; i < nr; i++) {
		bool shown = tasks[i].weight >= least;

		if (conf->nr_selected)
			shown = chart_selected(conf,
					       task_table_last(conf->tasks, ids[tasks[i].number]));
		if (shown)
			tasks[kept++] = tasks[i];
	}
	return kept;
}

/* ---- CPUs ---- */

/* A CPU on which nothing was recorded has no row. */
static bool has_row(const struct timeline_cpu *cpu)
{
	for (u32 row = 0; row < TIMELINE_ROWS; row++)
		if (cpu->rows[row].nr)
			return true;
	return false;
}

static int place_of(const struct timechart_conf *conf, const s32 *places, u32 cpu)
{
	return places && cpu < conf->nr_socket_of ? places[cpu] : 0;
}

static int compare_cpus(const void *a, const void *b, void *ctx)
{
	u32 l = *(const u32 *)a, r = *(const u32 *)b;
	const struct timechart_conf *conf = ctx;
	int sockets = place_of(conf, conf->socket_of, l) - place_of(conf, conf->socket_of, r);
	int cores = place_of(conf, conf->core_of, l) - place_of(conf, conf->core_of, r);

	return sockets ? sockets : cores ? cores : l < r ? -1 : 1;
}

u32 *chart_cpus(const struct timechart_conf *conf, const struct timeline_lanes *lanes, u32 *nr)
{
	u32 *cpus = xcalloc((size_t)lanes->nr_cpus + 1, sizeof(*cpus));

	*nr = 0;
	for (u32 i = 0; conf->cpus && i < lanes->nr_cpus; i++)
		if (has_row(&lanes->cpus[i]))
			cpus[(*nr)++] = i;
	qsort_r(cpus, *nr, sizeof(*cpus), compare_cpus, (void *)conf);
	return cpus;
}

bool chart_other_place(const struct timechart_conf *conf, const struct timeline_lanes *lanes,
		       const struct other_mark *m, const u32 *lane_of, u32 nr, u32 *lane)
{
	*lane = m->task < nr ? lane_of[m->task] : 0;
	if (m->time < lanes->start || m->time > lanes->end)
		return false;
	if (m->task != OTHER_NO_TASK && !chart_shows(conf, task_table_last(conf->tasks, m->task)))
		return false;
	return *lane || (conf->cpus && m->cpu < lanes->nr_cpus && has_row(&lanes->cpus[m->cpu]));
}
