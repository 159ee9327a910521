// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/task-table.h"

#include "analyze/reach.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "base/intern.h"

#define SLOTS 4096 /* tids follow one another, so neighbours use different slots */

/* This is known of a task, beyond what the source says. */
struct known {
	bool seen;
	u32 pid, tid;
	const char *comm; /* as an event told it; NULL: the source has one, or none is known */
	u64 last;         /* when it was last asked for */
};

struct task_table {
	struct task_source source;
	struct task_at slots[SLOTS];
	struct known *known; /* owned; by id */
	u32 nr_known;
	size_t cap_known;
	struct intern names; /* of events */
	struct task_at last;
};

struct task_table *task_table_new(const struct task_source *source)
{
	struct task_table *t = xzalloc(sizeof(*t));

	t->source = *source;
	return t;
}

void task_table_free(struct task_table *t)
{
	if (!t)
		return;
	intern_release(&t->names);
	free(t->known);
	free(t);
}

void task_table_renew(struct task_table *t)
{
	struct task_source source = t->source;

	intern_release(&t->names);
	free(t->known);
	*t = (struct task_table){ .source = source };
}

static struct known *known_of(struct task_table *t, u32 id)
{
	VEC_REACH(t->known, id, t->nr_known, t->cap_known);
	return &t->known[id];
}

/* Ask the source, and fall back to the name that events tell. Events name a stranger with a pid and
 * without one: it stays who it was at first, however short the time is for which answers hold. */
static void ask(struct task_table *t, u32 pid, u32 tid, u64 time, struct task_at *at)
{
	bool stranger = at->stranger && at->tid == tid;
	u32 id = at->id;
	struct known *k;

	t->source.at(t->source.ctx, stranger ? at->pid : pid, tid, time, at);
	if (stranger && at->id != id)
		t->source.at(t->source.ctx, pid, tid, time, at);
	k = known_of(t, at->id);
	if (!k->seen || k->pid == TASK_PID_UNKNOWN)
		*k = (struct known){ true, at->pid, at->tid, k->comm, time };
	if (!at->comm)
		at->comm = k->comm;
	at->pid = k->pid;
}

struct task_at *task_table_at(struct task_table *t, u32 pid, u32 tid, u64 time)
{
	struct task_at *at = &t->slots[tid % SLOTS];

	if (unlikely(at->tid != tid || time < at->from || time >= at->until))
		ask(t, pid, tid, time, at);
	t->known[at->id].last = time;
	return at;
}

void task_table_name(struct task_table *t, struct task_at *task, const char *comm, size_t len)
{
	if (!len)
		return;
	task->comm = intern_str(&t->names, intern_id(&t->names, comm, len));
	t->known[task->id].comm = task->comm;
}

const struct task_at *task_table_last(struct task_table *t, u32 id)
{
	const struct known *k = &t->known[id];

	t->source.at(t->source.ctx, k->pid, k->tid, UINT64_MAX - 1, &t->last);
	/* The tid may have been used again. */
	if (t->last.id != id)
		t->source.at(t->source.ctx, k->pid, k->tid, k->last, &t->last);
	t->last.id = id;
	t->last.pid = k->pid;
	t->last.tid = k->tid;
	if (!t->last.comm)
		t->last.comm = k->comm;
	return &t->last;
}

u32 task_table_nr(const struct task_table *t)
{
	return t->nr_known;
}
