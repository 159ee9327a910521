// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/sched-map.h"

#include "analyze/reach.h"
#include "base/alloc.h"

#define LETTERS 26
#define NAMES (LETTERS * 10)

struct named {
	u32 number;       /* of the short name, + 1; 0: it has none so far */
	const char *comm; /* under which it was introduced last */
};

struct sched_map {
	struct sched_map_conf conf;
	struct sched_map_cpu *cpus; /* owned */
	u32 nr_cpus;
	size_t cap_cpus;
	struct named *of; /* owned; by id of the task */
	u32 nr;
	size_t cap;
	u32 names;     /* how many were given */
	bool idle_was; /* the idle task was introduced */
	struct sched_counts counts;
};

struct sched_map *sched_map_new(const struct sched_map_conf *conf)
{
	struct sched_map *m = xzalloc(sizeof(*m));

	m->conf = *conf;
	return m;
}

void sched_map_free(struct sched_map *m)
{
	if (!m)
		return;
	free(m->cpus);
	free(m->of);
	free(m);
}

static struct sched_map_cpu *cpu_of(struct sched_map *m, u32 cpu)
{
	VEC_REACH(m->cpus, cpu, m->nr_cpus, m->cap_cpus);
	return &m->cpus[cpu];
}

static struct named *named_of(struct sched_map *m, u32 id)
{
	VEC_REACH(m->of, id, m->nr, m->cap);
	return &m->of[id];
}

/* Give the CPU the short name of its task. Return: is it new, or does it stand for a new name? */
static bool put_name(struct sched_map *m, const struct task_at *task, struct sched_map_cpu *cpu)
{
	struct named *n;
	bool introduced;

	if (!task->tid) {
		introduced = !m->idle_was;
		m->idle_was = true;
		memcpy(cpu->name, ". ", sizeof(cpu->name));
		return introduced;
	}
	n = named_of(m, task->id);
	introduced = !n->number || n->comm != task->comm;
	if (!n->number)
		n->number = m->names++ % NAMES + 1;
	n->comm = task->comm;
	cpu->name[0] = (char)('A' + (n->number - 1) % LETTERS);
	cpu->name[1] = (char)('0' + (n->number - 1) / LETTERS);
	return introduced;
}

static bool is_wanted(const struct sched_map *m, const struct task_at *task)
{
	return !m->conf.wants || m->conf.wants(m->conf.ctx, task);
}

/* Compare a switch with the one before it on this CPU. */
static void check(struct sched_map *m, struct sched_map_cpu *cpu, const struct engine_input *in)
{
	m->counts.times++;
	if (cpu->seen) {
		m->counts.unordered += cpu->time > in->time;
		m->counts.bugs += cpu->tid != (u32)engine_number(in, SWITCH_PREV_PID);
	}
	m->counts.gaps += cpu->gap;
	cpu->gap = false;
	cpu->time = in->time;
}

static void lost(void *state, u32 cpu, u64 time)
{
	struct sched_map *m = state;

	if (cpu < m->nr_cpus)
		m->cpus[cpu].gap = m->cpus[cpu].seen;
}

static void feed(void *state, const struct engine_input *in)
{
	struct sched_map_row row = { .time = in->time, .cpu = in->cpu };
	struct sched_map *m = state;
	struct sched_map_cpu *cpu;
	bool leaves;

	if (in->event != SCHED_SWITCH || in->cpu >= SCHED_MAX_CPUS || !in->wanted || !in->in_time)
		return;
	leaves = m->conf.wants && is_wanted(m, sched_prev(m->conf.tasks, in));
	row.task = *sched_next(m->conf.tasks, in);
	cpu = cpu_of(m, in->cpu);
	check(m, cpu, in);
	row.new_cpu = !cpu->seen;
	cpu->seen = true;
	cpu->tid = row.task.tid;
	if (is_wanted(m, &row.task)) {
		row.introduced = put_name(m, &row.task, cpu);
	} else {
		memcpy(cpu->name, "- ", sizeof(cpu->name));
		if (!leaves)
			return;
	}
	row.cpus = m->cpus;
	row.nr_cpus = m->nr_cpus;
	m->conf.row(m->conf.ctx, &row);
}

const struct engine *sched_map_engine(void)
{
	static const struct engine e = {
		.name = "sched map",
		.record = "perf sched record",
		.events = sched_events,
		.nr_events = SCHED_SWITCH + 1,
		.feed = feed,
		.lost = lost,
	};

	return &e;
}

const struct sched_counts *sched_map_counts(const struct sched_map *m)
{
	return &m->counts;
}
