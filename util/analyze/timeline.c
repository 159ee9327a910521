// SPDX-License-Identifier: GPL-2.0-or-later
/* Fill the lanes of a timeline: events in the order of time -> changes of tasks and CPUs. */
#include "base/compat.h"

#include "analyze/timeline.h"

#include "analyze/reach.h"
#include "base/alloc.h"

#define NOT_IDLE UINT32_MAX /* the state in which cpu_idle tells that a CPU wakes up */

/* A CPU while events are fed. */
struct cpu_now {
	bool known; /* the last switch is known; nothing is lost since then */
	u32 lane;   /* of the task that has it; TIMELINE_NO_LANE: it is idle */
	u64 since;  /* that switch, or the end of the loss; 0: neither was seen */
};

struct sched_timeline {
	struct sched_timeline_conf conf;
	struct timeline_lanes result; /* its arrays are owned */
	struct sched_states states;
	size_t cap_cpus, cap_tasks, cap_marks;
	struct cpu_now *now; /* owned; by CPU */
	u32 nr_now;
	size_t cap_now;
	u32 *lane_of; /* owned; by id of the task: number of its lane + 1; 0: none so far */
	u32 nr_lane_of;
	size_t cap_lane_of;
	bool *on_cpu; /* owned; by number of the lane: the task has a CPU, as far as is known */
	size_t cap_on_cpu;
	u64 from, until; /* the time that is looked at */
	bool started;
	u64 bytes, most_bytes; /* of the lanes and marks; when they are thinned out next */
};

struct sched_timeline *sched_timeline_new(const struct sched_timeline_conf *conf)
{
	struct sched_timeline *t = xzalloc(sizeof(*t));

	t->conf = *conf;
	t->conf.most_bytes = conf->most_bytes ? conf->most_bytes : TIMELINE_BYTES;
	t->most_bytes = t->conf.most_bytes;
	t->until = UINT64_MAX;
	return t;
}

void sched_timeline_free(struct sched_timeline *t)
{
	struct timeline_lanes *l = t ? &t->result : NULL;

	if (!t)
		return;
	for (u32 i = 0; i < l->nr_cpus; i++)
		for (u32 row = 0; row < TIMELINE_ROWS; row++)
			lane_release(&l->cpus[i].rows[row]);
	for (u32 i = 0; i < l->nr_tasks; i++)
		lane_release(&l->tasks[i].lane);
	free(l->cpus);
	free(l->tasks);
	free(l->marks);
	intern_release(&l->chains);
	free(t->now);
	free(t->lane_of);
	free(t->on_cpu);
	free(t);
}

const struct timeline_lanes *sched_timeline_result(const struct sched_timeline *t)
{
	return &t->result;
}

/* ---- lanes ---- */

static struct lane *cpu_lane(struct sched_timeline *t, u32 cpu, enum timeline_row row)
{
	struct timeline_lanes *l = &t->result;

	VEC_REACH(l->cpus, cpu, l->nr_cpus, t->cap_cpus);
	return &l->cpus[cpu].rows[row];
}

static struct cpu_now *now_of(struct sched_timeline *t, u32 cpu)
{
	VEC_REACH(t->now, cpu, t->nr_now, t->cap_now);
	return &t->now[cpu];
}

/* Return the number of the lane of a task; idle tasks have none. */
static u32 lane_of(struct sched_timeline *t, const struct task_at *task)
{
	struct timeline_lanes *l = &t->result;
	u32 *slot;

	if (!task->tid)
		return TIMELINE_NO_LANE;
	VEC_REACH(t->lane_of, task->id, t->nr_lane_of, t->cap_lane_of);
	slot = &t->lane_of[task->id];
	if (unlikely(!*slot)) {
		VEC_GROW(l->tasks, l->nr_tasks + 1, t->cap_tasks);
		VEC_GROW(t->on_cpu, l->nr_tasks + 1, t->cap_on_cpu);
		t->on_cpu[l->nr_tasks] = false;
		l->tasks[l->nr_tasks] =
			(struct timeline_task){ .id = task->id, .parent = TIMELINE_NO_LANE };
		*slot = ++l->nr_tasks;
	}
	return *slot - 1;
}

/* Count what a timeline has grown by. Once it is full, it goes on with less detail, and again with
 * less after each further eighth of that size. */
static void grow(struct sched_timeline *t, u64 bytes)
{
	t->bytes += bytes;
	if (likely(t->bytes < t->most_bytes))
		return;
	t->result.grain = lane_next_grain(t->result.grain);
	t->most_bytes += t->conf.most_bytes / 8;
}

static void change(struct sched_timeline *t, struct lane *lane, u64 time, enum lane_kind kind,
		   u32 value)
{
	u64 before = lane_bytes(lane);

	t->result.left_out += lane_add_coarse(lane, t->result.grain, time, kind, value);
	grow(t, lane_bytes(lane) - before);
}

/* Change what a task does, at @time; nothing happens for idle tasks. */
static void task_becomes(struct sched_timeline *t, u32 lane, u64 time, enum lane_kind kind,
			 u32 value)
{
	if (lane != TIMELINE_NO_LANE)
		change(t, &t->result.tasks[lane].lane, time, kind, value);
}

static void mark(struct sched_timeline *t, const struct engine_input *in, enum timeline_event event,
		 u32 task, u32 value)
{
	struct timeline_lanes *l = &t->result;

	if (l->grain && event == TIMELINE_MIGRATE) {
		l->left_out++; /* lanes tell where tasks run, too */
		return;
	}
	grow(t, sizeof(*l->marks));
	VEC_GROW(l->marks, l->nr_marks + 1, t->cap_marks);
	l->marks[l->nr_marks++] = (struct timeline_mark){ in->time, event, in->cpu, task, value };
}

/* ---- the scheduler ---- */

static enum lane_kind kind_of_state(char letter)
{
	switch (letter) {
	case 'R':
		return LANE_RUNNABLE;
	case 'D':
		return LANE_BLOCKED;
	case 'X':
	case 'Z':
		return LANE_NONE; /* it has ended */
	}
	return LANE_SLEEPING;
}

/* The time since the last switch belongs to the task that now leaves, of which the event is sure.
 * If the switch before was to another one, those between them were lost. The first switch of a CPU
 * tells who has had it from the beginning. */
static void add_run(struct sched_timeline *t, u32 cpu, u32 lane)
{
	struct cpu_now *now = now_of(t, cpu);
	u64 from = now->since ? now->since : t->result.start;
	bool idle = lane == TIMELINE_NO_LANE;

	if (now->known && now->lane != lane) {
		t->result.counts.bugs++;
		task_becomes(t, now->lane, from, LANE_NONE, 0);
	}
	/* A task that has done something else before got the CPU at an unknown time. */
	if (now->since || (!idle && lane_is_empty(&t->result.tasks[lane].lane)))
		task_becomes(t, lane, from, LANE_RUNNING, cpu);
	change(t, cpu_lane(t, cpu, TIMELINE_TASKS), from, idle ? LANE_IDLE : LANE_RUNNING,
	       idle ? 0 : lane);
}

static void set_on_cpu(struct sched_timeline *t, u32 lane, bool on)
{
	if (lane != TIMELINE_NO_LANE)
		t->on_cpu[lane] = on;
}

/* Return the value of what a task becomes that leaves its CPU: where it did so, if it sleeps. */
static u32 left_in(struct sched_timeline *t, enum lane_kind kind, const struct engine_input *in)
{
	bool sleeps = kind == LANE_SLEEPING || kind == LANE_BLOCKED;

	if (!t->conf.chains || !sleeps || in->tid != (u32)engine_number(in, SWITCH_PREV_PID))
		return 0;
	return sched_chain(&t->result.chains, in);
}

static void feed_switch(struct sched_timeline *t, const struct engine_input *in)
{
	char letter = sched_state_letter(&t->states, engine_number(in, SWITCH_PREV_STATE));
	u32 prev = lane_of(t, sched_prev(t->conf.tasks, in));
	u32 next = lane_of(t, sched_next(t->conf.tasks, in));
	enum lane_kind kind = kind_of_state(letter);
	struct cpu_now *now = now_of(t, in->cpu);

	add_run(t, in->cpu, prev);
	if (now->known)
		set_on_cpu(t, now->lane, false);
	set_on_cpu(t, prev, false);
	set_on_cpu(t, next, true);
	*now = (struct cpu_now){ true, next, in->time };
	task_becomes(t, prev, in->time, kind, left_in(t, kind, in));
	t->result.counts.times++;
}

/* Return the lane of the task in which an event happened; LANE_NO_WAKER: an interrupt or the idle
 * task. */
static u32 waker(struct sched_timeline *t, const struct engine_input *in)
{
	if (engine_number(in, TASK_FLAGS) & TASK_FLAGS_INTERRUPT)
		return LANE_NO_WAKER;
	if (in->tid == UINT32_MAX) /* a thread that is about to end has no tid in samples */
		return now_of(t, in->cpu)->known ? now_of(t, in->cpu)->lane : LANE_NO_WAKER;
	return lane_of(t, task_table_at(t->conf.tasks, in->pid, in->tid, in->time));
}

static void feed_wakeup(struct sched_timeline *t, const struct engine_input *in)
{
	u32 by = waker(t, in);
	u32 woken = lane_of(t, sched_subject(t->conf.tasks, in));

	/* Tasks may be woken while they are on a CPU or wait for one already. */
	if (woken != TIMELINE_NO_LANE && !t->on_cpu[woken] &&
	    lane_now(&t->result.tasks[woken].lane) != LANE_RUNNABLE)
		task_becomes(t, woken, in->time, LANE_RUNNABLE, lane_woken_by(by));
}

static void feed_fork(struct sched_timeline *t, const struct engine_input *in)
{
	u32 parent_tid = (u32)engine_number(in, TASK_PARENT);
	u32 parent =
		lane_of(t, task_table_at(t->conf.tasks, TASK_PID_UNKNOWN, parent_tid, in->time));
	u32 child = lane_of(t, sched_subject(t->conf.tasks, in));

	if (child == TIMELINE_NO_LANE)
		return;
	t->result.tasks[child].parent = parent;
	mark(t, in, TIMELINE_FORK, child, parent);
}

static void feed_other(struct sched_timeline *t, const struct engine_input *in,
		       enum timeline_event event)
{
	u32 task = lane_of(t, sched_subject(t->conf.tasks, in));

	if (task != TIMELINE_NO_LANE)
		mark(t, in, event, task,
		     event == TIMELINE_MIGRATE ? (u32)engine_number(in, TASK_TO_CPU) : 0);
}

/* ---- CPUs ---- */

/* Change a row of the CPU that the event names, which need not be the one on which it happened. */
static void feed_power(struct sched_timeline *t, const struct engine_input *in,
		       enum timeline_row row, enum lane_kind kind)
{
	u32 state = (u32)engine_number(in, POWER_STATE);
	u64 cpu = engine_number(in, POWER_CPU);

	if (cpu >= SCHED_MAX_CPUS)
		return;
	if (row == TIMELINE_IDLE && state == NOT_IDLE)
		kind = LANE_NONE;
	change(t, cpu_lane(t, (u32)cpu, row), in->time, kind, kind == LANE_NONE ? 0 : state);
}

static void feed_interrupt(struct sched_timeline *t, const struct engine_input *in,
			   enum timeline_row row, enum lane_kind kind)
{
	u32 number = kind == LANE_NONE ? 0 : (u32)engine_number(in, INTERRUPT_NUMBER);

	change(t, cpu_lane(t, in->cpu, row), in->time, kind, number);
}

/* ---- the engine ---- */

static void feed_event(struct sched_timeline *t, const struct engine_input *in)
{
	switch (in->event) {
	case SCHED_SWITCH:
		return feed_switch(t, in);
	case SCHED_WAKEUP:
	case SCHED_WAKEUP_NEW:
		return feed_wakeup(t, in);
	case SCHED_MIGRATE:
		return feed_other(t, in, TIMELINE_MIGRATE);
	case SCHED_FORK:
		return feed_fork(t, in);
	case SCHED_EXIT:
		return feed_other(t, in, TIMELINE_EXIT);
	case POWER_IDLE:
		return feed_power(t, in, TIMELINE_IDLE, LANE_IDLE);
	case POWER_FREQUENCY:
		return feed_power(t, in, TIMELINE_FREQUENCY, LANE_FREQUENCY);
	case IRQ_ENTRY:
		return feed_interrupt(t, in, TIMELINE_INTERRUPT, LANE_INTERRUPT);
	case IRQ_EXIT:
		return feed_interrupt(t, in, TIMELINE_INTERRUPT, LANE_NONE);
	case SOFTIRQ_ENTRY:
		return feed_interrupt(t, in, TIMELINE_SOFTIRQ, LANE_SOFTIRQ);
	case SOFTIRQ_EXIT:
		return feed_interrupt(t, in, TIMELINE_SOFTIRQ, LANE_NONE);
	}
}

static void feed(void *state, const struct engine_input *in)
{
	struct sched_timeline *t = state;

	if (in->cpu >= SCHED_MAX_CPUS || !in->wanted)
		return;
	if (unlikely(!t->started)) {
		t->started = true;
		t->result.start = in->time;
		if (t->conf.window)
			t->conf.window(t->conf.ctx, &t->from, &t->until);
	}
	t->result.end = MAX(t->result.end, MIN(in->time, t->until));
	if (in->time <= t->until)
		feed_event(t, in);
}

/* Nothing is known of a CPU and its task from its last switch up to the end of a loss. */
static void lost(void *state, u32 cpu, u64 time)
{
	struct sched_timeline *t = state;
	struct cpu_now *now;

	if (cpu >= SCHED_MAX_CPUS || !t->started)
		return;
	now = now_of(t, cpu);
	if (now->known) {
		task_becomes(t, now->lane, now->since, LANE_NONE, 0);
		set_on_cpu(t, now->lane, false);
		t->result.counts.gaps++;
	}
	for (u32 row = 0; row < TIMELINE_ROWS; row++)
		change(t, cpu_lane(t, cpu, (enum timeline_row)row),
		       row == TIMELINE_TASKS ? now->since : time, LANE_NONE, 0);
	*now = (struct cpu_now){ .since = time };
}

/* Let the lanes end where the recording does, and show the part of them that is looked at. */
static void finish(void *state)
{
	struct sched_timeline *t = state;
	struct timeline_lanes *l = &t->result;

	for (u32 cpu = 0; cpu < t->nr_now; cpu++)
		if (t->now[cpu].known)
			add_run(t, cpu, t->now[cpu].lane);
	for (u32 i = 0; i < l->nr_cpus; i++)
		for (u32 row = 0; row < TIMELINE_ROWS; row++)
			lane_finish(&l->cpus[i].rows[row], l->end);
	for (u32 i = 0; i < l->nr_tasks; i++)
		lane_finish(&l->tasks[i].lane, l->end);
	l->start = MIN(MAX(l->start, t->from), l->end);
}

static void bound(void *state, u32 event, const struct tf_event *format)
{
	struct sched_timeline *t = state;

	if (event == SCHED_SWITCH)
		sched_states_init(&t->states, format);
}

const struct engine *sched_timeline_engine(void)
{
	static const char *const lacking[SCHED_ALL_EVENTS] = {
		[SCHED_WAKEUP] = "when woken tasks began to wait for a CPU is not known",
	};
	static const struct engine e = {
		.lacking = lacking,
		.name = "timeline",
		.record = "perf timechart record",
		.events = sched_events,
		.nr_events = SCHED_ALL_EVENTS,
		.unused = 1U << SCHED_RUNTIME | 1U << SCHED_IOWAIT,
		.any = true,
		.bound = bound,
		.feed = feed,
		.lost = lost,
		.finish = finish,
	};

	return &e;
}

u64 timeline_bytes(const struct timeline_lanes *l)
{
	u64 sum = l->nr_cpus * sizeof(*l->cpus) + l->nr_tasks * sizeof(*l->tasks) +
		  l->nr_marks * sizeof(*l->marks);

	for (u32 i = 0; i < l->nr_cpus; i++)
		for (u32 row = 0; row < TIMELINE_ROWS; row++)
			sum += lane_bytes(&l->cpus[i].rows[row]);
	for (u32 i = 0; i < l->nr_tasks; i++)
		sum += lane_bytes(&l->tasks[i].lane);
	return sum;
}
