// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/syscalls.h"

#include "base/alloc.h"

#define NO_TASK SIZE_MAX

struct task {
	bool used, in_call;
	struct syscall_call call;
};

struct syscalls {
	struct syscalls_conf conf;
	struct task *tasks; /* owned */
	size_t nr, cap;
	struct map64 by_tid; /* places in @tasks; those of threads that have ended are not used */
	size_t *unused;      /* owned; places that are not used */
	size_t nr_unused, cap_unused;
	struct task *recent; /* the one that was looked up last, in @tasks; NULL: none */
	size_t current;      /* the task that has begun a call last; NO_TASK: it has been told of */
};

struct syscalls *syscalls_new(const struct syscalls_conf *conf)
{
	struct syscalls *s = xzalloc(sizeof(*s));

	s->conf = *conf;
	s->current = NO_TASK;
	return s;
}

void syscalls_special(struct syscalls *s, const struct syscall_special *special)
{
	s->conf.special = *special;
}

/* ---- threads ---- */

static size_t task_place(struct syscalls *s)
{
	if (s->nr_unused)
		return s->unused[--s->nr_unused];
	VEC_GROW(s->tasks, s->nr + 1, s->cap);
	s->recent = NULL; /* the tasks may have moved */
	return s->nr++;
}

static bool is_task(const struct task *t, u32 tid)
{
	return t->call.tid == tid && t->used;
}

static struct task *task_look_up(struct syscalls *s, u32 tid)
{
	const size_t at = map64_get(&s->by_tid, tid);

	if (at >= s->nr || !is_task(&s->tasks[at], tid))
		return NULL;
	return s->recent = &s->tasks[at];
}

static inline struct task *task_find(struct syscalls *s, u32 tid)
{
	return likely(s->recent && is_task(s->recent, tid)) ? s->recent : task_look_up(s, tid);
}

static struct task *task_new(struct syscalls *s, u32 pid, u32 tid)
{
	const size_t at = task_place(s);

	map64_set(&s->by_tid, tid, (u32)at);
	s->tasks[at] = (struct task){ .used = true, .call = { .pid = pid, .tid = tid } };
	return &s->tasks[at];
}

static inline struct task *task_of(struct syscalls *s, u32 pid, u32 tid)
{
	return task_find(s, tid) ?: task_new(s, pid, tid);
}

/* The call of a task is over, as far as we can see. */
static void leave(struct syscalls *s, struct task *t)
{
	if (t->call.kept && s->conf.forget)
		s->conf.forget(s->conf.ctx, t->call.kept);
	t->call.kept = NULL;
	t->in_call = false;
	if (s->current == (size_t)(t - s->tasks))
		s->current = NO_TASK;
}

static void task_drop(struct syscalls *s, struct task *t)
{
	leave(s, t);
	t->used = false;
	VEC_GROW(s->unused, s->nr_unused + 1, s->cap_unused);
	s->unused[s->nr_unused++] = (size_t)(t - s->tasks);
}

void syscalls_free(struct syscalls *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++)
		leave(s, &s->tasks[i]);
	free(s->tasks);
	free(s->unused);
	map64_release(&s->by_tid);
	free(s);
}

/* ---- calls ---- */

static bool is_one_of(const s64 numbers[4], s64 nr)
{
	return nr >= 0 &&
	       (nr == numbers[0] || nr == numbers[1] || nr == numbers[2] || nr == numbers[3]);
}

static bool tell(struct syscalls *s, struct task *t, enum syscall_state state)
{
	t->call.state = state;
	return s->conf.call(s->conf.ctx, &t->call);
}

static void tell_goes_on(struct syscalls *s, struct task *t)
{
	if (!t->call.resumed)
		t->call.resumed = tell(s, t, SYSCALL_GOES_ON);
}

void syscalls_between(struct syscalls *s)
{
	if (s->current != NO_TASK)
		tell_goes_on(s, &s->tasks[s->current]);
	s->current = NO_TASK;
}

/* Set all but the arguments of a call. */
static void begin(struct syscall_call *c, u32 pid, u32 tid, s64 nr)
{
	c->pid = pid;
	c->tid = tid;
	c->nr = nr;
	c->begun = c->resumed = false;
	c->start = c->end = 0;
	c->ret = 0;
	c->kept = NULL;
}

void syscalls_enter(struct syscalls *s, u32 pid, u32 tid, u64 time, const struct syscall_numbers *n)
{
	struct task *t;

	if (n->nr < 0) /* a tracer or a filter has made it no call at all */
		return;
	t = task_of(s, pid, tid);
	/* Of some calls no return is told: rt_sigreturn, or one whose event was lost. */
	if (t->in_call) {
		tell_goes_on(s, t);
		leave(s, t);
	}
	if (s->current != NO_TASK)
		syscalls_between(s);
	begin(&t->call, pid, tid, n->nr);
	t->call.begun = true;
	t->call.start = t->call.end = time;
	memcpy(t->call.args, n->args, sizeof(t->call.args));
	t->call.lacking = n->lacking;
	if (is_one_of(s->conf.special.exits, n->nr)) {
		tell(s, t, SYSCALL_LAST);
		return;
	}
	t->in_call = true;
	s->current = (size_t)(t - s->tasks);
	if (s->conf.entered)
		t->call.kept = s->conf.entered(s->conf.ctx, &t->call);
}

/*
 * A thread that calls exec and is not the first of its process gets the number of the first one
 * before it returns: its call has begun under another number.
 */
static struct task *exec_of_other(struct syscalls *s, u32 pid, s64 nr)
{
	for (size_t i = 0; i < s->nr; i++) {
		struct task *t = &s->tasks[i];

		if (t->used && t->in_call && t->call.pid == pid && t->call.nr == nr)
			return t;
	}
	return NULL;
}

static struct task *task_returning(struct syscalls *s, u32 pid, u32 tid, s64 nr)
{
	struct task *t = task_of(s, pid, tid), *caller;
	struct syscall_call call;

	if (likely(t->in_call && t->call.nr == nr) || pid != tid ||
	    !is_one_of(s->conf.special.execs, nr))
		return t;
	caller = exec_of_other(s, pid, nr);
	if (!caller)
		return t;
	call = caller->call;
	caller->call.kept = NULL;
	task_drop(s, caller);
	leave(s, t);
	t->call = call;
	t->call.tid = tid;
	t->in_call = true;
	return t;
}

void syscalls_exit(struct syscalls *s, u32 pid, u32 tid, u64 time, const struct syscall_numbers *n)
{
	struct task *t = task_returning(s, pid, tid, n->nr);

	/* A call of another number has begun, so its return or the begin of this one was lost. No
	 * number is told where signals return: the one that has begun is meant. */
	if (t->in_call && t->call.nr != n->nr && n->nr >= 0) {
		tell_goes_on(s, t);
		leave(s, t);
	}
	if (!t->in_call && n->nr < 0)
		return;
	if (!t->in_call) {
		begin(&t->call, pid, tid, n->nr);
		memset(t->call.args, 0, sizeof(t->call.args));
	}
	t->call.end = time;
	t->call.ret = n->ret;
	tell(s, t, SYSCALL_DONE);
	leave(s, t);
}

bool syscalls_is_in(struct syscalls *s, u32 tid, s64 nr)
{
	const struct task *t = task_find(s, tid);

	return t && t->in_call && t->call.nr == nr;
}

void syscalls_task_end(struct syscalls *s, u32 tid)
{
	struct task *t = task_find(s, tid);

	if (!t)
		return;
	if (t->in_call)
		tell_goes_on(s, t);
	task_drop(s, t);
}

void syscalls_each_open(struct syscalls *s, void (*fn)(void *ctx, struct syscall_call *call),
			void *ctx)
{
	for (size_t i = 0; i < s->nr; i++)
		if (s->tasks[i].used && s->tasks[i].in_call)
			fn(ctx, &s->tasks[i].call);
}

struct syscall_call *syscalls_open_call(struct syscalls *s, u32 tid)
{
	struct task *t = task_find(s, tid);

	return t && t->in_call ? &t->call : NULL;
}

size_t syscalls_open(const struct syscalls *s)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++)
		nr += s->tasks[i].used && s->tasks[i].in_call;
	return nr;
}
