// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/io-calls.h"

#include "analyze/lane.h"
#include "analyze/reach.h"
#include "base/alloc.h"

#include <errno.h>

/* The system calls. Each has two events, its entry and then its exit, with fields that may be
 * missing: not all calls name a file, and formats of old kernels lack some. */
#define IO_CALLS(X)                                                                                \
	X(read, "fd", IO_READ)                                                                     \
	X(pread64, "fd", IO_READ)                                                                  \
	X(readv, "fd", IO_READ)                                                                    \
	X(preadv, "fd", IO_READ)                                                                   \
	X(write, "fd", IO_WRITE)                                                                   \
	X(pwrite64, "fd", IO_WRITE)                                                                \
	X(writev, "fd", IO_WRITE)                                                                  \
	X(pwritev, "fd", IO_WRITE)                                                                 \
	X(sync, "fd", IO_SYNC)                                                                     \
	X(sync_file_range, "fd", IO_SYNC)                                                          \
	X(fsync, "fd", IO_SYNC)                                                                    \
	X(fdatasync, "fd", IO_SYNC)                                                                \
	X(msync, "fd", IO_SYNC)                                                                    \
	X(recvfrom, "fd", IO_RECEIVE)                                                              \
	X(recvmmsg, "fd", IO_RECEIVE)                                                              \
	X(recvmsg, "fd", IO_RECEIVE)                                                               \
	X(sendto, "fd", IO_SEND)                                                                   \
	X(sendmsg, "fd", IO_SEND)                                                                  \
	X(sendmmsg, "fd", IO_SEND)                                                                 \
	X(epoll_pwait, "epfd", IO_POLL)                                                            \
	X(epoll_wait, "epfd", IO_POLL)                                                             \
	X(poll, "fd", IO_POLL)                                                                     \
	X(ppoll, "fd", IO_POLL)                                                                    \
	X(pselect6, "fd", IO_POLL)                                                                 \
	X(select, "fd", IO_POLL)

#define CALL_EVENTS(name, file, kind)                                                              \
	{ .names = { "syscalls:sys_enter_" #name }, .fields = { file }, .optional = 1 },           \
		{ .names = { "syscalls:sys_exit_" #name }, .fields = { "ret" } },

static const struct engine_event events[] = { IO_CALLS(CALL_EVENTS) };

#define CALL_INFO(name, file, kind) { #name, kind },

static const struct {
	const char *name;
	enum io_kind kind;
} calls[] = { IO_CALLS(CALL_INFO) };

struct io_engine {
	struct io_calls_conf conf;
	struct io_calls result;
	size_t cap_tasks;
	u32 *number_of; /* owned; by id of the task: its number + 1; 0: none so far */
	u32 nr_number_of;
	size_t cap_number_of;
	u64 from, until; /* the time that is looked at */
	bool started;
	u64 bytes, most_bytes; /* of the calls; when they are added up next */
};

const char *io_call_name(u32 nr)
{
	return nr < ARRAY_SIZE(calls) ? calls[nr].name : NULL;
}

const char *io_kind_name(enum io_kind kind)
{
	static const char *const names[IO_KINDS] = { "read",    "write", "sync",
						     "receive", "send",  "poll" };

	return names[kind];
}

struct io_engine *io_engine_new(const struct io_calls_conf *conf)
{
	struct io_engine *e = xzalloc(sizeof(*e));

	e->conf = *conf;
	e->most_bytes = conf->most_bytes ? conf->most_bytes : IO_CALLS_BYTES;
	e->until = UINT64_MAX;
	return e;
}

void io_engine_free(struct io_engine *e)
{
	if (!e)
		return;
	for (u32 i = 0; i < e->result.nr_tasks; i++)
		free(e->result.tasks[i].calls);
	free(e->result.tasks);
	free(e->number_of);
	free(e);
}

const struct io_calls *io_engine_result(const struct io_engine *e)
{
	return &e->result;
}

u64 io_calls_bytes(const struct io_calls *r)
{
	u64 sum = 0;

	for (u32 i = 0; i < r->nr_tasks; i++)
		sum += r->tasks[i].cap * sizeof(*r->tasks[i].calls);
	return sum;
}

/* ---- too many calls ---- */

/* Calls of a task that later ones may be added to: the last one of each kind, of those that have
 * failed and of the others. */
struct last_calls {
	struct io_call *of[IO_KINDS][2];
};

static bool add_call(struct io_call *to, const struct io_call *call, u64 grain)
{
	if (!to || call->start - to->start >= grain ||
	    (u64)to->more + call->more + 1 > IO_MOST_MORE)
		return false;
	to->end = MAX(to->end, call->end);
	if (to->file != call->file)
		to->file = IO_NO_FILE;
	if (call->result < 0 || !io_moves_bytes(call->kind))
		to->result = call->result;
	else if (call->result > INT64_MAX - to->result)
		to->result = INT64_MAX;
	else
		to->result += call->result;
	to->more += call->more + 1;
	return true;
}

/* Add up the calls of a task that begin within a time, and give back the memory. The one that has
 * not returned stays the last one. */
static void add_up(struct io_engine *e, struct io_task *t)
{
	struct last_calls last = { 0 };
	u32 nr = 0;

	for (u32 i = 0; i < t->nr; i++) {
		const struct io_call *call = &t->calls[i];
		struct io_call **to = &last.of[call->kind][call->result < 0];
		bool open = t->open && i + 1 == t->nr;

		if (!open && add_call(*to, call, e->result.grain)) {
			e->result.left_out++;
			continue;
		}
		t->calls[nr] = *call;
		*to = &t->calls[nr++];
	}
	t->nr = nr;
	t->cap = MAX(nr, 1U);
	t->calls = xrealloc(t->calls, t->cap, sizeof(*t->calls));
}

static void add_up_all(struct io_engine *e)
{
	for (u32 i = 0; i < e->result.nr_tasks; i++)
		add_up(e, &e->result.tasks[i]);
	e->bytes = io_calls_bytes(&e->result);
}

/* Once calls take too much memory, they have to fit into half of it. Where there are so many tasks
 * that nothing more can be added up, memory grows with them. */
static void thin_out(struct io_engine *e)
{
	struct io_calls *r = &e->result;
	u64 span = r->end - r->start;

	if (!r->grain)
		r->grain = lane_next_grain(0);
	add_up_all(e);
	while (e->bytes > e->most_bytes / 2 && r->grain < span) {
		r->grain = lane_next_grain(r->grain);
		add_up_all(e);
	}
	e->most_bytes = MAX(e->most_bytes, 2 * e->bytes);
}

/* ---- calls ---- */

static struct io_task *task_of(struct io_engine *e, const struct engine_input *in)
{
	u32 id = task_table_at(e->conf.tasks, in->pid, in->tid, in->time)->id;
	struct io_calls *r = &e->result;

	VEC_REACH(e->number_of, id, e->nr_number_of, e->cap_number_of);
	if (!e->number_of[id]) {
		VEC_GROW(r->tasks, r->nr_tasks + 1, e->cap_tasks);
		r->tasks[r->nr_tasks] = (struct io_task){ .id = id };
		e->number_of[id] = ++r->nr_tasks;
	}
	return &r->tasks[e->number_of[id] - 1];
}

/* Tell whether the descriptor of a call is known. */
static u32 file_of(const struct engine_input *in)
{
	return in->bound->at[0].size ? (u32)engine_number(in, 0) : IO_NO_FILE;
}

static void enter(struct io_engine *e, struct io_task *t, const struct engine_input *in)
{
	size_t cap = t->cap;

	if (t->open) { /* the exit of the call before was lost */
		t->nr--;
		e->result.lost++;
	}
	VEC_GROW(t->calls, t->nr + 1, t->cap);
	e->bytes += (t->cap - cap) * sizeof(*t->calls);
	t->calls[t->nr++] = (struct io_call){ .start = in->time,
					      .end = in->time,
					      .file = file_of(in),
					      .kind = calls[in->event / 2].kind };
	t->open = true;
	t->event = in->event;
	if (unlikely(e->bytes > e->most_bytes))
		thin_out(e);
}

static void leave(struct io_engine *e, struct io_task *t, const struct engine_input *in)
{
	struct io_call *call = t->open ? &t->calls[t->nr - 1] : NULL;

	if (!call || t->event + 1 != in->event) {
		e->result.lost++;
		return;
	}
	t->open = false;
	call->end = in->time;
	call->result = (s64)engine_number(in, 0);
	if (call->result == -EAGAIN && e->conf.skip_eagain)
		t->nr--;
	else if (call->result > 0 && io_moves_bytes(call->kind))
		t->bytes += (u64)call->result;
}

static void feed(void *state, const struct engine_input *in)
{
	struct io_engine *e = state;
	struct io_calls *r = &e->result;

	if (!in->wanted)
		return;
	if (unlikely(!e->started)) {
		e->started = true;
		r->start = in->time;
		if (e->conf.window)
			e->conf.window(e->conf.ctx, &e->from, &e->until);
	}
	r->end = MAX(r->end, MIN(in->time, e->until));
	if (in->time > e->until)
		return;
	if (in->event % 2)
		leave(e, task_of(e, in), in);
	else
		enter(e, task_of(e, in), in);
}

/* Calls that have not returned last until the end. */
static void finish(void *state)
{
	struct io_engine *e = state;
	struct io_calls *r = &e->result;

	for (u32 i = 0; i < r->nr_tasks; i++)
		if (r->tasks[i].open)
			r->tasks[i].calls[r->tasks[i].nr - 1].end = r->end;
	r->start = MIN(MAX(r->start, e->from), r->end);
}

const struct engine *io_engine(void)
{
	static const struct engine e = {
		.name = "timechart",
		.record = "perf timechart record -I",
		.events = events,
		.nr_events = ARRAY_SIZE(events),
		.any = true,
		.feed = feed,
		.finish = finish,
	};

	return &e;
}
