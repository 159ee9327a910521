// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/sched-timehist.h"

#include "analyze/reach.h"
#include "base/alloc.h"

#include <math.h>

struct task_times {
	bool asked, wanted; /* wanted: the filters let it through */
	const char *comm;   /* under which it was asked for */
	char state;         /* in which it left its CPU; 0: it has not been seen to leave */
	u64 left;           /* when that was */
	u64 ready;          /* since when it is runnable; 0: it is not, as far as is known */
	u64 moved;          /* when it was moved to another CPU last */
	s32 prio;           /* when it left its CPU; -1: it has not been seen to */
	struct sched_runs runs;
};

struct cpu_times {
	u64 last; /* time of its last switch; 0: none so far */
	u32 tid;  /* that this switch put on it */
	s32 prio; /* of this task */
	bool gap; /* events were lost after it */
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
	u64 lost;        /* when events were lost last; 0: never */
	struct sched_counts counts;
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

static bool wants(const struct sched_timehist *h, const struct task_at *task)
{
	return !h->conf.wants || h->conf.wants(h->conf.ctx, task);
}

static void appear(struct sched_timehist *h, const struct task_at *task, struct task_times *t)
{
	t->asked = true;
	t->prio = -1;
	t->comm = task->comm;
	t->wanted = wants(h, task);
	if (!task->tid)
		return;
	VEC_GROW(h->order, h->nr_order + 1, h->cap_order);
	h->order[h->nr_order++] = task->id;
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
	if (unlikely(!t->asked))
		appear(h, task, t);
	if (unlikely(t->comm != task->comm)) {
		t->comm = task->comm;
		t->wanted = wants(h, task);
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

/* Count what does not fit together in the times of a row. */
static void check(struct sched_timehist *h, const struct cpu_times *cpu, const struct task_times *t,
		  const struct engine_input *in, struct sched_row *row)
{
	u64 since = t->left ? t->left : t->ready;

	h->counts.times++;
	if (cpu->last) {
		h->counts.unordered += cpu->last > in->time;
		h->counts.bugs += cpu->tid != row->task.tid;
	}
	row->gap = cpu->gap || (h->lost && since && h->lost >= since);
	h->counts.gaps += row->gap;
}

/* Fill in the times of a row whose task got the CPU at @from and left it at @to. A CPU without an
 * earlier switch does not tell when the task got it. */
static void measure(struct task_times *t, u64 from, u64 to, struct sched_row *row)
{
	if (from && to >= from) {
		row->run = to - from;
		if (t->ready && t->ready <= from)
			row->delay = from - t->ready;
		if (row->delay && t->moved > t->ready && t->moved <= from)
			row->moving = t->moved - t->ready;
		if (t->left && t->left <= from) {
			row->wait = from - t->left;
			add_wait(&t->runs, t->state, row->wait);
		}
	}
	t->runs.delayed += row->delay;
	t->runs.gaps += row->gap;
	add_run(&t->runs, row->run);
}

/* ---- events ---- */

static bool is_wanted(const struct sched_timehist *h, const struct task_times *t)
{
	return t->wanted && (!h->conf.prios || int_list_has(h->conf.prios, t->prio));
}

/* Tell of idle time that begins or ends with this switch. */
static void tell_idle(const struct sched_timehist *h, const struct engine_input *in,
		      const struct sched_row *row, bool counts)
{
	if (h->conf.idle_ends && counts && !row->task.tid)
		h->conf.idle_ends(h->conf.ctx, in->cpu, row->run);
	if (h->conf.idle_begins && !row->other.tid)
		h->conf.idle_begins(h->conf.ctx, in);
}

/* Note the task that gets the CPU. */
static void put_on(struct cpu_times *cpu, const struct engine_input *in)
{
	cpu->last = in->time;
	cpu->tid = (u32)engine_number(in, SWITCH_NEXT_PID);
	cpu->prio = (s32)engine_number(in, SWITCH_NEXT_PRIO);
	cpu->gap = false;
}

/* Measure a run and pass it on. One that reaches beyond the span counts as far as it is inside. */
static void complete(struct sched_timehist *h, struct task_times *t, u64 from,
		     struct sched_row *row)
{
	const struct engine_input *in = row->in;
	bool counts = is_wanted(h, t) && in->wanted && (!h->conf.idle_only || !row->task.tid);

	row->time = MIN(in->time, h->end);
	if (counts) {
		measure(t, from ? MAX(from, h->start) : 0, row->time, row);
		if (h->conf.row && (in->in_time || in->time > h->end))
			h->conf.row(h->conf.ctx, row);
	}
	tell_idle(h, in, row, counts);
	h->first = h->any ? h->first : MAX(in->time, h->start);
	h->last = row->time;
	h->any = true;
}

/* Fill in a row without its times. Each member is set alone, because zeroing all of them first
 * takes longer than the rest. */
static void begin_row(struct sched_timehist *h, const struct engine_input *in,
		      struct sched_row *row)
{
	row->kind = SCHED_ROW_SWITCH;
	row->time = in->time;
	row->cpu = in->cpu;
	row->task = *sched_prev(h->conf.tasks, in);
	row->other = *sched_next(h->conf.tasks, in);
	row->wait = row->delay = row->moving = row->run = 0;
	row->state = sched_state_letter(&h->states, engine_number(in, SWITCH_PREV_STATE));
	row->prio = row->came_prio = (s32)engine_number(in, SWITCH_PREV_PRIO);
	row->gap = false;
	row->from = row->to = 0;
	row->in = in;
}

static void feed_switch(struct sched_timehist *h, const struct engine_input *in)
{
	struct cpu_times *cpu = cpu_of(h, in->cpu);
	u64 from = cpu->last;
	struct task_times *t;
	struct sched_row row;

	begin_row(h, in, &row);
	if (from)
		row.came_prio = cpu->prio;
	t = times_of(h, &row.task, in->cpu);
	t->prio = row.prio;
	check(h, cpu, t, in, &row);
	put_on(cpu, in);
	if (in->time >= h->start && (!from || from <= h->end))
		complete(h, t, from, &row);
	t->left = in->time;
	t->ready = 0;
	t->moved = 0;
	t->state = row.state;
}

/* Tell whether rows are wanted of what tasks do to others. */
static inline bool tells_deeds(const struct sched_timehist *h, const struct engine_input *in)
{
	return h->conf.row && !h->conf.switches_only && !h->conf.idle_only && in->wanted &&
	       in->in_time;
}

/* Tell of something that the task of the sample has done to another one. A thread that is about to
 * end has no tid any more in samples, so the last switch tells which one it is. */
static void tell(struct sched_timehist *h, const struct engine_input *in, struct sched_row *row,
		 bool wanted)
{
	bool gone = in->tid == UINT32_MAX;

	row->task = *task_table_at(h->conf.tasks, gone ? TASK_PID_UNKNOWN : in->pid,
				   gone ? cpu_of(h, in->cpu)->tid : in->tid, in->time);
	row->time = in->time;
	row->cpu = in->cpu;
	row->in = in;
	if (wanted || is_wanted(h, times_of(h, &row->task, in->cpu)))
		h->conf.row(h->conf.ctx, row);
}

static void feed_wakeup(struct sched_timehist *h, const struct engine_input *in)
{
	const struct task_at *woken = sched_subject(h->conf.tasks, in);
	struct task_times *t = times_of(h, woken, in->cpu);

	if (!t->ready)
		t->ready = in->time;
	if (tells_deeds(h, in))
		tell(h, in, &(struct sched_row){ .kind = SCHED_ROW_WAKEUP, .other = *woken },
		     is_wanted(h, t));
}

static void feed_migration(struct sched_timehist *h, const struct engine_input *in)
{
	const struct task_at *moved = sched_subject(h->conf.tasks, in);
	struct task_times *t = times_of(h, moved, in->cpu);

	t->runs.migrations++;
	t->moved = in->time;
	if (tells_deeds(h, in))
		tell(h, in,
		     &(struct sched_row){ .kind = SCHED_ROW_MIGRATION,
					  .other = *moved,
					  .from = (u32)engine_number(in, TASK_FROM_CPU),
					  .to = (u32)engine_number(in, TASK_TO_CPU) },
		     is_wanted(h, t));
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

static void lost(void *state, u32 cpu, u64 time)
{
	struct sched_timehist *h = state;

	h->lost = MAX(h->lost, time);
	if (cpu < h->nr_cpus)
		h->cpus[cpu].gap = h->cpus[cpu].last;
}

static void bound(void *state, u32 event, const struct tf_event *format)
{
	struct sched_timehist *h = state;

	if (event == SCHED_SWITCH)
		sched_states_init(&h->states, format);
}

const struct engine *sched_timehist_engine(void)
{
	static const char *const lacking[SCHED_MIGRATE + 1] = {
		[SCHED_WAKEUP] = "delays are those of preempted tasks only",
	};
	static const struct engine e = {
		.lacking = lacking,
		.name = "sched timehist",
		.record = "perf sched record",
		.events = sched_events,
		.nr_events = SCHED_MIGRATE + 1,
		.bound = bound,
		.feed = feed,
		.lost = lost,
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

const struct sched_counts *sched_timehist_counts(const struct sched_timehist *h)
{
	return &h->counts;
}
