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
	u64 last;         /* when it was last asked for, unless a slot tells */
};

/* An answer of the source. */
struct slot {
	struct task_at at;
	u64 last; /* when it was last asked for */
};

struct task_table {
	struct task_source source;
	struct slot slots[SLOTS];
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

/* Note when the task of a slot was last asked for. */
static void note_last(struct task_table *t, const struct slot *slot)
{
	if (slot->last)
		known_of(t, slot->at.id)->last = slot->last;
}

/* Ask the source, and fall back to the name that events tell. Events name a stranger with a pid and
 * without one: it stays who it was at first, however short the time is for which answers hold. */
static struct task_at *__attribute__((noinline))
ask(struct task_table *t, u32 pid, u32 tid, u64 time, struct slot *slot)
{
	struct task_at *at = &slot->at;
	bool stranger = at->stranger && at->tid == tid;
	u32 id = at->id;
	struct known *k;

	note_last(t, slot);
	t->source.at(t->source.ctx, stranger ? at->pid : pid, tid, time, at);
	if (stranger && at->id != id)
		t->source.at(t->source.ctx, pid, tid, time, at);
	k = known_of(t, at->id);
	if (!k->seen || k->pid == TASK_PID_UNKNOWN)
		*k = (struct known){ true, at->pid, at->tid, k->comm, time };
	if (!at->comm)
		at->comm = k->comm;
	at->pid = k->pid;
	slot->last = time;
	return at;
}

struct task_at *task_table_at(struct task_table *t, u32 pid, u32 tid, u64 time)
{
	struct slot *slot = &t->slots[tid % SLOTS];

	if (unlikely(slot->at.tid != tid || time < slot->at.from || time >= slot->at.until))
		return ask(t, pid, tid, time, slot);
	slot->last = time;
	return &slot->at;
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
	const struct slot *slot = &t->slots[k->tid % SLOTS];

	if (slot->at.id == id)
		note_last(t, slot);
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
