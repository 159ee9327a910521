// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/sched-timehist.h"

#include "analyze/reach.h"
#include "base/alloc.h"

#include <math.h>

struct task_times {
	bool asked, wanted; /* wanted: the filters let it through */
	char state;         /* in which it left its CPU; 0: it has not been seen to leave */
	u64 left;           /* when that was */
	u64 ready;          /* since when it is runnable; 0: it is not, as far as is known */
	struct sched_runs runs;
};

struct cpu_times {
	u64 last; /* time of its last switch; 0: none so far */
	u32 tid;  /* that this switch put on it */
	struct task_times idle;
};

struct sched_timehist {
	struct sched_timehist_conf conf;
	struct sched_states states;
	struct task_times *of; /* owned; by id of the task */
	u32 nr;
	size_t cap;
	u32 *order; /* owned; ids in the order of appearance */
	size_t nr_order, cap_order;
	struct cpu_times *cpus; /* owned */
	u32 nr_cpus;
	size_t cap_cpus;
	bool started;
	u64 start, end;  /* the span that is looked at */
	u64 first, last; /* the first and the last switch in it */
	bool any;        /* there was one */
};

struct sched_timehist *sched_timehist_new(const struct sched_timehist_conf *conf)
{
	struct sched_timehist *h = xzalloc(sizeof(*h));

	h->conf = *conf;
	h->end = UINT64_MAX;
	return h;
}

void sched_timehist_free(struct sched_timehist *h)
{
	if (!h)
		return;
	free(h->of);
	free(h->order);
	free(h->cpus);
	free(h);
}

/* ---- tasks and CPUs ---- */

static struct cpu_times *cpu_of(struct sched_timehist *h, u32 cpu)
{
	VEC_REACH(h->cpus, cpu, h->nr_cpus, h->cap_cpus);
	return &h->cpus[cpu];
}

/* Each CPU has an idle task of its own, though all have tid 0. Valid until the next call. */
static struct task_times *times_of(struct sched_timehist *h, const struct task_at *task, u32 cpu)
{
	struct task_times *t;

	if (!task->tid) {
		t = &cpu_of(h, cpu)->idle;
	} else {
		VEC_REACH(h->of, task->id, h->nr, h->cap);
		t = &h->of[task->id];
	}
	if (unlikely(!t->asked)) {
		t->asked = true;
		t->wanted = !h->conf.wants || h->conf.wants(h->conf.ctx, task);
		if (task->tid) {
			VEC_GROW(h->order, h->nr_order + 1, h->cap_order);
			h->order[h->nr_order++] = task->id;
		}
	}
	return t;
}

/* ---- sums ---- */

static void add_run(struct sched_runs *r, u64 run)
{
	double delta = (double)run - r->mean;

	r->nr++;
	r->total += run;
	r->min = r->nr == 1 ? run : MIN(r->min, run);
	r->max = MAX(r->max, run);
	r->mean += delta / (double)r->nr;
	r->squares += delta * ((double)run - r->mean);
}

double sched_runs_deviation(const struct sched_runs *r)
{
	double n = (double)r->nr;

	if (r->nr < 2 || r->mean <= 0)
		return 0;
	return 100 * sqrt(r->squares / (n - 1) / n) / r->mean;
}

static void add_wait(struct sched_runs *r, char state, u64 wait)
{
	if (state == 'R')
		r->preempted += wait;
	else if (state == 'D')
		r->iowait += wait;
	else
		r->sleep += wait;
}

/* Fill in the times of a row whose task got the CPU at @from and left it at @to. A CPU without an
 * earlier switch does not tell when the task got it. */
static void measure(struct task_times *t, u64 from, u64 to, struct sched_row *row)
{
	if (from && to >= from) {
		row->run = to - from;
		if (t->ready && t->ready <= from)
			row->delay = from - t->ready;
		if (t->left && t->left <= from) {
			row->wait = from - t->left;
			add_wait(&t->runs, t->state, row->wait);
		}
	}
	t->runs.delayed += row->delay;
	add_run(&t->runs, row->run);
}

/* ---- events ---- */

static void feed_switch(struct sched_timehist *h, const struct engine_input *in)
{
	struct sched_row row = { .kind = SCHED_ROW_SWITCH, .time = in->time, .cpu = in->cpu };
	struct cpu_times *cpu = cpu_of(h, in->cpu);
	u64 from = cpu->last;
	struct task_times *t;

	cpu->last = in->time;
	cpu->tid = (u32)engine_number(in, SWITCH_NEXT_PID);
	row.task = *sched_prev(h->conf.tasks, in);
	row.other = *sched_next(h->conf.tasks, in);
	row.state = sched_state_letter(&h->states, engine_number(in, SWITCH_PREV_STATE));
	row.prio = (s32)engine_number(in, SWITCH_PREV_PRIO);
	row.in = in;
	t = times_of(h, &row.task, in->cpu);
	/* A run that reaches beyond the span counts as far as it is inside. */
	if (in->time >= h->start && (!from || from <= h->end)) {
		bool counts = t->wanted && in->wanted && (!h->conf.idle_only || !row.task.tid);

		if (counts) {
			measure(t, from ? MAX(from, h->start) : 0, MIN(in->time, h->end), &row);
			row.time = MIN(in->time, h->end);
			if (h->conf.row && (in->in_time || in->time > h->end))
				h->conf.row(h->conf.ctx, &row);
		}
		h->first = h->any ? h->first : MAX(in->time, h->start);
		h->last = MIN(in->time, h->end);
		h->any = true;
	}
	t->left = in->time;
	t->ready = 0;
	t->state = row.state;
}

/* Tell of something that the task of the sample has done to another one. A thread that is about to
 * end has no tid any more in samples, so the last switch tells which one it is. */
static void tell(struct sched_timehist *h, const struct engine_input *in, struct sched_row *row,
		 bool wanted)
{
	bool gone = in->tid == UINT32_MAX;

	if (!h->conf.row || h->conf.idle_only || !in->wanted || !in->in_time)
		return;
	row->task = *task_table_at(h->conf.tasks, gone ? TASK_PID_UNKNOWN : in->pid,
				   gone ? cpu_of(h, in->cpu)->tid : in->tid, in->time);
	row->time = in->time;
	row->cpu = in->cpu;
	row->in = in;
	if (wanted || times_of(h, &row->task, in->cpu)->wanted)
		h->conf.row(h->conf.ctx, row);
}

static void feed_wakeup(struct sched_timehist *h, const struct engine_input *in)
{
	struct sched_row row = { .kind = SCHED_ROW_WAKEUP };
	struct task_times *t;

	row.other = *sched_subject(h->conf.tasks, in);
	t = times_of(h, &row.other, in->cpu);
	if (!t->ready)
		t->ready = in->time;
	tell(h, in, &row, t->wanted);
}

static void feed_migration(struct sched_timehist *h, const struct engine_input *in)
{
	struct sched_row row = { .kind = SCHED_ROW_MIGRATION };
	struct task_times *t;

	row.other = *sched_subject(h->conf.tasks, in);
	row.from = (u32)engine_number(in, TASK_FROM_CPU);
	row.to = (u32)engine_number(in, TASK_TO_CPU);
	t = times_of(h, &row.other, in->cpu);
	t->runs.migrations++;
	tell(h, in, &row, t->wanted);
}

static void feed(void *state, const struct engine_input *in)
{
	struct sched_timehist *h = state;

	if (in->cpu >= SCHED_MAX_CPUS)
		return;
	if (unlikely(!h->started)) {
		h->started = true;
		if (h->conf.window)
			h->conf.window(h->conf.ctx, &h->start, &h->end);
	}
	if (in->event == SCHED_SWITCH)
		feed_switch(h, in);
	else if (in->event == SCHED_MIGRATE)
		feed_migration(h, in);
	else
		feed_wakeup(h, in);
}

static void bound(void *state, u32 event, const struct tf_event *format)
{
	struct sched_timehist *h = state;

	if (event == SCHED_SWITCH)
		sched_states_init(&h->states, format);
}

const struct engine *sched_timehist_engine(void)
{
	static const struct engine e = {
		.name = "sched timehist",
		.record = "perf sched record",
		.events = sched_events,
		.nr_events = SCHED_MIGRATE + 1,
		.bound = bound,
		.feed = feed,
	};

	return &e;
}

/* ---- results ---- */

void sched_timehist_tasks(const struct sched_timehist *h,
			  void (*fn)(void *ctx, u32 id, const struct sched_runs *r), void *ctx)
{
	for (size_t i = 0; i < h->nr_order; i++) {
		const struct sched_runs *r = &h->of[h->order[i]].runs;

		if (r->nr)
			fn(ctx, h->order[i], r);
	}
}

const struct sched_runs *sched_timehist_idle(const struct sched_timehist *h, u32 cpu)
{
	return cpu < h->nr_cpus && h->cpus[cpu].last ? &h->cpus[cpu].idle.runs : NULL;
}

u32 sched_timehist_cpus(const struct sched_timehist *h)
{
	return h->nr_cpus;
}

u64 sched_timehist_span(const struct sched_timehist *h)
{
	return h->any && h->last >= h->first ? h->last - h->first : 0;
}

bool sched_timehist_ended(const struct sched_timehist *h, u32 id)
{
	return id < h->nr && (h->of[id].state == 'X' || h->of[id].state == 'Z');
}
