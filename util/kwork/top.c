// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "kwork/top.h"

#include "analyze/reach.h"
#include "base/alloc.h"

/* A CPU is doing this. */
struct doing {
	u64 since; /* its time is accounted for up to then */
	u32 task;  /* id of the task */
	bool seen;
	bool known; /* that is the task which runs */
	bool idle;  /* it is the idle task */
	bool irq, softirq;
};

struct kwork_top {
	struct task_table *tasks; /* borrowed */
	struct doing *doing;      /* owned; by CPU */
	u32 nr_doing;
	size_t cap_doing;
	struct kwork_cpu *cpus; /* owned; by CPU */
	u32 nr_cpus;
	size_t cap_cpus;
	u64 *of_task; /* owned; ns by id of the task */
	u32 nr_tasks;
	size_t cap_tasks;
	u64 first, last;
	bool begun;
};

struct kwork_top *kwork_top_new(struct task_table *tasks)
{
	struct kwork_top *t = xzalloc(sizeof(*t));

	t->tasks = tasks;
	return t;
}

void kwork_top_free(struct kwork_top *t)
{
	if (!t)
		return;
	free(t->doing);
	free(t->cpus);
	free(t->of_task);
	free(t);
}

static struct doing *doing_of(struct kwork_top *t, u32 cpu)
{
	struct doing *d;

	VEC_REACH(t->doing, cpu, t->nr_doing, t->cap_doing);
	VEC_REACH(t->cpus, cpu, t->nr_cpus, t->cap_cpus);
	d = &t->doing[cpu];
	if (!d->seen)
		*d = (struct doing){ .since = t->first, .seen = true };
	return d;
}

static void run_task(struct doing *d, const struct task_at *task)
{
	d->task = task->id;
	d->idle = !task->tid;
	d->known = true;
}

/* Account for the time of a CPU up to now. */
static void charge(struct kwork_top *t, u32 cpu, struct doing *d, u64 now)
{
	struct kwork_cpu *c = &t->cpus[cpu];
	u64 ns = now > d->since ? now - d->since : 0;

	d->since = MAX(d->since, now);
	c->total += ns;
	if (d->irq) {
		c->irq += ns;
	} else if (d->softirq) {
		c->softirq += ns;
	} else if (d->idle) {
		c->idle += ns;
	} else {
		VEC_REACH(t->of_task, d->task, t->nr_tasks, t->cap_tasks);
		t->of_task[d->task] += ns;
	}
}

static void change_task(struct kwork_top *t, struct doing *d, const struct engine_input *in)
{
	run_task(d, sched_next(t->tasks, in));
	d->irq = d->softirq = false;
}

/* An event happens in the task that the CPU has. The first one of a CPU tells which that is; a
 * later one in another task than the last switch told of shows that a switch was not traced: the
 * idle task gets the time if it is one of the two, else the task that is there now. */
static void feed(void *state, const struct engine_input *in)
{
	struct kwork_top *t = state;
	const struct task_at *now;
	struct doing *d;

	if (!in->wanted || !in->in_time)
		return;
	if (!t->begun)
		t->first = in->time;
	t->begun = true;
	t->last = in->time;
	d = doing_of(t, in->cpu);
	now = in->event == SCHED_SWITCH ? sched_prev(t->tasks, in)
					: task_table_at(t->tasks, in->pid, in->tid, in->time);
	if (!d->known || !d->idle)
		run_task(d, now);
	charge(t, in->cpu, d, in->time);
	if (in->event == SCHED_SWITCH) {
		change_task(t, d, in);
		return;
	}
	run_task(d, now);
	if (in->event == IRQ_ENTRY || in->event == IRQ_EXIT)
		d->irq = in->event == IRQ_ENTRY;
	else
		d->softirq = in->event == SOFTIRQ_ENTRY;
}

/* Nobody knows what the CPU did from its last event until now. */
static void lost(void *state, u32 cpu, u64 time)
{
	struct kwork_top *t = state;
	struct doing *d;

	if (!t->begun || cpu >= SCHED_MAX_CPUS)
		return;
	d = doing_of(t, cpu);
	d->since = MAX(d->since, time);
	d->known = d->irq = d->softirq = false;
}

static void finish(void *state)
{
	struct kwork_top *t = state;

	for (u32 cpu = 0; cpu < t->nr_doing; cpu++)
		if (t->doing[cpu].known)
			charge(t, cpu, &t->doing[cpu], t->last);
}

struct engine kwork_top_engine(bool irqs, bool softirqs)
{
	const u32 of_irqs = 1U << IRQ_ENTRY | 1U << IRQ_EXIT;
	const u32 of_softirqs = 1U << SOFTIRQ_ENTRY | 1U << SOFTIRQ_EXIT;
	u32 taken = 1U << SCHED_SWITCH | (irqs ? of_irqs : 0) | (softirqs ? of_softirqs : 0);

	return (struct engine){
		.name = "kwork top",
		.record = "perf kwork record",
		.events = sched_events,
		.nr_events = SCHED_ALL_EVENTS,
		.unused = ~taken,
		.feed = feed,
		.lost = lost,
		.finish = finish,
	};
}

/* ---- results ---- */

const struct kwork_cpu *kwork_top_cpus(const struct kwork_top *t, u32 *nr)
{
	*nr = t->nr_cpus;
	return t->cpus;
}

const u64 *kwork_top_tasks(const struct kwork_top *t, u32 *nr)
{
	*nr = t->nr_tasks;
	return t->of_task;
}

u64 kwork_top_time(const struct kwork_top *t)
{
	return t->last - t->first;
}
