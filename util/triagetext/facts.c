// SPDX-License-Identifier: GPL-2.0-or-later
/* Times of threads become times of programs, by kinds. */
#include "base/compat.h"

#include "triagetext/triagetext-internal.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"

/* A program had so much time of a kind with a function. It has no padding. */
struct tally_key {
	u32 program, kind, text;
};

struct making {
	struct triage_pass *p;
	struct triage_facts *f;
	const struct triage_thread *threads;
	u32 nr_threads;
	u32 *of;                 /* owned; number of the program by thread; TRIAGE_NONE: none */
	struct intern names;     /* of programs */
	struct map64 program_of; /* by number of the name */
	struct intern texts, keys;
	u64 *tallies; /* owned; ns by number of the key */
	u32 nr_tallies;
	size_t cap_tallies;
	u64 *longest; /* owned; the longest wait of each cell: whom it was for */
};

/* ---- programs ---- */

static const char *name_of(struct making *m, u32 id)
{
	const struct task_at *task = task_table_last(analysis_tasks(m->p->a), id);

	return task->comm ? task->comm : "[unknown]";
}

/* Return the number of the program of a name. */
static u32 program_named(struct making *m, const char *name, u32 pid)
{
	struct triage_facts *f = m->f;
	u32 *slot = map64_slot(&m->program_of, intern_str_id(&m->names, name));

	if (*slot == MAP64_NONE) {
		*slot = f->nr;
		VEC_GROW(f->v, (size_t)f->nr + 1, f->cap);
		f->v[f->nr++] = (struct triage_program){ .name = xstrdup(name),
							 .pid = pid,
							 .parent = TRIAGE_NONE };
	}
	return *slot;
}

static void find_programs(struct making *m, struct triage_targets *targets)
{
	m->of = xcalloc((size_t)m->nr_threads + 1, sizeof(*m->of));
	for (u32 id = 0; id < m->nr_threads; id++) {
		const struct triage_thread *t = &m->threads[id];
		struct triage_program *p;

		m->of[id] = TRIAGE_NONE;
		if (!triage_targets_has(targets, id))
			continue;
		m->of[id] = program_named(m, name_of(m, id), t->pid);
		p = &m->f->v[m->of[id]];
		p->threads++;
		p->processes += t->pid == t->tid;
		p->wall += t->last - t->first;
		p->faults += t->faults;
	}
}

/* A program descends from that of the parent of its first process. */
static void find_parents(struct making *m)
{
	struct map64 program = { 0 };

	for (u32 id = 0; id < m->nr_threads; id++)
		if (m->of[id] != TRIAGE_NONE)
			map64_set(&program, m->threads[id].pid, m->of[id]);
	for (u32 id = 0; id < m->nr_threads; id++) {
		u32 parent = analysis_life(m->p->a, id).parent, at;

		if (m->of[id] == TRIAGE_NONE || m->threads[id].pid != m->threads[id].tid)
			continue;
		at = parent == UINT32_MAX ? MAP64_NONE : map64_get(&program, parent);
		if (at != MAP64_NONE && at != m->of[id])
			m->f->v[m->of[id]].parent = at;
	}
	map64_release(&program);
}

/* ---- cells ---- */

static void tally(struct making *m, u32 program, enum triage_kind kind, const char *text, u64 ns)
{
	struct tally_key key = { program, kind, 0 };
	u32 at;

	if (!text || !ns)
		return;
	key.text = intern_str_id(&m->texts, text);
	at = intern_id(&m->keys, (const char *)&key, sizeof(key));
	VEC_GROW(m->tallies, (size_t)at + 1, m->cap_tallies);
	for (; m->nr_tallies <= at; m->nr_tallies++)
		m->tallies[m->nr_tallies] = 0;
	m->tallies[at] += ns;
}

/* Each cell is named by the function that has most of its time. */
static void name_cells(struct making *m)
{
	for (u32 at = 1; at < m->nr_tallies; at++) {
		struct tally_key key;
		struct triage_cell *c;

		memcpy(&key, intern_str(&m->keys, at), sizeof(key));
		c = &m->f->v[key.program].cells[key.kind];
		if (m->tallies[at] <= c->what_ns)
			continue;
		free(c->what);
		c->what = xstrdup(intern_str(&m->texts, key.text));
		c->what_ns = m->tallies[at];
	}
}

static void add_cell(struct making *m, u32 program, enum triage_kind kind,
		     const struct triage_sum *sum)
{
	struct triage_cell *c = &m->f->v[program].cells[kind];

	c->ns += sum->ns;
	c->nr += sum->nr;
	c->max = MAX(c->max, sum->max);
}

/* The other side of the longest wait of a cell is named. */
static void add_whom(struct making *m, u32 program, enum triage_kind kind, u32 whom, u64 ns)
{
	u64 *longest = &m->longest[(size_t)program * TRIAGE_KINDS + kind];
	struct triage_cell *c = &m->f->v[program].cells[kind];

	if (whom == TRIAGE_NOBODY || ns <= *longest)
		return;
	*longest = ns;
	free(c->whom);
	c->whom = xstrdup(name_of(m, whom));
}

/* ---- waits ---- */

static void add_wait(struct making *m, const struct triage_wait *w)
{
	const struct triage_thread *t = &m->threads[w->thread];
	u32 program = m->of[w->thread];
	struct triage_frames frames;
	enum triage_kind kind;
	const char *call;
	size_t at;

	if (program == TRIAGE_NONE || !w->sum.nr)
		return;
	if (!w->state) { /* it has waited since before the recording, nobody knows for what */
		m->f->v[program].spare += w->sum.ns;
		return;
	}
	triage_frames_of(m->p, t, w->chain, &frames);
	kind = triage_wait_kind(frames.kernel, frames.nr, w->state, w->futex, &at);
	if (triage_kind_class(kind) == TRIAGE_IDLE && t->tid != t->pid) {
		m->f->v[program].spare += w->sum.ns;
		return;
	}
	add_cell(m, program, kind, &w->sum);
	add_whom(m, program, kind, w->waker, w->sum.max);
	call = triage_syscall_name(frames.kernel, frames.nr);
	tally(m, program, kind, call ?: at < frames.nr ? frames.kernel[at] : NULL, w->sum.ns);
}

/* ---- on a CPU ---- */

/* Return how many ns a sample stands for, if nothing else tells how long threads ran. */
static double ns_per_weight(const struct triage_pass *p)
{
	const struct evlist *l = &analysis_recording(p->a)->session.evlist;

	for (size_t i = 0; i < l->nr; i++) {
		const struct perf_event_attr *a = &l->evsels[i]->attr;

		if (a->type == PERF_TYPE_SOFTWARE &&
		    (a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK))
			return 1;
	}
	return 0.33; /* about 3 GHz: cycles tell no time */
}

/* Return the time that a thread was on CPUs, without interrupts. */
static u64 run_of(const struct making *m, u32 id)
{
	const struct triage_thread *t = &m->threads[id];
	u64 ns = t->run, irqs = MIN(t->irqs.ns, t->run);

	if (m->f->has & TRIAGE_HAS_SWITCHES)
		return ns - irqs;
	return (u64)((double)t->weight * ns_per_weight(m->p));
}

/* Return what a sample is about: a system call, the function of the program that has faulted, or
 * the one that ran. */
static const char *spot_name(const struct triage_frames *f, enum triage_kind kind)
{
	const char *name = NULL;

	if (kind == TRIAGE_SYSCALL)
		name = triage_syscall_name(f->kernel, f->nr);
	if (!name && kind != TRIAGE_USER && kind != TRIAGE_LOCK)
		name = f->caller;
	return name ?: f->leaf ?: f->object;
}

static void add_spot(struct making *m, const struct triage_spot *s)
{
	const struct triage_thread *t = &m->threads[s->thread];
	u32 program = m->of[s->thread];
	struct triage_frames frames;
	struct triage_sum sum = { 0 };
	enum triage_kind kind;

	if (program == TRIAGE_NONE || !t->weight)
		return;
	triage_frames_of(m->p, t, s->chain, &frames);
	kind = triage_cpu_kind(frames.kernel, frames.nr);
	if (kind == TRIAGE_INTERRUPT) /* these are measured, and nobody has asked for them */
		kind = TRIAGE_SYSCALL;
	sum.ns = (u64)((double)run_of(m, s->thread) * ((double)s->weight / (double)t->weight));
	sum.nr = s->samples;
	add_cell(m, program, kind, &sum);
	m->f->v[program].samples += s->samples;
	tally(m, program, kind, spot_name(&frames, kind), sum.ns);
}

static void add_thread(struct making *m, u32 id)
{
	const struct triage_thread *t = &m->threads[id];
	const struct triage_sum irqs = { MIN(t->irqs.ns, t->run), t->irqs.nr, t->irqs.max };
	u32 program = m->of[id];

	if (program == TRIAGE_NONE)
		return;
	add_cell(m, program, TRIAGE_QUEUE, &t->queue);
	add_whom(m, program, TRIAGE_QUEUE, t->rival, t->queue.max);
	add_cell(m, program, TRIAGE_INTERRUPT, &irqs);
	if (!t->samples && m->f->has & TRIAGE_HAS_SWITCHES) { /* it was too short for samples */
		const struct triage_sum run = { run_of(m, id), 0, 0 };

		add_cell(m, program, TRIAGE_USER, &run);
	}
	if (!(m->f->has & TRIAGE_HAS_CHAINS))
		add_cell(m, program, TRIAGE_LOCK, &t->locks);
}

/* ---- all ---- */

static u32 sources(const struct triage_pass *p)
{
	const struct evlist *l = &analysis_recording(p->a)->session.evlist;
	u32 bound = triage_bound(p->states), has = 0;

	has |= bound >> TRIAGE_SWITCH & 1 ? TRIAGE_HAS_SWITCHES : 0;
	has |= bound >> TRIAGE_SAMPLE & 1 ? TRIAGE_HAS_SAMPLES : 0;
	has |= bound >> TRIAGE_LOCK_BEGIN & 1 ? TRIAGE_HAS_LOCKS : 0;
	has |= bound >> TRIAGE_FUTEX_CALL & 1 ? TRIAGE_HAS_FUTEXES : 0;
	for (size_t i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];

		if (!strcmp(e->name, "sched:sched_switch") &&
		    e->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			has |= TRIAGE_HAS_CHAINS;
		if (!strcmp(e->name, "block:block_rq_complete"))
			has |= TRIAGE_HAS_BLOCKS;
		if (!strcmp(e->name, "irq:softirq_entry") ||
		    !strcmp(e->name, "irq:irq_handler_entry"))
			has |= TRIAGE_HAS_INTERRUPTS;
		if (e->attr.type != PERF_TYPE_TRACEPOINT && !e->attr.exclude_kernel &&
		    e->attr.config != PERF_COUNT_SW_DUMMY)
			has |= TRIAGE_HAS_KERNEL;
	}
	return has;
}

static u64 unseen_of(const struct triage_facts *f)
{
	u64 wall = 0, seen = 0;

	for (u32 i = 0; i < f->nr; i++) {
		wall += f->v[i].wall;
		seen += f->v[i].spare;
		for (u32 k = 0; k < TRIAGE_KINDS; k++)
			seen += f->v[i].cells[k].ns;
	}
	return wall > seen ? wall - seen : 0;
}

static void fill(struct making *m)
{
	const struct triage_wait *waits;
	const struct triage_spot *spots;
	u32 nr;

	waits = triage_waits(m->p->states, &nr);
	for (u32 i = 0; i < nr; i++)
		add_wait(m, &waits[i]);
	spots = triage_spots(m->p->states, &nr);
	for (u32 i = 0; i < nr; i++)
		add_spot(m, &spots[i]);
	for (u32 id = 0; id < m->nr_threads; id++)
		add_thread(m, id);
	name_cells(m);
}

void triage_facts_make(struct triage_pass *p, const struct triage_show *show,
		       struct triage_facts *f)
{
	struct triage_targets *targets = triage_targets_new(p, show);
	struct making m = { .p = p, .f = f };
	u64 first, last;

	*f = (struct triage_facts){ .all = triage_targets_all(targets),
				    .has = sources(p),
				    .lost = analysis_losses(p->a).lost,
				    .torn = triage_torn(p->states) };
	triage_span(p->states, &first, &last);
	f->span = last - first;
	m.threads = triage_threads(p->states, &m.nr_threads);
	find_programs(&m, targets);
	find_parents(&m);
	m.longest = xcalloc((size_t)f->nr * TRIAGE_KINDS + 1, sizeof(*m.longest));
	fill(&m);
	f->unseen = unseen_of(f);
	triage_evidence(p, f, m.of, m.nr_threads);
	triage_targets_free(targets);
	intern_release(&m.names);
	intern_release(&m.texts);
	intern_release(&m.keys);
	map64_release(&m.program_of);
	free(m.of);
	free(m.tallies);
	free(m.longest);
}
