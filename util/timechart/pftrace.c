// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A timeline for ui.perfetto.dev: lanes are tracks, what they were in between two changes are
 * slices, frequencies are values, and an arrow leads from the waker to the time that the woken task
 * waits. Names of tasks and kinds are written once and have numbers.
 */
#include "base/compat.h"

#include "timechart/timechart-internal.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "codec/pftrace.h"
#include "codec/protobuf.h"

/* Ids of tracks: the kind is in the upper half. */
enum { TRACK_PROCESS = 1, TRACK_TASK, TRACK_CPUS, TRACK_CPU, TRACK_QUEUE };
#define TRACK(kind, number) ((u64)(kind) << 32 | (number))
#define TRACK_ROW(cpu, row) TRACK(TRACK_CPU, (cpu)*TIMELINE_ROWS + (row))

/* The numbers of names: first those of the kinds, then those of the tasks. */
#define NAME_OF_KIND(kind) ((kind) + 1)
#define NAME_OF_TASK(lane) (LANE_KINDS + 1 + (lane))

struct trace {
	const struct timechart_conf *conf;
	const struct timeline_lanes *lanes;
	struct export_out *out;
	struct strbuf *buf;  /* of @out */
	struct strbuf label; /* of one event */
	u64 nr_arrows;
};

static bool is_shown(const struct trace *t, u32 lane)
{
	return chart_shows(t->conf, task_table_last(t->conf->tasks, t->lanes->tasks[lane].id));
}

/* ---- names and tracks ---- */

static void put_names(struct trace *t)
{
	struct pftrace_names n = pftrace_names(t->buf);

	for (u32 kind = 0; kind < LANE_KINDS; kind++)
		pftrace_name(t->buf, &n, lane_kind_name((enum lane_kind)kind));
	for (u32 i = 0; i < t->lanes->nr_tasks; i++) {
		strbuf_reset(&t->label);
		chart_task_text(t->conf, t->lanes->tasks[i].id, &t->label);
		pftrace_name(t->buf, &n, strbuf_str(&t->label));
	}
	pftrace_names_end(t->buf, &n);
}

/* Name the tracks of the shown tasks, and of the processes that @pids does not have yet. @leaders:
 * only of those tasks whose processes have their names */
static void put_tasks(struct trace *t, struct map64 *pids, bool leaders)
{
	for (u32 i = 0; i < t->lanes->nr_tasks; i++) {
		const struct task_at *task = task_table_last(t->conf->tasks, t->lanes->tasks[i].id);
		const char *name = task->comm ? task->comm : "";
		u32 pid = task->pid == TASK_PID_UNKNOWN ? task->tid : task->pid;
		u64 process = TRACK(TRACK_PROCESS, pid);
		u32 *known;

		if (!chart_shows(t->conf, task) || (pid == task->tid) != leaders)
			continue;
		known = map64_slot(pids, pid);
		if (*known == MAP64_NONE) {
			*known = 0;
			pftrace_process(t->buf, process, pid, name);
		}
		pftrace_thread(t->buf, TRACK(TRACK_TASK, i), process, pid, task->tid, name);
		export_more(t->out);
	}
}

static void put_cpu(struct trace *t, u32 cpu)
{
	static const char *const what[TIMELINE_ROWS] = { "", " idle states", " frequency",
							 " interrupts", " softirqs" };
	const struct timeline_cpu *c = &t->lanes->cpus[cpu];

	for (u32 row = 0; row < TIMELINE_ROWS; row++) {
		u64 track = TRACK_ROW(cpu, row), all = TRACK(TRACK_CPUS, 0);

		if (row != TIMELINE_TASKS && !c->rows[row].nr)
			continue;
		strbuf_reset(&t->label);
		strbuf_addf(&t->label, "CPU %u%s", cpu, what[row]);
		if (row == TIMELINE_FREQUENCY)
			pftrace_counter(t->buf, track, all, strbuf_str(&t->label), "kHz");
		else
			pftrace_track(t->buf, track, all, strbuf_str(&t->label));
	}
}

/* ---- slices ---- */

static void put_slice(struct trace *t, const struct lane_interval *i, struct pftrace_event *e)
{
	e->type = PFTRACE_SLICE_BEGIN;
	e->time = MAX(i->start, t->lanes->start);
	pftrace_event(t->buf, e);
	pftrace_event(t->buf, &(struct pftrace_event){ .time = MIN(i->end, t->lanes->end),
						       .track = e->track,
						       .type = PFTRACE_SLICE_END });
	export_more(t->out);
}

/* Let an arrow begin on the track of the waker. Return: its number; 0: no waker is shown. */
static u64 put_waker(struct trace *t, const struct lane_interval *i, u32 woken)
{
	u32 waker = i->kind == LANE_RUNNABLE ? lane_waker(i->value) : LANE_NO_WAKER;

	if (waker == LANE_NO_WAKER || i->start < t->lanes->start || !is_shown(t, waker))
		return 0;
	pftrace_event(t->buf, &(struct pftrace_event){ .time = i->start,
						       .track = TRACK(TRACK_TASK, waker),
						       .type = PFTRACE_INSTANT,
						       .category = "wakeup",
						       .name_iid = NAME_OF_TASK(woken),
						       .arrow_from = ++t->nr_arrows });
	return t->nr_arrows;
}

static void put_task_interval(struct trace *t, u32 task, const struct lane_interval *i)
{
	struct pftrace_event e = { .track = TRACK(TRACK_TASK, task), .category = "state" };

	if (i->kind == LANE_NONE)
		return;
	e.arrow_to = put_waker(t, i, task);
	e.name_iid = NAME_OF_KIND(i->kind);
	put_slice(t, i, &e);
}

/* Intervals of CPUs are named by their task, or by their kind and its number. */
static void put_cpu_interval(struct trace *t, u64 track, const struct lane_interval *i)
{
	struct pftrace_event e = { .track = track, .category = "cpu" };

	switch (i->kind) {
	case LANE_FREQUENCY:
		pftrace_value(t->buf, MAX(i->start, t->lanes->start), track, i->value);
		export_more(t->out);
		return;
	case LANE_RUNNING:
		e.name_iid = NAME_OF_TASK(i->value);
		break;
	case LANE_IDLE:
	case LANE_INTERRUPT:
	case LANE_SOFTIRQ:
		strbuf_reset(&t->label);
		strbuf_addf(&t->label, "%s %u", lane_kind_name(i->kind), i->value);
		e.name = strbuf_str(&t->label);
		break;
	default:
		return;
	}
	put_slice(t, i, &e);
}

static void put_lanes(struct trace *t, const u32 *cpus, u32 nr_cpus)
{
	const struct timeline_lanes *l = t->lanes;
	const struct lane_interval *i;
	struct lane_cursor c;

	for (u32 k = 0; k < nr_cpus; k++)
		for (u32 row = 0; row < TIMELINE_ROWS; row++) {
			lane_seek(&c, &l->cpus[cpus[k]].rows[row], l->start);
			/* The row of tasks is empty where the CPU is idle. */
			while ((i = lane_next(&c)) && i->start < l->end)
				if (row != TIMELINE_TASKS || i->kind != LANE_IDLE)
					put_cpu_interval(t, TRACK_ROW(cpus[k], row), i);
		}
	for (u32 task = 0; task < l->nr_tasks; task++) {
		if (!is_shown(t, task))
			continue;
		lane_seek(&c, &l->tasks[task].lane, l->start);
		while ((i = lane_next(&c)) && i->start < l->end)
			put_task_interval(t, task, i);
	}
}

/* ---- workqueues, devices and virtual CPUs ---- */

/* Put what a queue does onto a track of its own. The times at which it does nothing are empty. */
static void put_queue(struct trace *t, u32 number)
{
	const struct queue *q = &t->conf->queues->v[number];
	struct pftrace_event e = { .track = TRACK(TRACK_QUEUE, number), .category = "queue" };
	const struct lane_interval *i;
	struct lane_cursor c;

	strbuf_reset(&t->label);
	chart_queue_text(t->conf, q, &t->label);
	pftrace_track(t->buf, e.track, 0, strbuf_str(&t->label));
	lane_seek(&c, &q->lane, t->lanes->start);
	while ((i = lane_next(&c)) && i->start < t->lanes->end) {
		if (i->kind == LANE_NONE || i->kind == LANE_IDLE)
			continue;
		strbuf_reset(&t->label);
		queue_interval_text(q, i, &t->label);
		e.name = strbuf_str(&t->label);
		put_slice(t, i, &e);
	}
}

/* Let arrows lead from the tasks that have asked to the times at which queues had done it.
 * @lane_of: by id of the @nr tasks, the number of the lane + 1; 0: it is not shown */
static void put_requests(struct trace *t, const u32 *lane_of, u32 nr)
{
	const struct queue_lanes *q = t->conf->queues;

	for (size_t i = 0; q && i < q->nr_arrows; i++) {
		const struct queue_arrow *v = &q->arrows[i];
		u32 lane = v->task < nr ? lane_of[v->task] : 0;

		if (!lane || v->start < t->lanes->start || v->end > t->lanes->end)
			continue;
		pftrace_event(t->buf, &(struct pftrace_event){ .time = v->start,
							       .track = TRACK(TRACK_TASK, lane - 1),
							       .type = PFTRACE_INSTANT,
							       .category = "queue",
							       .name = "asks",
							       .arrow_from = ++t->nr_arrows });
		pftrace_event(t->buf,
			      &(struct pftrace_event){ .time = v->end,
						       .track = TRACK(TRACK_QUEUE, v->queue),
						       .type = PFTRACE_INSTANT,
						       .category = "queue",
						       .name = "complete",
						       .arrow_to = t->nr_arrows });
		export_more(t->out);
	}
}

static void put_queues(struct trace *t, const u32 *lane_of, u32 nr)
{
	for (u32 i = 0; i < chart_queues(t->conf); i++)
		put_queue(t, i);
	put_requests(t, lane_of, nr);
}

/* ---- other events ---- */

/* Put each event onto the track of its task or, without one, onto that of its CPU. */
static void put_others(struct trace *t, const u32 *lane_of, u32 nr)
{
	const struct other_marks *others = t->conf->others;

	for (u32 i = 0; others && i < others->nr; i++) {
		const struct other_mark *m = &others->v[i];
		u32 lane;

		if (!chart_other_place(t->conf, t->lanes, m, lane_of, nr, &lane))
			continue;
		pftrace_event(t->buf, &(struct pftrace_event){
					      .time = m->time,
					      .track = lane ? TRACK(TRACK_TASK, lane - 1)
							    : TRACK_ROW(m->cpu, TIMELINE_TASKS),
					      .type = PFTRACE_INSTANT,
					      .category = "event",
					      .name = chart_other_name(t->conf, m->event) });
		export_more(t->out);
	}
}

/* Return the number of the lane of each task by its id, from 1 on; 0: it is not shown. The caller
 * frees it. */
static u32 *lanes_of_ids(const struct trace *t, u32 *nr)
{
	u32 *lane_of;

	*nr = task_table_nr(t->conf->tasks);
	lane_of = xcalloc((size_t)*nr + 1, sizeof(*lane_of));
	for (u32 i = 0; i < t->lanes->nr_tasks; i++)
		if (is_shown(t, i))
			lane_of[t->lanes->tasks[i].id] = i + 1;
	return lane_of;
}

/* ---- marks ---- */

static void put_mark(struct trace *t, const struct timeline_mark *m)
{
	static const char *const what[] = { "fork", "exit", "migration" };
	struct pftrace_event e = { .time = m->time,
				   .track = TRACK(TRACK_TASK, m->task),
				   .type = PFTRACE_INSTANT,
				   .category = "task" };

	strbuf_reset(&t->label);
	strbuf_addstr(&t->label, what[m->event]);
	if (m->event == TIMELINE_MIGRATE)
		strbuf_addf(&t->label, " to CPU %u", m->value);
	e.name = strbuf_str(&t->label);
	pftrace_event(t->buf, &e);
	export_more(t->out);
}

void timechart_pftrace(const struct timechart_conf *conf, const struct timeline_lanes *lanes,
		       struct export_out *out)
{
	struct trace t = { .conf = conf, .lanes = lanes, .out = out, .buf = export_buf(out) };
	struct map64 pids = { 0 };
	u32 nr_cpus, *cpus = chart_cpus(conf, lanes, &nr_cpus);
	u32 nr_ids, *lane_of = lanes_of_ids(&t, &nr_ids);

	put_names(&t);
	if (nr_cpus)
		pftrace_track(t.buf, TRACK(TRACK_CPUS, 0), 0, "CPUs");
	for (u32 i = 0; i < nr_cpus; i++)
		put_cpu(&t, cpus[i]);
	put_tasks(&t, &pids, true);
	put_tasks(&t, &pids, false);
	put_lanes(&t, cpus, nr_cpus);
	put_queues(&t, lane_of, nr_ids);
	put_others(&t, lane_of, nr_ids);
	for (u32 i = 0; i < lanes->nr_marks; i++) {
		const struct timeline_mark *m = &lanes->marks[i];

		if (m->time >= lanes->start && m->time <= lanes->end && is_shown(&t, m->task))
			put_mark(&t, m);
	}
	map64_release(&pids);
	strbuf_release(&t.label);
	free(lane_of);
	free(cpus);
}
