// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/sched-replay.h"

#include "analyze/reach.h"
#include "base/alloc.h"

/* Programs are kept by their number + 1, so that 0 means that there is none. */
struct cpu_now {
	u32 running; /* the task that runs on the CPU; 0: not known so far */
	u32 idle;    /* its idle task */
	u64 since;   /* time of the last event on it in ns */
};

struct sched_replay {
	struct task_table *tasks; /* borrowed */
	struct replay_programs programs;
	struct sched_states states;
	u32 *of; /* owned; the programs of tasks, by their numbers in the table */
	u32 nr_of;
	size_t cap_of;
	struct cpu_now *cpus; /* owned */
	u32 nr_cpus;
	size_t cap_cpus;
};

struct sched_replay *sched_replay_new(struct task_table *tasks)
{
	struct sched_replay *r = xzalloc(sizeof(*r));

	r->tasks = tasks;
	return r;
}

void sched_replay_free(struct sched_replay *r)
{
	if (!r)
		return;
	for (u32 i = 0; i < r->programs.nr; i++)
		free(r->programs.v[i].steps);
	free(r->programs.v);
	free(r->of);
	free(r->cpus);
	free(r);
}

const struct replay_programs *sched_replay_programs(const struct sched_replay *r)
{
	return &r->programs;
}

/* ---- CPUs and programs ---- */

static struct cpu_now *cpu_of(struct sched_replay *r, u32 cpu)
{
	VEC_REACH(r->cpus, cpu, r->nr_cpus, r->cap_cpus);
	return &r->cpus[cpu];
}

/* Return where the number of the program of a task is kept. */
static u32 *place_of(struct sched_replay *r, const struct task_at *task, u32 cpu)
{
	if (!task->tid)
		return &cpu_of(r, cpu)->idle;
	VEC_REACH(r->of, task->id, r->nr_of, r->cap_of);
	return &r->of[task->id];
}

/* Return the number of the program of a task. @cpu: where the event is, as each has an idle task */
static u32 program_of(struct sched_replay *r, const struct task_at *task, u32 cpu)
{
	struct replay_programs *p = &r->programs;
	u32 *number = place_of(r, task, cpu);

	if (unlikely(!*number)) {
		VEC_GROW(p->v, (size_t)p->nr + 1, p->cap);
		p->v[p->nr++] = (struct replay_program){
			.idle = !task->tid,
			.task = task->tid ? task->id : cpu,
		};
		*number = p->nr;
	}
	return *number - 1;
}

/* ---- steps ---- */

static void add_step(struct replay_program *p, enum replay_kind kind, u32 signal, u64 ns)
{
	VEC_GROW(p->steps, p->nr + 1, p->cap);
	p->steps[p->nr++] = (struct replay_step){ kind, signal, ns };
}

/* A task had a CPU for so long. */
static void add_time(struct replay_program *p, u64 ns)
{
	enum replay_kind kind = p->idle ? REPLAY_PAUSE : REPLAY_RUN;

	if (p->nr && p->steps[p->nr - 1].kind == kind)
		p->steps[p->nr - 1].ns += ns;
	else if (ns)
		add_step(p, kind, 0, ns);
}

static void fall_asleep(struct replay_program *p, u64 time)
{
	add_step(p, REPLAY_WAIT, 0, 0);
	p->seen = true;
	p->asleep = true;
	p->asleep_at = time;
}

/* A task has a CPU. If nothing in the recording has woken it up, it slept for a time instead. */
static void enter(struct replay_program *p, u64 time)
{
	if (p->asleep) {
		struct replay_step *wait = &p->steps[p->nr - 1];

		wait->kind = REPLAY_PAUSE;
		wait->ns = time > p->asleep_at ? time - p->asleep_at : 0;
	}
	p->seen = true;
	p->asleep = false;
}

/* A task about which nothing is known before it is woken up was asleep from the beginning. */
static void wake(struct replay_programs *all, u32 waker, u32 sleeper)
{
	struct replay_program *p = &all->v[sleeper];

	if (!p->seen)
		fall_asleep(p, all->first);
	if (!p->asleep) {
		all->pointless++;
		return;
	}
	p->steps[p->nr - 1].signal = all->nr_signals;
	p->asleep = false;
	add_step(&all->v[waker], REPLAY_WAKE, all->nr_signals++, 0);
}

/* ---- events ---- */

/*
 * Give the time since the last event on the CPU to the task that has run there, according to this
 * event. If another one was put on the CPU last, events are missing, and its time is not known.
 * Return: the number of its program.
 */
static u32 add_time_on(struct sched_replay *r, const struct task_at *task,
		       const struct engine_input *in)
{
	u32 number = program_of(r, task, in->cpu);
	struct replay_program *p = &r->programs.v[number];
	struct cpu_now *cpu = cpu_of(r, in->cpu);

	if (cpu->running != number + 1 || p->asleep)
		enter(p, in->time);
	else if (in->time > cpu->since)
		add_time(p, in->time - cpu->since);
	cpu->running = number + 1;
	cpu->since = in->time;
	return number;
}

static void feed_switch(struct sched_replay *r, const struct engine_input *in)
{
	char state = sched_state_letter(&r->states, engine_number(in, SWITCH_PREV_STATE));
	u32 prev = add_time_on(r, sched_prev(r->tasks, in), in);
	u32 next = program_of(r, sched_next(r->tasks, in), in->cpu);
	struct replay_programs *all = &r->programs;

	if (prev == next)
		return;
	if (all->v[next].idle)
		wake(all, prev, next);
	else
		enter(&all->v[next], in->time);
	if (all->v[prev].idle || state != 'R')
		fall_asleep(&all->v[prev], in->time);
	cpu_of(r, in->cpu)->running = next + 1;
}

static void feed_wakeup(struct sched_replay *r, const struct engine_input *in)
{
	u32 waker = add_time_on(r, task_table_at(r->tasks, in->pid, in->tid, in->time), in);
	const struct task_at *sleeper = sched_subject(r->tasks, in);

	if (sleeper->tid) /* nobody wakes an idle task in this way */
		wake(&r->programs, waker, program_of(r, sleeper, in->cpu));
}

static void feed(void *state, const struct engine_input *in)
{
	struct sched_replay *r = state;
	struct replay_programs *p = &r->programs;

	if (in->cpu >= SCHED_MAX_CPUS || !in->in_time)
		return;
	if (!p->first)
		p->first = in->time;
	p->last = in->time;
	if (in->event == SCHED_SWITCH)
		feed_switch(r, in);
	else
		feed_wakeup(r, in);
}

static void learn_format(void *state, u32 event, const struct tf_event *format)
{
	struct sched_replay *r = state;

	if (event == SCHED_SWITCH)
		sched_states_init(&r->states, format);
}

/* Nobody would end the waits that are open at the end. */
static void finish(void *state)
{
	struct replay_programs *p = &((struct sched_replay *)state)->programs;

	for (u32 i = 0; i < p->nr; i++) {
		p->v[i].nr -= p->v[i].asleep;
		p->v[i].asleep = false;
	}
}

const struct engine *sched_replay_engine(void)
{
	static const struct engine e = {
		.name = "sched replay",
		.record = "perf sched record",
		.events = sched_events,
		.nr_events = SCHED_WAKEUP_NEW + 1, /* switches and wakeups */
		.bound = learn_format,
		.feed = feed,
		.finish = finish,
	};

	return &e;
}
