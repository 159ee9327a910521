// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analysis/analysis.h"

#include "analyze/sched-events.h"

#include "base/alloc.h"
#include "wire/records.h"

#include <errno.h>

/* Events of a CPU were lost before a moment. */
struct loss {
	u64 time;
	u32 cpu;
};

struct analysis {
	struct recording *r; /* borrowed */
	struct task_table *tasks;
	struct task_life *lives; /* owned; by number of the thread in the machine */
	u32 nr_lives;
	size_t cap_lives;
	const struct engine *engine;
	void *state;                  /* of the engine; borrowed */
	struct engine_binding *bound; /* owned; by number of the event */
	size_t nr_bound;
	struct analysis_losses losses;
	/* Records that are no samples may come ahead of samples that are earlier: losses wait here
	 * until the engine has had the samples before them. */
	struct loss *waiting; /* owned */
	size_t nr_waiting, cap_waiting;
	size_t told;   /* the first ones that the engine knows of */
	bool unsorted; /* those behind them do not ascend */
};

/* ---- tasks ---- */

static void task_at_time(void *ctx, u32 pid, u32 tid, u64 time, struct task_at *out)
{
	const struct analysis *a = ctx;
	struct thread_at at;
	const char *comm;

	machine_thread_at(a->r->machine, pid, tid, time, &at);
	comm = machine_comm(a->r->machine, at.comm);
	*out = (struct task_at){
		.id = at.thread,
		.pid = at.pid,
		.tid = tid,
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
	return id < a->nr_lives ? a->lives[id] : (struct task_life){ .parent = UINT32_MAX };
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
	free(a->bound);
	free(a->waiting);
	free(a);
}

/* ---- events ---- */

static int bind(struct analysis *a, struct err *err)
{
	const struct evlist *l = &a->r->session.evlist;

	free(a->bound);
	a->bound = xcalloc(l->nr + 1, sizeof(*a->bound));
	a->nr_bound = l->nr;
	return engine_bind(a->engine, a->state, l, a->r->formats.tracefmt, a->r->session.file->swap,
			   a->bound, err);
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

	return recording_settle_time(a->r, err) ?: bind(a, err);
}

static bool on_wants(void *ctx, const struct evsel *e)
{
	const struct analysis *a = ctx;

	return e->idx < a->nr_bound && a->bound[e->idx].used;
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

/* Tell the engine of the losses up to a moment. */
static void tell_losses(struct analysis *a, u64 until)
{
	if (a->unsorted)
		qsort(a->waiting + a->told, a->nr_waiting - a->told, sizeof(*a->waiting), by_time);
	a->unsorted = false;
	for (; a->told < a->nr_waiting && a->waiting[a->told].time <= until; a->told++)
		a->engine->lost(a->state, a->waiting[a->told].cpu, a->waiting[a->told].time);
}

static int on_record(void *ctx, int worker, const struct session_event *ev, struct strbuf *out,
		     struct err *err)
{
	struct analysis *a = ctx;
	const struct sample_filter *f = &a->r->filter;
	const struct sample *s = ev->sample;
	const struct engine_binding *b;

	if (!s || ev->part == PART_RECORD || !on_wants(a, ev->evsel))
		return 0;
	b = &a->bound[ev->evsel->idx];
	if (s->raw_size < b->payload || !s->raw) {
		a->losses.too_short++;
		return 0;
	}
	if (s->cpu >= SCHED_MAX_CPUS) {
		a->losses.no_cpu++;
		return 0;
	}
	tell_losses(a, s->time);
	a->engine->feed(a->state, &(struct engine_input){
					  .time = s->time,
					  .cpu = s->cpu,
					  .pid = s->pid,
					  .tid = s->tid,
					  .event = b->event,
					  .wanted = sample_filter_takes_cpu(f, s->cpu),
					  .in_time = sample_filter_time_takes(f, s->time),
					  .bound = b,
					  .raw = s->raw,
					  .raw_size = s->raw_size,
					  .sample = s,
				  });
	return 0;
}

static int on_other(void *ctx, const struct session_event *ev, struct err *err)
{
	struct analysis *a = ctx;
	struct rec_lost lost;

	if (ev->hdr->type != PERF_RECORD_LOST || rec_lost_decode(ev->hdr, ev->hdr->size, &lost))
		return 0;
	a->losses.lost += lost.lost;
	if (a->engine->lost)
		add_loss(a, (struct loss){ ev->time, ev->id.cpu });
	return 0;
}

int analysis_run(struct analysis *a, const struct engine *e, void *state, struct err *err)
{
	static const struct recording_ops ops = {
		.formats = true,
		.events = on_events,
		.ready = on_ready,
		.state = on_state,
		.other = on_other,
		.format = on_record,
		.wants = on_wants,
	};
	int ret;

	a->engine = e;
	a->state = state;
	ret = recording_prepare(a->r, err) ?: recording_ordered(a->r, &ops, a, 1, err);
	if (!ret && !a->nr_bound) /* a stream without samples */
		ret = bind(a, err);
	if (!ret)
		tell_losses(a, UINT64_MAX);
	if (!ret && e->finish)
		e->finish(state);
	return ret;
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
