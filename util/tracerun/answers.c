// SPDX-License-Identifier: GPL-2.0-or-later
/* This is known of the thread whose call is shown: names of tasks, paths of descriptors, memory. */
#include "base/compat.h"
#include "tracerun/tracerun-internal.h"

/* ---- answers ---- */

static const char *task_name(void *ctx, s32 tid)
{
	const struct trace_run *t = ctx;
	struct thread_at at;
	const char *comm;

	recording_thread_at(t->r, UINT32_MAX, (u32)tid, t->now->sample->time, &at);
	comm = machine_comm(t->r->machine, at.comm);
	return tid < 0 || comm[0] == ':' ? NULL : comm;
}

static const char *fd_path(void *ctx, int fd)
{
	struct trace_run *t = ctx;

	return t->call ? trace_paths_get(&t->paths, t->call->pid, fd) : NULL;
}

static size_t memory(void *ctx, u64 addr, void *buf, size_t size, bool out)
{
	const struct trace_run *t = ctx;

	return t->call ? trace_memory_copy(t->call->kept, addr, buf, size, out) : 0;
}

const struct sysargs_ops trace_answers = {
	.task_name = task_name,
	.fd_path = fd_path,
	.memory = memory,
};

/* ---- descriptors ---- */

/* Return: what a call without errors is, or NULL. */
static const struct syscall_desc *desc_of(const struct trace_run *t, const struct syscall_call *c)
{
	if (!t->asked->lines || c->state != SYSCALL_DONE || c->ret < 0 || c->nr < 0 ||
	    c->nr > UINT32_MAX)
		return NULL;
	return sysargs_call(t->sa, (u32)c->nr);
}

/* A descriptor that is new has the path that the call was given, if that was read, or the path of
 * the one that it is a copy of. */
void trace_path_made(struct trace_run *t, const struct syscall_call *c)
{
	const struct syscall_desc *d = desc_of(t, c);
	struct syscall_made made;
	const struct trace_memory *m = c->kept;
	const char *path = NULL;

	if (!d || !sysargs_may_return_fd(d))
		return;
	made = trace_call_made(t->sa, c);
	if (!sysargs_returns_fd(&made))
		return;
	trace_paths_forget(&t->paths, c->pid, (s32)c->ret);
	if (m && m->nr && !m->v[0].out && m->v[0].bytes[0] == '/' &&
	    memchr(m->v[0].bytes, 0, m->v[0].size))
		path = (const char *)m->v[0].bytes;
	else if (!strncmp(d->name, "dup", 3))
		path = trace_paths_get(&t->paths, c->pid, (s32)c->args[0]);
	if (path)
		trace_paths_set(&t->paths, c->pid, (s32)c->ret, path);
}

void trace_path_closed(struct trace_run *t, const struct syscall_call *c)
{
	if ((c->nr == t->closes[0] || c->nr == t->closes[1]) && c->begun && desc_of(t, c))
		trace_paths_forget(&t->paths, c->pid, (s32)c->args[0]);
}
