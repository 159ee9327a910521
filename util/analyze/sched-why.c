// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/sched-why.h"

#include "analyze/reach.h"
#include "base/alloc.h"

#include <stdlib.h>

#define RUNS 4096 /* the last runs of a CPU that are remembered */

struct task_state {
	bool asked, wanted, preempted;
	const char *comm;       /* under which it was asked for */
	u64 ready;              /* since when it is runnable; 0: it is not, as far as is known */
	u32 from_cpu;           /* that it waited for before it was moved */
	u64 moved;              /* when; 0: it was not */
	struct why_sleep away;  /* since it left its CPU to sleep; it does not know until when */
	struct why_sleep sleep; /* the last complete one */
	struct why_waker wakers[WHY_DEPTH];
	u32 nr_wakers;
};

struct cpu_run {
	u32 task;
	u64 from, to;
};

struct cpu_state {
	u64 last;            /* its last switch; 0: none so far */
	u32 task;            /* that has it since then */
	struct cpu_run *run; /* owned; RUNS of them, used in turn */
	u64 nr;              /* how many there were */
};

/* All that had the CPU during a delay. */
struct holders {
	struct why_holder *v; /* owned */
	u32 nr;
	size_t cap;
	u64 known; /* ns of the delay that these had the CPU */
};

struct sched_why {
	struct sched_why_conf conf;
	struct sched_states states;
	struct task_state *of; /* owned; by id of the task */
	u32 nr;
	size_t cap;
	struct cpu_state *cpus; /* owned */
	u32 nr_cpus;
	size_t cap_cpus;
	struct intern chains;
	struct why_delay *longest; /* owned; conf.most of them, in order */
	size_t nr_longest;
	struct holders holders; /* of the delay that is explained */
	u64 lost;               /* when events were lost last; 0: never */
};

struct sched_why *sched_why_new(const struct sched_why_conf *conf)
{
	struct sched_why *w = xzalloc(sizeof(*w));

	w->conf = *conf;
	w->longest = xcalloc((size_t)conf->most + 1, sizeof(*w->longest));
	return w;
}

void sched_why_free(struct sched_why *w)
{
	if (!w)
		return;
	for (u32 i = 0; i < w->nr_cpus; i++)
		free(w->cpus[i].run);
	free(w->cpus);
	free(w->of);
	free(w->longest);
	free(w->holders.v);
	intern_release(&w->chains);
	free(w);
}

static struct task_state *state_of(struct sched_why *w, const struct task_at *task)
{
	struct task_state *t;

	VEC_REACH(w->of, task->id, w->nr, w->cap);
	t = &w->of[task->id];
	if (unlikely(!t->asked || t->comm != task->comm)) {
		t->asked = true;
		t->comm = task->comm;
		t->wanted = task->tid && (!w->conf.wants || w->conf.wants(w->conf.ctx, task));
	}
	return t;
}

static struct cpu_state *cpu_of(struct sched_why *w, u32 cpu)
{
	VEC_REACH(w->cpus, cpu, w->nr_cpus, w->cap_cpus);
	return &w->cpus[cpu];
}

/* ---- delays ---- */

static void hold(struct holders *all, u32 task, u64 ns)
{
	u32 i = 0;

	while (i < all->nr && all->v[i].task != task)
		i++;
	if (i == all->nr) {
		VEC_GROW(all->v, all->nr + 1, all->cap);
		all->v[all->nr++] = (struct why_holder){ .task = task };
	}
	all->v[i].runs++;
	all->v[i].ns += ns;
	all->known += ns;
}

/* Find who had a CPU in [from, to), as far as its runs are remembered. */
static void find_holders(struct sched_why *w, u32 cpu, u64 from, u64 to, struct holders *all)
{
	const struct cpu_state *c = cpu_of(w, cpu);

	if (c->last && c->last < to)
		hold(all, c->task, to - MAX(c->last, from));
	for (u64 i = 0; i < MIN(c->nr, RUNS); i++) {
		const struct cpu_run *r = &c->run[(c->nr - 1 - i) % RUNS];
		u64 start = MAX(r->from, from), end = MIN(r->to, to);

		if (r->to <= from)
			break;
		if (start < end)
			hold(all, r->task, end - start);
	}
}

static int compare_holders(const void *a, const void *b)
{
	const struct why_holder *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return x->task < y->task ? -1 : x->task > y->task;
}

/* Name those that had the CPU longest. */
static void name_holders(struct why_delay *d, struct holders *all)
{
	if (!all->nr)
		return;
	qsort(all->v, all->nr, sizeof(*all->v), compare_holders);
	d->nr_holders = MIN(all->nr, WHY_HOLDERS);
	memcpy(d->holders, all->v, d->nr_holders * sizeof(*d->holders));
	for (u32 i = d->nr_holders; i < all->nr; i++)
		d->others += all->v[i].ns;
}

static void explain(struct sched_why *w, const struct task_state *t, struct why_delay *d)
{
	struct holders *all = &w->holders;

	d->sleep = t->sleep;
	d->nr_wakers = t->preempted ? 0 : t->nr_wakers;
	memcpy(d->wakers, t->wakers, d->nr_wakers * sizeof(*d->wakers));
	all->nr = 0;
	all->known = 0;
	if (d->moved)
		find_holders(w, d->from_cpu, d->ready, d->moved, all);
	find_holders(w, d->cpu, d->moved ? d->moved : d->ready, d->ran, all);
	name_holders(d, all);
	d->unknown = d->ran - d->ready - MIN(all->known, d->ran - d->ready);
}

/* Keep a delay if it is one of the longest; of the same ones, the first. */
static void keep(struct sched_why *w, const struct task_state *t, const struct task_at *task,
		 const struct engine_input *in)
{
	u64 ns = in->time - t->ready;
	size_t at = w->nr_longest;

	while (at && w->longest[at - 1].ran - w->longest[at - 1].ready < ns)
		at--;
	if (at == w->conf.most)
		return;
	memmove(&w->longest[at + 1], &w->longest[at], (w->nr_longest - at) * sizeof(*w->longest));
	w->nr_longest = MIN(w->nr_longest + 1, (size_t)w->conf.most);
	w->longest[at] = (struct why_delay){
		.pid = task->pid,
		.tid = task->tid,
		.cpu = in->cpu,
		.ready = t->ready,
		.ran = in->time,
		.preempted = t->preempted,
		.gap = w->lost && w->lost >= t->ready,
		.from_cpu = t->from_cpu,
		.moved = t->moved > t->ready ? t->moved : 0,
	};
	explain(w, t, &w->longest[at]);
}

/* ---- events ---- */

/* A task leaves its CPU, which @next gets. */
static void note_run(struct sched_why *w, u32 task, u32 next, const struct engine_input *in)
{
	struct cpu_state *c = cpu_of(w, in->cpu);

	if (!c->run)
		c->run = xcalloc(RUNS, sizeof(*c->run));
	if (c->last && in->time >= c->last)
		c->run[c->nr++ % RUNS] = (struct cpu_run){ task, c->last, in->time };
	c->last = in->time;
	c->task = next;
}

static void leave(struct sched_why *w, const struct task_at *task, const struct engine_input *in)
{
	char state = sched_state_letter(&w->states, engine_number(in, SWITCH_PREV_STATE));
	struct task_state *t = state_of(w, task);

	t->preempted = state == 'R';
	t->ready = t->preempted ? in->time : 0;
	t->moved = 0;
	if (!t->preempted)
		t->away = (struct why_sleep){ .from = in->time,
					      .chain = in->tid == task->tid
							       ? sched_chain(&w->chains, in)
							       : 0,
					      .state = state };
}

static void enter(struct sched_why *w, const struct task_at *task, const struct engine_input *in)
{
	struct task_state *t = state_of(w, task);

	if (t->ready && in->time > t->ready && t->wanted && in->wanted && in->in_time) {
		keep(w, t, task, in);
		if (w->conf.delay)
			w->conf.delay(w->conf.ctx, task, t->ready, in->time);
	}
	t->ready = 0;
	t->moved = 0;
}

static void feed_switch(struct sched_why *w, const struct engine_input *in)
{
	const struct task_at prev = *sched_prev(w->conf.tasks, in);
	const struct task_at next = *sched_next(w->conf.tasks, in);

	note_run(w, prev.id, next.id, in);
	leave(w, &prev, in);
	enter(w, &next, in);
}

/* The waker is the task of the sample, with those that woke it up behind it. */
static void note_wakers(struct sched_why *w, struct task_state *t, const struct engine_input *in)
{
	bool interrupt = engine_number(in, TASK_FLAGS) & TASK_FLAGS_INTERRUPT;
	struct why_waker waker = { in->pid,  in->tid,   in->cpu, sched_chain(&w->chains, in),
				   in->time, interrupt, { 0 } };
	u32 id = task_table_at(w->conf.tasks, in->pid, in->tid, in->time)->id;
	const struct task_state *by = id < w->nr && in->tid ? &w->of[id] : NULL;

	t->nr_wakers = 1;
	if (!interrupt && by && by != t) {
		waker.sleep = by->sleep;
		t->nr_wakers = MIN(by->nr_wakers + 1, w->conf.depth);
		memcpy(&t->wakers[1], by->wakers, (t->nr_wakers - 1) * sizeof(*t->wakers));
	}
	t->wakers[0] = waker;
}

static void feed_wakeup(struct sched_why *w, const struct engine_input *in)
{
	const struct task_at task = *sched_subject(w->conf.tasks, in);
	struct task_state *t = state_of(w, &task);

	if (t->ready || !task.tid)
		return;
	t->ready = in->time;
	t->preempted = false;
	t->sleep = t->away;
	t->sleep.until = in->time;
	if (!t->away.from || t->away.from > in->time)
		t->sleep = (struct why_sleep){ 0 };
	note_wakers(w, t, in);
}

/* The kernel tells that when it wakes up the task, behind the event of the wakeup. */
static void feed_iowait(struct sched_why *w, const struct engine_input *in)
{
	struct task_state *t = state_of(w, sched_subject(w->conf.tasks, in));

	if (t->ready && t->sleep.until)
		t->sleep.io = MIN(engine_number(in, TASK_DELAY), t->sleep.until - t->sleep.from);
}

/* Tell whether the waker itself chooses the CPU for a task that has not waited for one yet. */
static bool is_placed(struct sched_why *w, const struct task_state *t,
		      const struct engine_input *in)
{
	const struct why_waker *by = &t->wakers[0];

	return !t->preempted && t->nr_wakers && by->tid == in->tid && by->cpu == in->cpu &&
	       cpu_of(w, in->cpu)->last <= by->time;
}

static void feed_migration(struct sched_why *w, const struct engine_input *in)
{
	struct task_state *t = state_of(w, sched_subject(w->conf.tasks, in));
	u32 from = (u32)engine_number(in, TASK_FROM_CPU);

	if (!t->ready || from >= SCHED_MAX_CPUS || is_placed(w, t, in))
		return;
	t->from_cpu = from;
	t->moved = in->time;
}

static void feed(void *state, const struct engine_input *in)
{
	struct sched_why *w = state;

	if (in->cpu >= SCHED_MAX_CPUS)
		return;
	if (in->event == SCHED_SWITCH)
		feed_switch(w, in);
	else if (in->event == SCHED_MIGRATE)
		feed_migration(w, in);
	else if (in->event == SCHED_IOWAIT)
		feed_iowait(w, in);
	else
		feed_wakeup(w, in);
}

static void lost(void *state, u32 cpu, u64 time)
{
	struct sched_why *w = state;

	w->lost = MAX(w->lost, time);
}

static void bound(void *state, u32 event, const struct tf_event *format)
{
	struct sched_why *w = state;

	if (event == SCHED_SWITCH)
		sched_states_init(&w->states, format);
}

const struct engine *sched_why_engine(void)
{
	static const char *const lacking[SCHED_ALL_EVENTS] = {
		[SCHED_WAKEUP] =
			"delays are those of preempted tasks only, and wakers are not known",
		[SCHED_MIGRATE] = "where tasks waited before they were moved is not known",
		[SCHED_IOWAIT] =
			"which sleeps were for I/O is not known. CONFIG_SCHEDSTATS is off, "
			"or was not\n  switched on by 'sysctl kernel.sched_schedstats=1': "
			"sched_stat_* are not recorded",
	};
	static const struct engine e = {
		.lacking = lacking,
		.name = "sched why",
		.record = "perf sched record",
		.events = sched_events,
		.nr_events = SCHED_ALL_EVENTS,
		.unused = (1U << SCHED_IOWAIT) - (1U << SCHED_RUNTIME), /* those between them */
		.bound = bound,
		.feed = feed,
		.lost = lost,
	};

	return &e;
}

/* ---- results ---- */

const struct why_delay *sched_why_delays(const struct sched_why *w, size_t *nr)
{
	*nr = w->nr_longest;
	return w->longest;
}

const u64_una *sched_why_chain(const struct sched_why *w, u32 chain, u64 *nr)
{
	return sched_chain_ips(&w->chains, chain, nr);
}
