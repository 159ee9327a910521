// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * This file writes a timeline as a trace in the Common Trace Format, for Trace Compass and
 * babeltrace. The trace consists of events with the names and fields of the kernel's tracepoints,
 * from which readers draw the lanes again: each change of a lane is one of them.
 *
 *	lanes and marks -> points -> by CPU and time -> frames -> files of CPUs
 *
 * A timeline may have so many changes that their points would take several times its memory. They
 * are made for one span of time after the other, each of which has a bounded number of points.
 */
#include "base/compat.h"

#include "timechart/timechart-internal.h"

#include "base/alloc.h"
#include "convert/ctf.h"

#include <stdlib.h>

#define FRAMES ((size_t)1 << 18)      /* bytes that are written at once */
#define MOST_POINTS ((size_t)1 << 16) /* of a span, unless they are all of one time */
#define NOT_IDLE UINT32_MAX           /* as the kernel says that a CPU is no longer idle */
#define NO_PRIORITY UINT64_MAX        /* timelines have none, and readers ask for it: -1 */

enum class {
	CLASS_SWITCH,
	CLASS_WAKEUP,
	CLASS_FORK,
	CLASS_EXIT,
	CLASS_MIGRATE,
	CLASS_IDLE,
	CLASS_FREQUENCY,
	CLASS_IRQ_ENTRY,
	CLASS_IRQ_EXIT,
	CLASS_SOFTIRQ_ENTRY,
	CLASS_SOFTIRQ_EXIT,
	CLASS_GUEST_ENTRY,
	CLASS_GUEST_EXIT,
	CLASS_QUEUE_WAITS,
	CLASS_QUEUE_RUNS,
	CLASS_QUEUE_ASKED,
	CLASS_QUEUE_DONE,
	NR_CLASSES,
	CLASS_OTHER = NR_CLASSES /* it has a name of its own for each event */
};

#define MOST_PARTS 7

#define TEXT(name_)                                                                                \
	{                                                                                          \
		.name = name_                                                                      \
	}
#define NUMBER(name_)                                                                              \
	{                                                                                          \
		.name = name_, .size = 4, .sign = true                                             \
	}
#define WORD(name_)                                                                                \
	{                                                                                          \
		.name = name_, .size = 4                                                           \
	}

/*
 * The events have the kernel's fields, apart from those that no reader of timelines asks for. Of
 * works and requests a timeline has too little for the kernel's events: readers would look for the
 * sectors of a request. Events of our own tell what is on its way.
 */
static const struct {
	const char *name;
	struct ctf_part parts[MOST_PARTS];
} classes[NR_CLASSES] = {
	[CLASS_SWITCH] = { "sched:sched_switch",
			   { TEXT("prev_comm"),
			     NUMBER("prev_pid"),
			     NUMBER("prev_prio"),
			     { .name = "prev_state", .size = 8, .sign = true },
			     TEXT("next_comm"),
			     NUMBER("next_pid"),
			     NUMBER("next_prio") } },
	[CLASS_WAKEUP] = { "sched:sched_wakeup",
			   { TEXT("comm"), NUMBER("pid"), NUMBER("prio"), NUMBER("target_cpu") } },
	[CLASS_FORK] = { "sched:sched_process_fork",
			 { TEXT("parent_comm"), NUMBER("parent_pid"), TEXT("child_comm"),
			   NUMBER("child_pid") } },
	[CLASS_EXIT] = { "sched:sched_process_exit",
			 { TEXT("comm"), NUMBER("pid"), NUMBER("prio") } },
	[CLASS_MIGRATE] = { "sched:sched_migrate_task",
			    { TEXT("comm"), NUMBER("pid"), NUMBER("prio"), NUMBER("dest_cpu") } },
	[CLASS_IDLE] = { "power:cpu_idle", { WORD("state"), WORD("cpu_id") } },
	[CLASS_FREQUENCY] = { "power:cpu_frequency", { WORD("state"), WORD("cpu_id") } },
	[CLASS_IRQ_ENTRY] = { "irq:irq_handler_entry", { NUMBER("irq") } },
	[CLASS_IRQ_EXIT] = { "irq:irq_handler_exit", { NUMBER("irq") } },
	[CLASS_SOFTIRQ_ENTRY] = { "irq:softirq_entry", { WORD("vec") } },
	[CLASS_SOFTIRQ_EXIT] = { "irq:softirq_exit", { WORD("vec") } },
	[CLASS_GUEST_ENTRY] = { "kvm:kvm_entry", { WORD("vcpu_id") } },
	[CLASS_GUEST_EXIT] = { "kvm:kvm_exit", { WORD("vcpu_id"), WORD("exit_reason") } },
	[CLASS_QUEUE_WAITS] = { "queue:waits", { TEXT("name"), WORD("nr") } },
	[CLASS_QUEUE_RUNS] = { "queue:runs", { TEXT("name"), WORD("nr") } },
	[CLASS_QUEUE_ASKED] = { "queue:asked",
				{ TEXT("name"), WORD("request"), TEXT("comm"), NUMBER("pid") } },
	[CLASS_QUEUE_DONE] = { "queue:done", { TEXT("name"), WORD("request") } },
};

/* An event before it is written. @a, @b: lanes of tasks, or numbers */
struct point {
	u64 time;
	u32 cpu;
	u32 nr; /* events of one CPU and time are in the order of these */
	enum class class;
	u32 a, b;
};

struct making {
	const struct timechart_conf *conf;
	const struct timeline_lanes *lanes;
	u64 from, to;         /* the span of the points: from <= time < to, in ns */
	struct point *points; /* owned */
	size_t nr, cap;
	struct ctf_shape *shape;
	struct ctf_trace *trace;
	struct strbuf frames, name;
	u32 ids[NR_CLASSES];
	u32 *other_ids; /* owned; by number of another event */
	u32 *lane_of;   /* owned; by id of a task: number of its lane + 1, or 0 */
	u32 nr_ids;
};

static void add_point(struct making *m, u64 time, u32 cpu, enum class class, u32 a, u32 b)
{
	if (time < m->from || time >= m->to)
		return;
	VEC_GROW(m->points, m->nr + 1, m->cap);
	m->points[m->nr] = (struct point){ time, cpu, (u32)m->nr, class, a, b };
	m->nr++;
}

/* ---- lanes -> points ---- */

/* Go to the interval that holds before the span begins: its end may lie in the span, and what
 * begins there depends on it. */
static void seek_before(const struct making *m, struct lane_cursor *c, const struct lane *lane)
{
	lane_seek(c, lane, m->from > m->lanes->start ? m->from - 1 : m->from);
}

/* Return the next interval that has anything to do with the span; NULL: there is none. */
static const struct lane_interval *next_until(const struct making *m, struct lane_cursor *c)
{
	const struct lane_interval *i = lane_next(c);

	return i && i->start < m->to ? i : NULL;
}

/* A task leaves the CPU for another one where both are known. */
static void add_switches(struct making *m, u32 cpu)
{
	const struct lane_interval *i;
	struct lane_cursor c;
	bool known = false;
	u32 last = TIMELINE_NO_LANE;

	seek_before(m, &c, &m->lanes->cpus[cpu].rows[TIMELINE_TASKS]);
	while ((i = next_until(m, &c))) {
		u32 next = i->kind == LANE_RUNNING ? i->value : TIMELINE_NO_LANE;

		if (known && i->kind != LANE_NONE)
			add_point(m, i->start, cpu, CLASS_SWITCH, last, next);
		known = i->kind != LANE_NONE;
		last = next;
	}
}

/* An interval of another row of a CPU begins with one event and may end with another. */
static void add_row(struct making *m, u32 cpu, enum timeline_row row)
{
	const struct lane_interval *i;
	struct lane_cursor c;

	seek_before(m, &c, &m->lanes->cpus[cpu].rows[row]);
	while ((i = next_until(m, &c))) {
		switch (i->kind) {
		case LANE_IDLE:
			add_point(m, i->start, cpu, CLASS_IDLE, i->value, cpu);
			add_point(m, i->end, cpu, CLASS_IDLE, NOT_IDLE, cpu);
			break;
		case LANE_FREQUENCY:
			add_point(m, i->start, cpu, CLASS_FREQUENCY, i->value, cpu);
			break;
		case LANE_INTERRUPT:
			add_point(m, i->start, cpu, CLASS_IRQ_ENTRY, i->value, 0);
			add_point(m, i->end, cpu, CLASS_IRQ_EXIT, i->value, 0);
			break;
		case LANE_SOFTIRQ:
			add_point(m, i->start, cpu, CLASS_SOFTIRQ_ENTRY, i->value, 0);
			add_point(m, i->end, cpu, CLASS_SOFTIRQ_EXIT, i->value, 0);
			break;
		default:
			break;
		}
	}
}

/* Return what a task is at a time, or LANE_NONE with a value of 0. */
static struct lane_interval task_at_time(const struct making *m, u32 task, u64 time)
{
	const struct lane_interval *i = NULL;
	struct lane_cursor c;

	if (task != TIMELINE_NO_LANE) {
		lane_seek(&c, &m->lanes->tasks[task].lane, time);
		i = lane_next(&c);
	}
	return i && i->start <= time ? *i : (struct lane_interval){ .kind = LANE_NONE };
}

/* A task was woken up on the CPU of its waker, as far as that is known, for the one on which it
 * runs next. @next: what it does after it was runnable; NULL: nothing more is known */
static void add_wakeup(struct making *m, u32 task, const struct lane_interval *woken,
		       const struct lane_interval *next)
{
	u32 by = lane_waker(woken->value);
	struct lane_interval waker =
		task_at_time(m, by == LANE_NO_WAKER ? TIMELINE_NO_LANE : by, woken->start);
	u32 here = waker.kind == LANE_RUNNING ? waker.value : UINT32_MAX;
	u32 target = next && next->kind == LANE_RUNNING ? next->value : here;

	if (target == UINT32_MAX) /* it waits up to the end, and nobody knows where */
		target = 0;
	add_point(m, woken->start, here == UINT32_MAX ? target : here, CLASS_WAKEUP, task, target);
}

static void add_wakeups(struct making *m, u32 task)
{
	const struct lane_interval *i;
	struct lane_interval last = { .kind = LANE_NONE };
	struct lane_cursor c;

	lane_seek(&c, &m->lanes->tasks[task].lane, m->from);
	do {
		i = lane_next(&c);
		if (last.kind == LANE_RUNNABLE && last.value) /* it was not preempted */
			add_wakeup(m, task, &last, i);
		last = i ? *i : (struct lane_interval){ .kind = LANE_NONE };
	} while (i && i->start < m->to);
}

static void add_mark(struct making *m, const struct timeline_mark *mark)
{
	static const u8 class_of[] = { [TIMELINE_FORK] = CLASS_FORK,
				       [TIMELINE_EXIT] = CLASS_EXIT,
				       [TIMELINE_MIGRATE] = CLASS_MIGRATE };

	add_point(m, mark->time, mark->cpu, (enum class)class_of[mark->event], mark->task,
		  mark->value);
}

static void add_others(struct making *m)
{
	const struct other_marks *others = m->conf->others;

	for (u32 i = 0; others && i < others->nr; i++) {
		const struct other_mark *v = &others->v[i];
		u32 lane;

		if (v->cpu != OTHER_NO_CPU &&
		    chart_other_place(m->conf, m->lanes, v, m->lane_of, m->nr_ids, &lane))
			add_point(m, v->time, v->cpu, CLASS_OTHER, v->event,
				  lane ? lane - 1 : TIMELINE_NO_LANE);
	}
}

/* Return the CPU that a guest entered last before the span; 0: none since the trace begins. */
static u32 guest_cpu(const struct making *m, const struct lane *lane)
{
	const struct lane_interval *i;
	struct lane_cursor c;

	for (u64 at = m->from; at > m->lanes->start; at = i->start) {
		lane_seek(&c, lane, at - 1);
		i = lane_next(&c);
		if (!i || i->start >= at)
			break;
		if (i->kind == LANE_RUNNING)
			return i->value;
	}
	return 0;
}

/* A guest enters on the CPU that the lane tells, and leaves it there. */
static void add_guest(struct making *m, const struct queue *q)
{
	const struct lane_interval *i;
	struct lane_cursor c;
	u32 cpu = MIN(guest_cpu(m, &q->lane), SCHED_MAX_CPUS - 1);

	seek_before(m, &c, &q->lane);
	while ((i = next_until(m, &c))) {
		if (i->kind == LANE_RUNNING)
			cpu = MIN(i->value, SCHED_MAX_CPUS - 1);
		if (i->kind == LANE_RUNNING)
			add_point(m, i->start, cpu, CLASS_GUEST_ENTRY, q->vcpu, 0);
		else if (i->kind == LANE_INTERRUPT)
			add_point(m, i->start, cpu, CLASS_GUEST_EXIT, q->vcpu, i->value);
	}
}

/* Tell how much a workqueue or a device has to do, on no CPU in particular. */
static void add_loads(struct making *m, u32 number)
{
	const struct lane_interval *i;
	struct lane_cursor c;

	seek_before(m, &c, &m->conf->queues->v[number].lane);
	while ((i = next_until(m, &c))) {
		bool runs = i->kind == LANE_RUNNING, waits = i->kind == LANE_RUNNABLE;

		if (i->kind != LANE_NONE)
			add_point(m, i->start, 0, waits ? CLASS_QUEUE_WAITS : CLASS_QUEUE_RUNS,
				  number, runs || waits ? i->value : 0);
	}
}

/* A task asks a queue for something on the CPU that it has then. */
static void add_requests(struct making *m)
{
	const struct queue_lanes *q = m->conf->queues;

	for (size_t i = 0; i < q->nr_arrows; i++) {
		const struct queue_arrow *v = &q->arrows[i];

		if (v->start >= m->from && v->start < m->to) {
			u32 lane =
				(v->task < m->nr_ids ? m->lane_of[v->task] : 0) - 1; /* or none */
			struct lane_interval at = task_at_time(m, lane, v->start);

			add_point(m, v->start, at.kind == LANE_RUNNING ? at.value : 0,
				  CLASS_QUEUE_ASKED, (u32)i, lane);
		}
		add_point(m, v->end, 0, CLASS_QUEUE_DONE, (u32)i, 0);
	}
}

static void add_queues(struct making *m)
{
	for (u32 i = 0; i < chart_queues(m->conf); i++) {
		if (m->conf->queues->v[i].kind == QUEUE_VCPU)
			add_guest(m, &m->conf->queues->v[i]);
		else
			add_loads(m, i);
	}
	if (m->conf->queues)
		add_requests(m);
}

static int by_cpu_and_time(const void *a, const void *b)
{
	const struct point *l = a, *r = b;

	if (l->cpu != r->cpu)
		return l->cpu < r->cpu ? -1 : 1;
	if (l->time != r->time)
		return l->time < r->time ? -1 : 1;
	return l->nr < r->nr ? -1 : 1;
}

/* Make the points of the span. */
static void add_points(struct making *m)
{
	const struct timeline_lanes *l = m->lanes;

	m->nr = 0;
	for (u32 cpu = 0; cpu < l->nr_cpus; cpu++) {
		add_switches(m, cpu);
		for (u32 row = TIMELINE_IDLE; m->conf->cpus && row < TIMELINE_ROWS; row++)
			add_row(m, cpu, (enum timeline_row)row);
	}
	for (u32 i = 0; m->conf->processes && i < l->nr_tasks; i++)
		add_wakeups(m, i);
	for (u32 i = 0; m->conf->processes && i < l->nr_marks; i++)
		add_mark(m, &l->marks[i]);
	add_queues(m);
	add_others(m);
}

/* ---- points -> frames ---- */

static void put_task(const struct making *m, u32 lane, struct ctf_value value[2])
{
	const struct task_at *task;

	value[0] = (struct ctf_value){ .text = "swapper" };
	value[1] = (struct ctf_value){ .number = 0 };
	if (lane == TIMELINE_NO_LANE)
		return;
	task = task_table_last(m->conf->tasks, m->lanes->tasks[lane].id);
	value[0].text = task->comm ? task->comm : "";
	value[1].number = task->tid;
}

/* Return prev_state of a task that becomes @kind: the bits of the kernel. */
static u64 state_of(enum lane_kind kind)
{
	return kind == LANE_SLEEPING ? 1 : kind == LANE_BLOCKED ? 2 : kind == LANE_NONE ? 16 : 0;
}

/* Set the values of an event of a queue: its name is the first of them. */
static void put_queue(struct making *m, const struct point *p, struct ctf_value *v)
{
	const struct queue_lanes *q = m->conf->queues;
	bool load = p->class == CLASS_QUEUE_WAITS || p->class == CLASS_QUEUE_RUNS;
	u32 number = load ? p->a : q->arrows[p->a].queue;

	strbuf_reset(&m->name);
	chart_queue_text(m->conf, &q->v[number], &m->name);
	v[0].text = strbuf_str(&m->name);
	v[1].number = load ? p->b : p->a;
	if (p->class == CLASS_QUEUE_ASKED)
		put_task(m, p->b, &v[2]);
}

static void put_point(struct making *m, const struct point *p)
{
	struct ctf_value v[MOST_PARTS] = { { .number = p->a }, { .number = p->b } };

	switch (p->class) {
	case CLASS_SWITCH:
		put_task(m, p->a, &v[0]);
		v[2].number = v[6].number = NO_PRIORITY;
		if (p->a != TIMELINE_NO_LANE)
			v[3].number = state_of(task_at_time(m, p->a, p->time).kind);
		put_task(m, p->b, &v[4]);
		break;
	case CLASS_FORK:
		put_task(m, p->b, &v[0]);
		put_task(m, p->a, &v[2]);
		break;
	case CLASS_WAKEUP:
	case CLASS_EXIT:
	case CLASS_MIGRATE:
		put_task(m, p->a, &v[0]);
		v[2].number = NO_PRIORITY;
		v[3].number = p->b;
		break;
	case CLASS_QUEUE_WAITS:
	case CLASS_QUEUE_RUNS:
	case CLASS_QUEUE_ASKED:
	case CLASS_QUEUE_DONE:
		put_queue(m, p, v);
		break;
	case CLASS_OTHER:
		put_task(m, p->b, &v[0]);
		break;
	default:
		break;
	}
	ctf_values(m->shape, p->class == CLASS_OTHER ? m->other_ids[p->a] : m->ids[p->class], v,
		   p->cpu, p->time, &m->frames);
}

static int put_points(struct making *m, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < m->nr && !ret; i++) {
		put_point(m, &m->points[i]);
		if (m->frames.len < FRAMES && i + 1 < m->nr)
			continue;
		ret = ctf_trace_add(m->trace, strbuf_str(&m->frames), m->frames.len, err);
		strbuf_reset(&m->frames);
	}
	return ret;
}

/* Return how many points there are, or some more. */
static u64 count_points(const struct making *m)
{
	const struct timeline_lanes *l = m->lanes;
	u64 nr = l->nr_marks + (m->conf->others ? m->conf->others->nr : 0);

	for (u32 cpu = 0; cpu < l->nr_cpus; cpu++)
		for (u32 row = 0; row < TIMELINE_ROWS; row++)
			nr += 2 * (u64)l->cpus[cpu].rows[row].nr;
	for (u32 i = 0; i < l->nr_tasks; i++)
		nr += l->tasks[i].lane.nr;
	for (u32 i = 0; i < chart_queues(m->conf); i++)
		nr += m->conf->queues->v[i].lane.nr;
	return nr + (m->conf->queues ? 2 * m->conf->queues->nr_arrows : 0);
}

/* Write span after span. They are as long as the number of points allows: half as long where there
 * are too many, and twice as long again behind them. */
static int put_spans(struct making *m, struct err *err)
{
	u64 end = MIN(m->lanes->end, UINT64_MAX - 1) + 1, all = end - m->lanes->start;
	u64 length = all / (1 + count_points(m) / (MOST_POINTS / 2)) + 1;
	int ret = 0;

	for (m->from = m->lanes->start; m->from < end && !ret; m->from = m->to) {
		for (;; length /= 2) {
			m->to = m->from + MIN(length, end - m->from);
			add_points(m);
			if (m->nr <= MOST_POINTS || length < 2)
				break;
		}
		qsort(m->points, m->nr, sizeof(*m->points), by_cpu_and_time);
		ret = put_points(m, err);
		if (m->nr < MOST_POINTS / 4 && length < all)
			length *= 2;
	}
	return ret;
}

/* ---- all of it ---- */

static void describe(struct making *m)
{
	static const struct ctf_part task[] = { TEXT("comm"), NUMBER("pid") };

	m->shape = ctf_shape_new();
	for (u32 i = 0; i < NR_CLASSES; i++) {
		size_t nr = 0;

		while (nr < MOST_PARTS && classes[i].parts[nr].name)
			nr++;
		m->ids[i] = ctf_shape_class(m->shape, classes[i].name, classes[i].parts, nr);
	}
	m->other_ids = xcalloc((size_t)chart_others(m->conf) + 1, sizeof(*m->other_ids));
	for (u32 i = 0; i < chart_others(m->conf); i++)
		m->other_ids[i] = ctf_shape_class(m->shape, chart_other_name(m->conf, i), task, 2);
}

static int put_all(struct making *m, const struct env *env, const u8 *uuid, const u8 *clock_uuid,
		   struct err *err)
{
	const struct ctf_about about = { .env = env };
	struct strbuf text = STRBUF_INIT;
	int ret;

	describe(m);
	m->nr_ids = task_table_nr(m->conf->tasks);
	m->lane_of = xcalloc((size_t)m->nr_ids + 1, sizeof(*m->lane_of));
	for (u32 i = 0; i < m->lanes->nr_tasks; i++)
		m->lane_of[m->lanes->tasks[i].id] = i + 1;
	ret = put_spans(m, err);
	if (!ret) {
		ctf_metadata(m->shape, &about, uuid, clock_uuid, &text);
		ret = ctf_trace_end(m->trace, strbuf_str(&text), text.len, err);
	}
	strbuf_release(&text);
	return ret;
}

int timechart_ctf(const struct timechart_conf *conf, const struct timeline_lanes *lanes,
		  const struct env *env, const char *path, struct err *err)
{
	struct making m = { .conf = conf, .lanes = lanes };
	u8 uuids[2][CTF_UUID_SIZE]; /* of the trace, of its clock */
	int ret = ctf_uuid(uuids[0], err) ?: ctf_uuid(uuids[1], err);

	ret = ret ?: ctf_trace_new(path, uuids[0], &m.trace, err);
	if (ret)
		return ret;
	ret = put_all(&m, env, uuids[0], uuids[1], err);
	if (ret)
		ctf_trace_discard(m.trace);
	ctf_trace_free(m.trace);
	ctf_shape_free(m.shape);
	strbuf_release(&m.frames);
	strbuf_release(&m.name);
	free(m.points);
	free(m.other_ids);
	free(m.lane_of);
	return ret;
}
