// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "triage/states.h"

#include "analyze/reach.h"
#include "base/alloc.h"

enum { FUTEX_OP, FUTEX_VALUE };
enum { LOCK_FLAGS };

enum doing { UNKNOWN, RUNNING, QUEUED, WAITING, GONE };

/* A thread does this now. */
struct now {
	enum doing doing;
	u64 since;
	u32 chain;
	char state;
	u8 futex;
	u32 waker;
	u64 lock_since; /* when it began to wait for a lock; 0: it does not */
};

/* A thread and its way to wait or to run. */
struct key {
	u32 thread, chain;
	u32 how; /* letter of the state, and the futex above it */
};

struct triage_states {
	struct task_table *tasks; /* borrowed */
	struct engine_event events[TRIAGE_EVENTS];
	struct sched_states letters;
	u32 bound;
	struct intern chains, wait_keys, spot_keys;
	struct triage_thread *threads; /* owned, as all arrays here; by number of the task */
	u32 nr_threads;
	size_t cap_threads;
	struct now *nows;
	u32 nr_nows;
	size_t cap_nows;
	struct triage_wait *waits; /* by number of the key; number 0 is none */
	u32 nr_waits;
	size_t cap_waits;
	struct triage_spot *spots; /* by number of the key */
	u32 nr_spots;
	size_t cap_spots;
	u64 first, last; /* times of events */
	u64 lost;        /* before this time events were lost last */
	u64 torn;
};

/* ---- events ---- */

static bool is_clock(const struct perf_event_attr *a)
{
	if (a->type == PERF_TYPE_HARDWARE)
		return (u32)a->config == PERF_COUNT_HW_CPU_CYCLES;
	return a->type == PERF_TYPE_SOFTWARE &&
	       (a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);
}

static bool is_fault(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_PAGE_FAULTS;
}

static void set_events(struct engine_event *events)
{
	static const struct engine_event others[TRIAGE_EVENTS] = {
		[TRIAGE_SAMPLE] = { .names = { "cycles or cpu-clock" }, .fits = is_clock },
		[TRIAGE_FAULTS] = { .names = { "page-faults" }, .fits = is_fault },
		[TRIAGE_CALLS] = { .names = { "raw_syscalls:sys_enter" }, .fields = { "id" } },
		[TRIAGE_FUTEX_CALL] = { .names = { "syscalls:sys_enter_futex" },
					.fields = { "op", "val" } },
		[TRIAGE_LOCK_BEGIN] = { .names = { "lock:contention_begin" },
					.fields = { "flags" } },
		[TRIAGE_LOCK_END] = { .names = { "lock:contention_end" } },
	};

	memcpy(events, others, sizeof(others));
	events[TRIAGE_SWITCH] = sched_events[SCHED_SWITCH];
	events[TRIAGE_SWITCH].required = false;
	events[TRIAGE_WAKING] = sched_events[SCHED_WAKEUP];
	events[TRIAGE_WAKEUP_NEW] = sched_events[SCHED_WAKEUP_NEW];
}

struct triage_states *triage_states_new(struct task_table *tasks)
{
	struct triage_states *s = xzalloc(sizeof(*s));

	s->tasks = tasks;
	set_events(s->events);
	return s;
}

void triage_states_free(struct triage_states *s)
{
	if (!s)
		return;
	intern_release(&s->chains);
	intern_release(&s->wait_keys);
	intern_release(&s->spot_keys);
	free(s->threads);
	free(s->nows);
	free(s->waits);
	free(s->spots);
	free(s);
}

/* ---- threads ---- */

/* Return the number of a thread at this time. */
static u32 thread_of(struct triage_states *s, const struct task_at *task, u64 time)
{
	u32 id = task->id;
	struct triage_thread *t;

	VEC_REACH(s->threads, id, s->nr_threads, s->cap_threads);
	VEC_REACH(s->nows, id, s->nr_nows, s->cap_nows);
	t = &s->threads[id];
	if (!t->seen)
		*t = (struct triage_thread){ .seen = true,
					     .pid = task->pid,
					     .tid = task->tid,
					     .first = time,
					     .rival = TRIAGE_NOBODY };
	if (t->pid == TASK_PID_UNKNOWN)
		t->pid = task->pid;
	t->last = MAX(t->last, time);
	return id;
}

static u32 current_of(struct triage_states *s, const struct engine_input *in)
{
	return thread_of(s, task_table_at(s->tasks, in->pid, in->tid, in->time), in->time);
}

/* Return how long the thread has done what it does. Before its first event it has done that since
 * the recording began. */
static u64 span(struct triage_states *s, u32 thread, u64 time)
{
	struct now *n = &s->nows[thread];
	u64 since = n->doing == UNKNOWN ? s->first : n->since;

	if (n->doing == UNKNOWN)
		s->threads[thread].first = MIN(s->threads[thread].first, s->first);
	s->torn += n->doing != UNKNOWN && since < s->lost;
	n->since = time;
	return time > since ? time - since : 0;
}

static void add_wait(struct triage_states *s, u32 thread, u64 ns)
{
	const struct now *n = &s->nows[thread];
	const struct key key = { thread, n->chain, (u32)n->state | (u32)n->futex << 8 };
	u32 at = intern_id(&s->wait_keys, (const char *)&key, sizeof(key));
	struct triage_wait *w;

	VEC_REACH(s->waits, at, s->nr_waits, s->cap_waits);
	w = &s->waits[at];
	if (!w->sum.nr || ns > w->sum.max)
		w->waker = n->waker;
	w->thread = thread;
	w->chain = n->chain;
	w->state = n->state;
	w->futex = n->futex;
	triage_sum_add(&w->sum, ns);
}

/* The span that ends now is over: count it as what it was. */
static void end_span(struct triage_states *s, u32 thread, u64 time, enum doing unknown)
{
	struct now *n = &s->nows[thread];
	struct triage_thread *t = &s->threads[thread];
	enum doing doing = n->doing == UNKNOWN ? unknown : n->doing;
	u64 ns = span(s, thread, time);

	if (doing == RUNNING)
		t->run += ns;
	else if (doing == QUEUED)
		triage_sum_add(&t->queue, ns);
	else if (doing == WAITING)
		add_wait(s, thread, ns);
}

/* ---- the scheduler ---- */

static void on_leave(struct triage_states *s, const struct engine_input *in)
{
	const struct task_at *task = sched_prev(s->tasks, in);
	u64 state = engine_number(in, SWITCH_PREV_STATE);
	struct now *n;
	u32 id;

	if (!task->tid)
		return;
	id = thread_of(s, task, in->time);
	end_span(s, id, in->time, RUNNING);
	n = &s->nows[id];
	n->state = sched_state_letter(&s->letters, state);
	n->chain = sched_chain(&s->chains, in);
	n->waker = TRIAGE_NOBODY;
	n->doing = n->state == 'R' ? QUEUED : n->state == 'X' || n->state == 'Z' ? GONE : WAITING;
}

static void on_come(struct triage_states *s, const struct engine_input *in)
{
	u32 before = (u32)engine_number(in, SWITCH_PREV_PID), id, rival = TRIAGE_NOBODY;
	const struct task_at *task;
	u64 longest;

	if (before)
		rival = sched_prev(s->tasks, in)->id;
	task = sched_next(s->tasks, in);
	if (!task->tid)
		return;
	id = thread_of(s, task, in->time);
	longest = s->threads[id].queue.max;
	end_span(s, id, in->time, WAITING);
	if (s->threads[id].queue.max > longest)
		s->threads[id].rival = rival;
	s->nows[id].doing = RUNNING;
}

static void on_waking(struct triage_states *s, const struct engine_input *in, bool born)
{
	bool interrupt = engine_number(in, TASK_FLAGS) & TASK_FLAGS_INTERRUPT;
	u32 by = in->tid && !interrupt ? current_of(s, in) : TRIAGE_NOBODY;
	const struct task_at *task = sched_subject(s->tasks, in);
	struct now *n;
	u32 id;

	if (!task->tid)
		return;
	id = thread_of(s, task, in->time);
	n = &s->nows[id];
	if (n->doing != UNKNOWN && n->doing != WAITING) /* it has not slept yet */
		return;
	n->waker = by;
	if (born)
		n->since = in->time;
	else
		end_span(s, id, in->time, WAITING);
	n = &s->nows[id];
	n->doing = QUEUED;
}

/* ---- the rest ---- */

static u32 chain_of(struct triage_states *s, const struct engine_input *in)
{
	const struct sample *sample = in->sample;
	u64 alone[2];

	if (sample->nr_callchain)
		return sched_chain(&s->chains, in);
	alone[0] = sample->cpumode == PERF_RECORD_MISC_USER ? PERF_CONTEXT_USER
							    : PERF_CONTEXT_KERNEL;
	alone[1] = sample->ip;
	return intern_id(&s->chains, (const char *)alone, sizeof(alone));
}

static void on_sample(struct triage_states *s, const struct engine_input *in)
{
	struct key key;
	struct triage_spot *p;
	u64 weight = in->sample->period ?: 1;
	u32 at;

	if (!in->tid || in->tid == UINT32_MAX) /* the CPU is idle, or the thread is no more */
		return;
	key = (struct key){ current_of(s, in), chain_of(s, in), 0 };
	at = intern_id(&s->spot_keys, (const char *)&key, sizeof(key));
	VEC_REACH(s->spots, at, s->nr_spots, s->cap_spots);
	p = &s->spots[at];
	p->thread = key.thread;
	p->chain = key.chain;
	p->samples++;
	p->weight += weight;
	s->threads[key.thread].samples++;
	s->threads[key.thread].weight += weight;
}

static void on_lock(struct triage_states *s, const struct engine_input *in, bool begins)
{
	struct now *n;
	u32 id;

	if (!in->tid)
		return;
	id = current_of(s, in);
	n = &s->nows[id];
	if (begins) { /* a mutex begins twice, the second time asleep */
		if (!n->lock_since)
			n->lock_since = in->time;
		return;
	}
	if (n->lock_since && n->lock_since >= s->lost && in->time > n->lock_since)
		triage_sum_add(&s->threads[id].locks, in->time - n->lock_since);
	n->lock_since = 0;
}

static void on_call(struct triage_states *s, const struct engine_input *in)
{
	u32 id = current_of(s, in);

	s->threads[id].calls += in->sample->period ?: 1;
}

static void on_fault(struct triage_states *s, const struct engine_input *in)
{
	u32 id = current_of(s, in);

	s->threads[id].faults += in->sample->period ?: 1;
}

static void on_futex(struct triage_states *s, const struct engine_input *in)
{
	u32 id = current_of(s, in);

	s->nows[id].futex =
		(u8)triage_futex_of(engine_number(in, FUTEX_OP), engine_number(in, FUTEX_VALUE));
}

static void feed(void *state, const struct engine_input *in)
{
	struct triage_states *s = state;

	if (!s->first)
		s->first = in->time;
	s->last = MAX(s->last, in->time);
	switch (in->event) {
	case TRIAGE_SWITCH:
		on_leave(s, in);
		on_come(s, in);
		break;
	case TRIAGE_WAKING:
	case TRIAGE_WAKEUP_NEW:
		on_waking(s, in, in->event == TRIAGE_WAKEUP_NEW);
		break;
	case TRIAGE_SAMPLE:
		on_sample(s, in);
		break;
	case TRIAGE_FAULTS:
		on_fault(s, in);
		break;
	case TRIAGE_CALLS:
		on_call(s, in);
		break;
	case TRIAGE_FUTEX_CALL:
		on_futex(s, in);
		break;
	case TRIAGE_LOCK_BEGIN:
	case TRIAGE_LOCK_END:
		on_lock(s, in, in->event == TRIAGE_LOCK_BEGIN);
		break;
	}
}

static void bound(void *state, u32 event, const struct tf_event *format)
{
	struct triage_states *s = state;

	s->bound |= 1U << event;
	if (event == TRIAGE_SWITCH)
		sched_states_init(&s->letters, format);
}

static void lost(void *state, u32 cpu, u64 time)
{
	struct triage_states *s = state;

	s->lost = MAX(s->lost, time);
}

/* What goes on at the end has lasted until then. A thread that has samples and was never switched
 * had its CPU all the time. */
static void finish(void *state)
{
	struct triage_states *s = state;

	for (u32 id = 0; id < s->nr_threads; id++) {
		enum doing doing = s->nows[id].doing;
		bool ran = s->bound >> TRIAGE_SWITCH & 1 && s->threads[id].samples;

		if (!s->threads[id].seen || doing == GONE || (doing == UNKNOWN && !ran))
			continue;
		s->threads[id].last = s->last;
		end_span(s, id, s->last, RUNNING);
	}
}

struct engine triage_states_engine(struct triage_states *s)
{
	return (struct engine){
		.name = "triage",
		.record = "perf triage -o FILE",
		.events = s->events,
		.nr_events = TRIAGE_EVENTS,
		.any = true,
		.bound = bound,
		.feed = feed,
		.lost = lost,
		.finish = finish,
	};
}

void triage_states_interrupt(struct triage_states *s, u32 pid, u32 tid, u64 time, u64 ns)
{
	u32 id;

	if (!tid)
		return;
	id = thread_of(s, task_table_at(s->tasks, pid, tid, time), time);
	triage_sum_add(&s->threads[id].irqs, ns);
}

/* ---- results ---- */

const struct triage_thread *triage_threads(const struct triage_states *s, u32 *nr)
{
	*nr = s->nr_threads;
	return s->threads;
}

const struct triage_wait *triage_waits(const struct triage_states *s, u32 *nr)
{
	*nr = s->nr_waits ? s->nr_waits - 1 : 0;
	return s->nr_waits ? s->waits + 1 : NULL;
}

const struct triage_spot *triage_spots(const struct triage_states *s, u32 *nr)
{
	*nr = s->nr_spots ? s->nr_spots - 1 : 0;
	return s->nr_spots ? s->spots + 1 : NULL;
}

const u64_una *triage_chain(const struct triage_states *s, u32 chain, u64 *nr)
{
	return sched_chain_ips(&s->chains, chain, nr);
}

void triage_span(const struct triage_states *s, u64 *first, u64 *last)
{
	*first = s->first;
	*last = s->last;
}

u64 triage_torn(const struct triage_states *s)
{
	return s->torn;
}

u32 triage_bound(const struct triage_states *s)
{
	return s->bound;
}
