// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/sched-latency.h"

#include "analyze/reach.h"
#include "base/alloc.h"
#include "base/intern.h"

#define NO_TASK UINT32_MAX

enum wait_state {
	WAIT_UNSEEN,   /* no event has named the task */
	WAIT_ASLEEP,   /* it left its CPU because it had nothing to do */
	WAIT_FOR_CPU,  /* it is runnable */
	WAIT_ON_CPU,   /* it runs */
	WAIT_UNORDERED /* times do not fit */
};

struct waiting {
	enum wait_state state;
	u64 left;  /* when it left its CPU */
	u64 ready; /* since when it is runnable */
	struct sched_delays sums;
};

struct sched_latency {
	struct task_table *tasks; /* borrowed */
	struct sched_states states;
	bool some_cpus, steps;
	struct waiting *of; /* owned; by id of the task */
	u32 nr;
	size_t cap;
	u32 *order; /* owned; ids in the order of appearance */
	size_t nr_order, cap_order;
	u32 *on_cpu; /* owned; tid that the last switch put on a CPU; NO_TASK: unknown */
	u32 nr_cpus;
	size_t cap_cpus;
	u64 lost; /* when events were lost last; 0: never */
	struct sched_counts counts;
	void (*delay)(void *ctx, const struct task_at *task, u64 ready, u64 ran); /* or NULL */
	void *ctx;                                                                /* of it */
};

u64 sched_delays_quantile(const struct sched_delays *d, u32 millionths)
{
	if (!d->steps || !d->switches)
		return 0;
	return steps_quantile(d->steps, d->switches, d->max, millionths);
}

/* ---- tasks ---- */

struct sched_latency *sched_latency_new(struct task_table *tasks, bool some_cpus, bool steps)
{
	struct sched_latency *l = xzalloc(sizeof(*l));

	l->tasks = tasks;
	l->some_cpus = some_cpus;
	l->steps = steps;
	return l;
}

void sched_latency_free(struct sched_latency *l)
{
	if (!l)
		return;
	for (u32 i = 0; i < l->nr; i++)
		free(l->of[i].sums.steps);
	free(l->of);
	free(l->order);
	free(l->on_cpu);
	free(l);
}

void sched_latency_watch(struct sched_latency *l,
			 void (*delay)(void *ctx, const struct task_at *task, u64 ready, u64 ran),
			 void *ctx)
{
	l->delay = delay;
	l->ctx = ctx;
}

static struct waiting *__attribute__((noinline))
new_waiting(struct sched_latency *l, const struct task_at *task)
{
	u32 id = task->id;

	VEC_REACH(l->of, id, l->nr, l->cap);
	l->of[id].sums = (struct sched_delays){ .task = id, .tid = task->tid, .merged = 1 };
	VEC_GROW(l->order, l->nr_order + 1, l->cap_order);
	l->order[l->nr_order++] = id;
	return &l->of[id];
}

static struct waiting *waiting_of(struct sched_latency *l, const struct task_at *task)
{
	u32 id = task->id;

	return likely(id < l->nr && l->of[id].sums.merged) ? &l->of[id] : new_waiting(l, task);
}

/* A task that was not seen before is taken to have become runnable now. */
static void appear(struct waiting *w, enum wait_state state, u64 time)
{
	if (w->state == WAIT_UNSEEN)
		*w = (struct waiting){ state, time, time, w->sums };
}

/* ---- events ---- */

static void leave(struct sched_latency *l, const struct engine_input *in)
{
	struct waiting *w = waiting_of(l, sched_prev(l->tasks, in));
	u64 state = engine_number(in, SWITCH_PREV_STATE);
	bool runnable = sched_state_letter(&l->states, state) == 'R';

	w->state = runnable ? WAIT_FOR_CPU : WAIT_ASLEEP;
	w->left = in->time;
	if (runnable)
		w->ready = in->time;
	if (in->sample && in->tid == w->sums.tid && in->sample->cgroup)
		w->sums.cgroup = in->sample->cgroup;
}

static void count_delay(struct sched_latency *l, struct waiting *w, u64 now)
{
	struct sched_delays *sums = &w->sums;
	u64 delay = now - w->ready;

	sums->switches++;
	sums->total += delay;
	if (delay > sums->max) {
		sums->max = delay;
		sums->max_start = w->ready;
		sums->max_end = now;
	}
	if (l->lost && l->lost >= w->ready) {
		sums->gaps++;
		l->counts.gaps++;
	}
	if (!l->steps)
		return;
	if (!sums->steps)
		sums->steps = xcalloc(STEPS, sizeof(*sums->steps));
	sums->steps[step_of(delay)]++;
}

static void enter(struct sched_latency *l, const struct engine_input *in)
{
	const struct task_at *task = sched_next(l->tasks, in);
	struct waiting *w = waiting_of(l, task);

	appear(w, WAIT_FOR_CPU, in->time);
	if (w->state != WAIT_FOR_CPU)
		return;
	if (in->time < w->ready) {
		w->state = WAIT_UNORDERED;
		return;
	}
	w->state = WAIT_ON_CPU;
	count_delay(l, w, in->time);
	if (l->delay)
		l->delay(l->ctx, task, w->ready, in->time);
}

/* Count a switch from a task that is not the one which the switch before it put on the CPU. */
static void check_cpu(struct sched_latency *l, const struct engine_input *in)
{
	if (in->cpu >= SCHED_MAX_CPUS)
		return;
	if (in->cpu >= l->nr_cpus) {
		VEC_GROW(l->on_cpu, (size_t)in->cpu + 1, l->cap_cpus);
		for (u32 cpu = l->nr_cpus; cpu <= in->cpu; cpu++)
			l->on_cpu[cpu] = NO_TASK;
		l->nr_cpus = in->cpu + 1;
	}
	if (l->on_cpu[in->cpu] != NO_TASK &&
	    l->on_cpu[in->cpu] != (u32)engine_number(in, SWITCH_PREV_PID))
		l->counts.bugs++;
	l->on_cpu[in->cpu] = (u32)engine_number(in, SWITCH_NEXT_PID);
}

/* A task that waits for a CPU or runs already is not woken up, unless that was on a CPU that is
 * filtered out. */
static void wake(struct sched_latency *l, const struct engine_input *in)
{
	struct waiting *w = waiting_of(l, sched_subject(l->tasks, in));

	appear(w, WAIT_ASLEEP, in->time);
	if (!l->some_cpus && w->state != WAIT_ASLEEP)
		return;
	l->counts.times++;
	if (w->left > in->time) {
		l->counts.unordered++;
		return;
	}
	w->state = WAIT_FOR_CPU;
	w->ready = in->time;
}

static void add_runtime(struct sched_latency *l, const struct engine_input *in)
{
	struct waiting *w = waiting_of(l, sched_subject(l->tasks, in));

	appear(w, WAIT_FOR_CPU, in->time);
	w->sums.runtime += engine_number(in, TASK_RUNTIME);
}

/* On which CPU a task waits matters only to those who look at some CPUs. */
static void migrate(struct sched_latency *l, const struct engine_input *in)
{
	struct waiting *w;

	if (!l->some_cpus)
		return;
	w = waiting_of(l, sched_subject(l->tasks, in));
	appear(w, WAIT_FOR_CPU, in->time);
	l->counts.times++;
	l->counts.unordered += w->left > in->time;
	w->left = w->ready = in->time;
}

static void feed(void *state, const struct engine_input *in)
{
	struct sched_latency *l = state;

	if (!in->wanted || !in->in_time)
		return;
	switch ((enum sched_event)in->event) {
	case SCHED_SWITCH:
		check_cpu(l, in);
		leave(l, in);
		enter(l, in);
		break;
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		wake(l, in);
		break;
	case SCHED_RUNTIME:
		add_runtime(l, in);
		break;
	case SCHED_MIGRATE:
		migrate(l, in);
		break;
	case SCHED_NR_EVENTS:
		break;
	}
}

static void lost(void *state, u32 cpu, u64 time)
{
	struct sched_latency *l = state;

	l->lost = MAX(l->lost, time);
}

static void bound(void *state, u32 event, const struct tf_event *format)
{
	struct sched_latency *l = state;

	if (event == SCHED_SWITCH)
		sched_states_init(&l->states, format);
}

const struct engine *sched_latency_engine(void)
{
	static const char *const lacking[SCHED_NR_EVENTS] = {
		[SCHED_WAKEUP] = "delays are those of preempted tasks only",
		[SCHED_RUNTIME] = "runtimes are 0",
	};
	static const struct engine e = {
		.lacking = lacking,
		.name = "sched latency",
		.record = "perf sched record",
		.events = sched_events,
		.nr_events = SCHED_NR_EVENTS,
		.bound = bound,
		.feed = feed,
		.lost = lost,
	};

	return &e;
}

/* ---- results ---- */

static void add_steps(struct sched_delays *to, const struct sched_delays *from)
{
	if (!from->steps)
		return;
	if (!to->steps)
		to->steps = xcalloc(STEPS, sizeof(*to->steps));
	steps_fold(to->steps, from->steps);
}

static void add_row(struct sched_delays *to, const struct sched_delays *from)
{
	add_steps(to, from);
	to->merged += from->merged;
	to->runtime += from->runtime;
	to->switches += from->switches;
	to->total += from->total;
	to->gaps += from->gaps;
	if (from->max > to->max) {
		to->max = from->max;
		to->max_start = from->max_start;
		to->max_end = from->max_end;
	}
}

static struct sched_delays copy_of(const struct sched_delays *d)
{
	struct sched_delays copy = *d;

	copy.steps = NULL;
	add_steps(&copy, d);
	return copy;
}

/* Return the number of the row that a task belongs to, or UINT32_MAX: it has a row of its own. */
static u32 key_of(struct intern *keys, enum sched_merge merge, const struct task_at *task,
		  const struct sched_delays *d)
{
	if (merge == SCHED_BY_CGROUP)
		return intern_id(keys, (const char *)&d->cgroup, sizeof(d->cgroup));
	if (merge == SCHED_BY_COMM && task->comm)
		return intern_str_id(keys, task->comm);
	return UINT32_MAX;
}

struct sched_delays *sched_latency_rows(const struct sched_latency *l, enum sched_merge merge,
					bool (*wants)(void *ctx, const struct task_at *task),
					void *ctx, size_t *nr)
{
	struct sched_delays *rows = xcalloc(l->nr_order + 1, sizeof(*rows));
	size_t *row_of = xcalloc(l->nr_order + 1, sizeof(*row_of)); /* by key, + 1 */
	struct intern keys = { 0 };

	*nr = 0;
	for (size_t i = 0; i < l->nr_order; i++) {
		const struct sched_delays *d = &l->of[l->order[i]].sums;
		const struct task_at *task = task_table_last(l->tasks, d->task);
		u32 key;

		if (!task->tid || (wants && !wants(ctx, task)))
			continue;
		key = key_of(&keys, merge, task, d);
		if (key != UINT32_MAX && row_of[key]) {
			add_row(&rows[row_of[key] - 1], d);
			continue;
		}
		rows[(*nr)++] = copy_of(d);
		if (key != UINT32_MAX)
			row_of[key] = *nr;
	}
	intern_release(&keys);
	free(row_of);
	return rows;
}

void sched_delays_free(struct sched_delays *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(rows[i].steps);
	free(rows);
}

const struct sched_counts *sched_latency_counts(const struct sched_latency *l)
{
	return &l->counts;
}
