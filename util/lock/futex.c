// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "lock/futex.h"

#include "analyze/reach.h"
#include "base/alloc.h"
#include "base/intern.h"

#include <errno.h>
#include <linux/futex.h>

/* The begin and the return of a call have these fields. */
enum { AT_ADDRESS, AT_OP };
enum { AT_RESULT };

static const struct engine_event events[FUTEX_EVENTS] = {
	[FUTEX_ENTER] = { .names = { "syscalls:sys_enter_futex" },
			  .fields = { "uaddr", "op" },
			  .required = true },
	[FUTEX_EXIT] = { .names = { "syscalls:sys_exit_futex" },
			 .fields = { "ret" },
			 .required = true },
};

/* A thread is in a call. */
struct call {
	bool open, wanted;
	u32 row;
	u64 since;
};

/* Somebody has woken up waiters of a futex. */
struct woken {
	u32 task;
	u64 time; /* 0: nobody */
};

/* A task has ended so many ns of waits for a futex. */
struct share {
	u32 row, task;
	u64 ns;
};

struct futex {
	struct futex_conf conf;
	struct intern keys, share_keys;
	struct futex_row *rows; /* owned; by the number of their keys */
	u32 nr_rows;
	size_t cap_rows;
	struct woken *woken; /* owned; by row */
	u32 nr_woken;
	size_t cap_woken;
	struct call *calls; /* owned; by the number of the task */
	u32 nr_calls;
	size_t cap_calls;
	struct share *shares; /* owned; by the number of their keys */
	u32 nr_shares;
	size_t cap_shares;
	u64 lost; /* before this time events were lost last */
	struct lock_missing missing;
};

struct futex *futex_new(const struct futex_conf *conf)
{
	struct futex *f = xzalloc(sizeof(*f));

	f->conf = *conf;
	return f;
}

void futex_free(struct futex *f)
{
	if (!f)
		return;
	intern_release(&f->keys);
	intern_release(&f->share_keys);
	free(f->rows);
	free(f->woken);
	free(f->calls);
	free(f->shares);
	free(f);
}

/* ---- rows ---- */

/* Return the number of the futex at an address of a process. Number 0 stays unused. */
static u32 row_of(struct futex *f, u32 pid, u64 address)
{
	const u64 key[2] = { pid, address };
	u32 at = intern_id(&f->keys, (const char *)key, sizeof(key));

	if (at >= f->nr_rows) {
		VEC_REACH(f->rows, at, f->nr_rows, f->cap_rows);
		f->rows[at] =
			(struct futex_row){ .pid = pid, .address = address, .waker = FUTEX_NOBODY };
	}
	VEC_REACH(f->woken, at, f->nr_woken, f->cap_woken);
	return at;
}

static void add_share(struct futex *f, u32 row, u32 task, u64 ns)
{
	const u32 key[2] = { row, task };
	u32 at = intern_id(&f->share_keys, (const char *)key, sizeof(key));

	VEC_REACH(f->shares, at, f->nr_shares, f->cap_shares);
	f->shares[at].row = row;
	f->shares[at].task = task;
	f->shares[at].ns += ns;
}

/* ---- calls ---- */

static bool waits(u64 op)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
	case 13: /* FUTEX_LOCK_PI2, which older headers lack */
		return true;
	}
	return false;
}

static bool wakes(u64 op)
{
	switch (op & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
	case FUTEX_WAKE_OP:
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_UNLOCK_PI:
		return true;
	}
	return false;
}

static void on_enter(struct futex *f, const struct engine_input *in, const struct task_at *task)
{
	u64 op = (u32)engine_number(in, AT_OP);
	struct call *c = &f->calls[task->id];
	u32 row;

	f->missing.unended += c->open;
	c->open = false;
	if (!waits(op) && !wakes(op))
		return;
	row = row_of(f, in->pid, engine_number(in, AT_ADDRESS));
	if (wakes(op)) {
		f->woken[row] = (struct woken){ task->id, in->time };
		return;
	}
	*c = (struct call){
		.open = true,
		.wanted = in->wanted && in->in_time &&
			  (!f->conf.wanted || f->conf.wanted(f->conf.ctx, task)),
		.row = row,
		.since = in->time,
	};
}

/* A call that returns at once because the number in memory was another one has not waited. */
static void on_exit_call(struct futex *f, const struct engine_input *in, const struct task_at *task)
{
	struct call *c = &f->calls[task->id];
	s64 result = (s64)engine_number(in, AT_RESULT);
	const struct woken *w = &f->woken[c->row];
	struct futex_row *row = &f->rows[c->row];
	u64 ns = in->time > c->since ? in->time - c->since : 0;

	if (!c->open)
		return;
	c->open = false;
	f->missing.torn += c->since < f->lost;
	if (c->since < f->lost || !c->wanted || result == -EAGAIN)
		return;
	if (!row->waits.count)
		row->waiter = task->id;
	row->time = in->time;
	lock_waits_add(&row->waits, &(struct lock_waits){ 1, ns, ns, ns });
	if (f->conf.wait)
		f->conf.wait(f->conf.ctx, in->time - ns, in->time);
	if (!result && w->time >= c->since && w->task != task->id)
		add_share(f, c->row, w->task, ns);
}

/* ---- the engine ---- */

static void feed(void *state, const struct engine_input *in)
{
	struct futex *f = state;
	const struct task_at *task = task_table_at(f->conf.tasks, in->pid, in->tid, in->time);

	VEC_REACH(f->calls, task->id, f->nr_calls, f->cap_calls);
	if (in->event == FUTEX_ENTER)
		on_enter(f, in, task);
	else if (f->nr_rows)
		on_exit_call(f, in, task);
}

static void lost(void *state, u32 cpu, u64 time)
{
	struct futex *f = state;

	f->lost = f->lost > time ? f->lost : time;
}

/* Find out who has ended the most time of waits of each futex. */
static void finish(void *state)
{
	struct futex *f = state;
	u64 *most = xcalloc((size_t)f->nr_rows + 1, sizeof(*most));

	for (u32 i = 0; i < f->nr_shares; i++) {
		const struct share *s = &f->shares[i];

		if (s->ns <= most[s->row])
			continue;
		most[s->row] = s->ns;
		f->rows[s->row].waker = s->task;
	}
	for (u32 i = 0; i < f->nr_calls; i++)
		f->missing.unended += f->calls[i].open;
	free(most);
}

struct engine futex_engine(void)
{
	return (struct engine){
		.name = "lock contention --user",
		.record = "perf lock record --user",
		.events = events,
		.nr_events = FUTEX_EVENTS,
		.feed = feed,
		.lost = lost,
		.finish = finish,
	};
}

const struct futex_row *futex_rows(const struct futex *f, size_t *nr)
{
	*nr = f->nr_rows ? f->nr_rows - 1 : 0;
	return f->nr_rows ? f->rows + 1 : NULL;
}

struct lock_missing futex_missing(const struct futex *f)
{
	struct lock_missing m = f->missing;

	m.rows = f->nr_rows ? f->nr_rows - 1 : 0;
	return m;
}
