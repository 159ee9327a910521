// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analysis/analysis.h"

#include "analyze/sched-events.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "wire/records.h"

#include <errno.h>

/* Events of a CPU were lost before a moment. */
struct loss {
	u64 time;
	u32 cpu;
};

/* An engine that takes an event. */
struct listener {
	void (*feed)(void *state, const struct engine_input *in); /* that of the engine */
	void *state;
	struct engine_binding bound;
};

/* The engines that take an event: those before @end, none if both are equal. */
struct listeners {
	const struct listener *first, *end;
};

struct analysis {
	struct recording *r; /* borrowed */
	struct task_table *tasks;
	bool woven;              /* numbers of tasks are those of id_of() */
	struct task_life *lives; /* owned; by number of the thread in the machine */
	u32 nr_lives;
	size_t cap_lives;
	struct analysis_part *parts; /* borrowed */
	size_t nr_parts;
	bool hears_losses;          /* an engine wants to know of them */
	struct listener *listeners; /* owned; of all events */
	struct listeners *of;       /* owned; by number of the event */
	size_t nr_bound;            /* events that are bound */
	struct analysis_losses losses;
	struct strbuf missing; /* lines on events */
	/* Records that are no samples may come ahead of samples that are earlier: losses wait here
	 * until the engines have had the samples before them. */
	struct loss *waiting; /* owned */
	size_t nr_waiting, cap_waiting;
	size_t told;   /* the first ones that the engines know of */
	bool unsorted; /* those behind them do not ascend */
};

/* ---- tasks ---- */

/*
 * Return the number of a task. While a file is read once threads become known between strangers,
 * who have numbers of their own: those of tasks are then even, and odd for strangers.
 */
static u32 id_of(const struct analysis *a, const struct thread_at *at)
{
	u32 stranger;

	if (!a->woven)
		return at->thread;
	stranger = machine_stranger(a->r->machine, at->thread);
	return stranger == UINT32_MAX ? 2 * at->thread : 2 * stranger + 1;
}

u32 analysis_task_order(const struct analysis *a, u32 id)
{
	return a->woven ? id >> 1 | id << 31 : id;
}

static void task_at_time(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	struct analysis *a = ctx;
	struct thread_at at;
	const char *comm;

	recording_thread_at(a->r, pid, tid, time, &at);
	comm = machine_comm(a->r->machine, at.comm);
	*out = (struct task_at){
		.id = id_of(a, &at),
		.pid = at.pid,
		.tid = tid,
		.stranger = machine_stranger(a->r->machine, at.thread) != UINT32_MAX,
		/* The machine names a thread ":tid" when no record does. */
		.comm = comm[0] == ':' || !comm[0] ? NULL : comm,
		.from = at.from,
		.until = at.until,
	};
}

static struct task_life *life_of(struct analysis *a, u32 pid, u32 tid, u64 time)
{
	struct thread_at at;

	machine_thread_at(a->r->machine, pid, tid, time, &at);
	while (at.thread >= a->nr_lives) {
		VEC_GROW(a->lives, (size_t)a->nr_lives + 1, a->cap_lives);
		a->lives[a->nr_lives++] = (struct task_life){ .parent = UINT32_MAX };
	}
	return &a->lives[at.thread];
}

/* Note whose child a task is and when it ends. */
static int on_state(void *ctx, const struct session_event *ev, bool applied, struct err *err)
{
	struct analysis *a = ctx;
	struct rec_task task;

	if (!applied || (ev->hdr->type != PERF_RECORD_FORK && ev->hdr->type != PERF_RECORD_EXIT))
		return 0;
	if (rec_task_decode(ev->hdr, ev->hdr->size, &task))
		return 0;
	if (ev->hdr->type == PERF_RECORD_EXIT)
		life_of(a, task.pid, task.tid, ev->time)->ended = true;
	else
		life_of(a, task.pid, task.tid, ev->time)->parent = task.ppid;
	return 0;
}

struct recording *analysis_recording(struct analysis *a)
{
	return a->r;
}

struct task_table *analysis_tasks(struct analysis *a)
{
	return a->tasks;
}

struct task_life analysis_life(const struct analysis *a, u32 id)
{
	u32 thread = a->woven ? id / 2 : id;

	if (thread >= a->nr_lives || (a->woven && id % 2))
		return (struct task_life){ .parent = UINT32_MAX };
	return a->lives[thread];
}

struct analysis *analysis_new(struct recording *r)
{
	struct analysis *a = xzalloc(sizeof(*a));

	a->r = r;
	a->tasks = task_table_new(&(struct task_source){ a, task_at_time });
	return a;
}

void analysis_free(struct analysis *a)
{
	if (!a)
		return;
	task_table_free(a->tasks);
	free(a->lives);
	free(a->listeners);
	free(a->of);
	free(a->waiting);
	strbuf_release(&a->missing);
	free(a);
}

/* ---- events ---- */

/* Bind all events that no engine of the pass looks for. */
static int bind_rest(const struct analysis *a, struct engine_binding *out)
{
	const struct evlist *l = &a->r->session.evlist;

	for (size_t i = 0; i < l->nr; i++) {
		bool known = false;

		for (size_t p = 0; p < a->nr_parts && !known; p++)
			known = engine_knows(a->parts[p].engine, l->evsels[i]);
		out[i].used = !known;
		out[i].event = (u32)i;
	}
	return 0;
}

/* Bind the events of one engine. @out: bindings of all events */
static int bind_part(struct analysis *a, struct analysis_part *p, struct engine_binding *out,
		     struct err *err)
{
	const struct session *s = &a->r->session;
	int ret;

	p->missing.code = 0;
	if (p->engine->rest)
		return bind_rest(a, out);
	ret = engine_bind(p->engine, p->state, &s->evlist, a->r->formats.tracefmt, s->file->swap,
			  out, p->optional ? &p->missing : err);
	if (ret != -ENOENT || !p->optional)
		return ret;
	memset(out, 0, s->evlist.nr * sizeof(*out));
	return 0;
}

/* Say what is missing when there are engines, and no event for any of them. */
static int check_parts(const struct analysis *a, struct err *err)
{
	for (size_t i = 0; i < a->nr_parts; i++)
		if (!a->parts[i].missing.code && !a->parts[i].engine->rest)
			return 0;
	if (a->nr_parts && err)
		*err = a->parts[0].missing;
	return a->nr_parts ? -ENOENT : 0;
}

/* List the listeners of each event. @bound: for each part the bindings of all @nr events */
static void set_listeners(struct analysis *a, const struct engine_binding *bound, size_t nr)
{
	size_t n = 0;

	free(a->listeners);
	free(a->of);
	a->listeners = xcalloc(nr * a->nr_parts + 1, sizeof(*a->listeners));
	a->of = xcalloc(nr + 1, sizeof(*a->of));
	for (size_t event = 0; event < nr; event++) {
		a->of[event].first = &a->listeners[n];
		for (size_t i = 0; i < a->nr_parts; i++) {
			const struct analysis_part *p = &a->parts[i];
			const struct engine_binding *b = &bound[i * nr + event];

			if (b->used)
				a->listeners[n++] =
					(struct listener){ p->engine->feed, p->state, *b };
		}
		a->of[event].end = &a->listeners[n];
	}
	a->nr_bound = nr;
}

static int bind(struct analysis *a, struct err *err)
{
	size_t nr = a->r->session.evlist.nr;
	struct engine_binding *bound = xcalloc(nr * a->nr_parts + 1, sizeof(*bound));
	int ret = 0;

	for (size_t i = 0; i < a->nr_parts && !ret; i++)
		ret = bind_part(a, &a->parts[i], &bound[i * nr], err);
	if (!ret)
		ret = check_parts(a, err);
	if (!ret)
		set_listeners(a, bound, nr);
	free(bound);
	return ret;
}

static int on_events(void *ctx, struct err *err)
{
	struct analysis *a = ctx;

	a->nr_bound = 0;
	return 0;
}

static int on_ready(void *ctx, struct err *err)
{
	struct analysis *a = ctx;

	a->woven = a->r->partial;
	return recording_settle_time(a->r, err) ?: bind(a, err);
}

static bool on_wants(void *ctx, const struct evsel *e)
{
	const struct analysis *a = ctx;

	return e->idx < a->nr_bound && a->of[e->idx].first < a->of[e->idx].end;
}

static void add_loss(struct analysis *a, struct loss loss)
{
	if (a->nr_waiting == a->cap_waiting) {
		a->cap_waiting = MAX(a->cap_waiting * 2, (size_t)16);
		a->waiting = xrealloc(a->waiting, a->cap_waiting, sizeof(*a->waiting));
	}
	if (a->nr_waiting > a->told && a->waiting[a->nr_waiting - 1].time > loss.time)
		a->unsorted = true;
	a->waiting[a->nr_waiting++] = loss;
}

static int by_time(const void *a, const void *b)
{
	u64 x = ((const struct loss *)a)->time, y = ((const struct loss *)b)->time;

	return (x > y) - (x < y);
}

static void tell_loss(const struct analysis *a, const struct loss *loss)
{
	for (size_t i = 0; i < a->nr_parts; i++) {
		const struct analysis_part *p = &a->parts[i];

		if (p->engine->lost && !p->missing.code)
			p->engine->lost(p->state, loss->cpu, loss->time);
	}
}

/* Tell the engines of the losses up to a moment. */
static void tell_losses(struct analysis *a, u64 until)
{
	if (a->unsorted)
		qsort(a->waiting + a->told, a->nr_waiting - a->told, sizeof(*a->waiting), by_time);
	a->unsorted = false;
	for (; a->told < a->nr_waiting && a->waiting[a->told].time <= until; a->told++)
		tell_loss(a, &a->waiting[a->told]);
}

/* Feed the listeners of an event. Return: false: it is too short for one of them. */
static inline bool feed(const struct listeners *of, struct engine_input *in)
{
	bool whole = true;

	for (const struct listener *l = of->first; l < of->end; l++) {
		if (unlikely(in->raw_size < l->bound.payload)) {
			whole = false;
			continue;
		}
		in->bound = &l->bound;
		in->event = l->bound.event;
		l->feed(l->state, in);
	}
	return whole;
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct analysis *a = ctx;
	const struct sample_filter *f = &a->r->filter;
	const struct sample *s = ev->sample;
	struct engine_input in;

	if (unlikely(!s || ev->part == PART_RECORD || ev->evsel->idx >= a->nr_bound))
		return 0;
	/* Clocks of a program alone are recorded without CPUs, tracepoints never are. */
	if (s->cpu >= SCHED_MAX_CPUS && (s->raw || s->cpu != UINT32_MAX)) {
		a->losses.no_cpu += on_wants(a, ev->evsel);
		return 0;
	}
	if (unlikely(a->told < a->nr_waiting))
		tell_losses(a, s->time);
	/* Each member is set alone, because zeroing all of them first costs as much as the rest. */
	in.time = s->time;
	in.cpu = s->cpu;
	in.pid = s->pid;
	in.tid = s->tid;
	in.wanted = sample_filter_takes_cpu(f, s->cpu);
	in.in_time = sample_filter_time_takes(f, s->time);
	in.raw = s->raw;
	in.raw_size = s->raw_size;
	in.sample = s;
	in.place = ev->offset;
	if (unlikely(!feed(&a->of[ev->evsel->idx], &in)))
		a->losses.too_short++;
	return 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct analysis *a = ctx;
	struct rec_lost lost;

	if (ev->hdr->type != PERF_RECORD_LOST || rec_lost_decode(ev->hdr, ev->hdr->size, &lost))
		return 0;
	a->losses.lost += lost.lost;
	if (a->hears_losses)
		add_loss(a, (struct loss){ ev->time, ev->id.cpu });
	return 0;
}

/* All records come again. */
static int on_again(void *ctx, struct err *err)
{
	struct analysis *a = ctx;

	a->nr_lives = 0;
	a->losses = (struct analysis_losses){ 0 };
	a->nr_waiting = a->told = 0;
	a->unsorted = false;
	a->nr_bound = 0;
	strbuf_reset(&a->missing);
	task_table_renew(a->tasks);
	for (size_t i = 0; i < a->nr_parts; i++) {
		a->parts[i].state = a->parts[i].renew(a->parts[i].ctx);
		if (!a->parts[i].state)
			return err_set(err, -EIO, OUTPUT_STAYS);
	}
	return 0;
}

/* Tell whether the file may be read once. */
static bool can_begin_again(const struct analysis *a)
{
	for (size_t i = 0; i < a->nr_parts; i++)
		if (!a->parts[i].renew)
			return false;
	return a->nr_parts && !a->r->options->time;
}

static void finish_parts(struct analysis *a)
{
	for (size_t i = 0; i < a->nr_parts; i++) {
		const struct analysis_part *p = &a->parts[i];

		if (p->missing.code)
			continue;
		if (p->engine->finish)
			p->engine->finish(p->state);
		engine_missing(p->engine, &a->r->session.evlist, &a->missing);
	}
}

int analysis_run_parts(struct analysis *a, struct analysis_part *parts, size_t nr, struct err *err)
{
	struct recording_ops ops = {
		.formats = true,
		.events = on_events,
		.ready = on_ready,
		.state = on_state,
		.other = on_other,
		.format = on_record,
		.wants = on_wants,
		.losses = true,
	};
	int ret;

	a->parts = parts;
	a->nr_parts = nr;
	a->hears_losses = false;
	strbuf_reset(&a->missing);
	for (size_t i = 0; i < nr; i++)
		a->hears_losses |= !!parts[i].engine->lost;
	ops.again = can_begin_again(a) ? on_again : NULL;
	ret = recording_prepare(a->r, err) ?: recording_ordered(a->r, &ops, a, pool_workers(), err);
	if (!ret && !a->nr_bound) /* a stream without samples */
		ret = bind(a, err);
	if (!ret) {
		tell_losses(a, UINT64_MAX);
		finish_parts(a);
	}
	a->parts = NULL;
	a->nr_parts = 0;
	return ret;
}

int analysis_run(struct analysis *a, const struct engine *e, void *state, struct err *err)
{
	struct analysis_part part = { .engine = e, .state = state };

	return analysis_run_parts(a, &part, 1, err);
}

struct analysis_losses analysis_losses(const struct analysis *a)
{
	struct analysis_losses l = a->losses;
	const struct session *s = &a->r->session;

	for (size_t i = 0; i < ARRAY_SIZE(s->counts); i++)
		l.events += s->counts[i];
	l.chunks = s->counts[PERF_RECORD_LOST];
	return l;
}

const char *analysis_missing(const struct analysis *a)
{
	return strbuf_str(&a->missing);
}

/* ---- filters ---- */

void analysis_window(const struct analysis *a, u64 *start, u64 *end)
{
	const struct sample_filter *f = &a->r->filter;

	*start = f->nr_spans ? f->spans[0].first : 0;
	*end = f->nr_spans ? f->spans[f->nr_spans - 1].last : UINT64_MAX;
}

bool analysis_wants_task(const struct analysis *a, const struct task_at *task)
{
	const struct sample_filter *f = &a->r->filter;
	struct sample_filter who = *f;

	who.cpus = NULL;
	who.nr_spans = 0;
	return !f->any ||
	       sample_filter_match(&who, task->pid, task->tid, 0, 0, task->comm ? task->comm : "");
}
