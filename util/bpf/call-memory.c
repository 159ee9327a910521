// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "bpf/call-memory-internal.h"

#include "base/alloc.h"
#include "bpf/sys.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MAX_TASKS 16384   /* those that have not called anything for long are forgotten first */
#define MAX_WAITING 16384 /* calls that go on and have something to be copied at their return */

/* ---- records ---- */

static u32 get32(u32 v, bool swap)
{
	return swap ? __builtin_bswap32(v) : v;
}

static u64 get64(u64 v, bool swap)
{
	return swap ? __builtin_bswap64(v) : v;
}

bool call_record_read(const void *raw, size_t size, bool swap, struct call_record *out)
{
	const u8 *p = raw;
	struct call_piece_head h;
	size_t at = sizeof(out->head);

	if (!raw || size < sizeof(out->head))
		return false;
	memcpy(&out->head, p, sizeof(out->head));
	out->head.bytes = get32(out->head.bytes, swap);
	out->head.flags = get32(out->head.flags, swap);
	out->head.nr = (s64)get64((u64)out->head.nr, swap);
	for (int i = 0; i < CALL_ARGS; i++)
		out->head.args[i] = get64(out->head.args[i], swap);
	out->nr = 0;
	if (out->head.bytes > size)
		return false;
	while (out->nr < CALL_PIECES && at + sizeof(h) <= out->head.bytes) {
		memcpy(&h, p + at, sizeof(h));
		at += sizeof(h);
		h.size = get32(h.size, swap);
		if (h.size > CALL_COPY_MAX || h.size > out->head.bytes - at)
			return false;
		out->v[out->nr++] = (struct call_piece){ .addr = get64(h.addr, swap),
							 .size = h.size,
							 .out = get32(h.out, swap) != 0,
							 .bytes = p + at };
		at += ALIGN_UP(h.size, 8);
	}
	return true;
}

/* ---- maps ---- */

static int make_maps(struct call_memory *m, const struct call_memory_opts *o, struct err *err)
{
	const struct bpf_map_spec maps[] = {
		{ &m->copies, "call_copies", BPF_MAP_TYPE_ARRAY, 4, sizeof(struct call_copies),
		  o->nr_calls },
		{ &m->record, "call_record", BPF_MAP_TYPE_PERCPU_ARRAY, 4, CALL_RECORD_MAX, 1 },
		{ &m->waiting, "call_waiting", BPF_MAP_TYPE_LRU_HASH, 8, sizeof(struct call_head),
		  MAX_WAITING },
		{ &m->tasks, "call_tasks", BPF_MAP_TYPE_LRU_HASH, 8, 8,
		  o->tids->nr ? MAX_TASKS : 0 },
		{ &m->events, "call_events", BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4,
		  m->per_thread ? (u32)o->tids->nr : o->cpus },
	};

	return bpf_maps_new(maps, ARRAY_SIZE(maps), err);
}

static int fill_maps(struct call_memory *m, const struct call_memory_opts *o, struct err *err)
{
	u64 one = 1;
	int rc = 0;

	for (u32 i = 0; !rc && i < o->nr_calls; i++)
		if (o->copies[i].v[0].kind != CALL_COPY_NONE)
			rc = bpf_map_set(m->copies, &i, &o->copies[i]);
	for (size_t i = 0; !rc && i < o->tids->nr; i++)
		rc = bpf_map_set(m->tasks, &(u64){ (u32)o->tids->v[i] }, &one);
	return rc ? err_set(err, rc, "failed to fill the maps of the BPF programs: %s", err_str(rc))
		  : 0;
}

/* ---- programs ---- */

static int load(struct call_memory *m, int i, const char *name, u32 type, struct bpf_code *code,
		struct err *err)
{
	m->progs[i] = bpf_prog_new(name, type, code, err);
	bpf_code_release(code);
	return MIN(m->progs[i], 0);
}

static int load_all(struct call_memory *m, const struct call_memory_opts *o, struct err *err)
{
	struct bpf_code enter = { 0 }, exit = { 0 }, task = { 0 };
	int rc;

	call_prog_enter(&enter, m, o);
	rc = load(m, CALL_PROG_ENTER, "call_enter", BPF_PROG_TYPE_TRACEPOINT, &enter, err);
	if (rc)
		return rc;
	call_prog_exit(&exit, m, o);
	rc = load(m, CALL_PROG_EXIT, "call_exit", BPF_PROG_TYPE_TRACEPOINT, &exit, err);
	if (rc || m->tasks < 0 || !o->inherit)
		return rc;
	call_prog_task(&task, m);
	rc = load(m, CALL_PROG_TASK, "call_task", BPF_PROG_TYPE_RAW_TRACEPOINT, &task, err);
	if (rc)
		return rc;
	m->link = bpf_attach_raw_tp("task_newtask", m->progs[CALL_PROG_TASK]);
	return m->link < 0
		       ? err_set(err, m->link, "failed to attach a BPF program to task_newtask: %s",
				 err_str(m->link))
		       : 0;
}

int call_memory_open(struct call_memory *m, const struct call_memory_opts *opts, struct err *err)
{
	int rc;

	*m = (struct call_memory){ .copies = -1,
				   .record = -1,
				   .waiting = -1,
				   .tasks = -1,
				   .events = -1,
				   .progs = { -1, -1, -1 },
				   .hooks = { -1, -1 },
				   .link = -1 };
	m->ns = bpf_ns_own(opts->sysroot);
	m->per_thread = !opts->cpus;
	rc = make_maps(m, opts, err);
	rc = rc ?: fill_maps(m, opts, err);
	rc = rc ?: load_all(m, opts, err);
	if (rc)
		call_memory_close(m);
	return rc;
}

void call_memory_close(struct call_memory *m)
{
	const int fds[] = { m->hooks[0], m->hooks[1], m->link,   m->progs[0],
			    m->progs[1], m->progs[2], m->copies, m->record,
			    m->waiting,  m->tasks,    m->events };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/* ---- the event ---- */

void call_memory_event_add(struct evlist *l, bool per_thread)
{
	struct perf_event_attr a = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_BPF_OUTPUT,
				     .size = sizeof(a),
				     .sample_period = 1,
				     .sample_type = PERF_SAMPLE_RAW };
	const char *cgroup = l->nr ? l->evsels[0]->cgroup : NULL;
	struct evsel *e = evlist_add(l, &a, CALL_MEMORY_EVENT);

	e->cgroup = cgroup ? xstrdup(cgroup) : NULL;
	e->terms.period_set = e->terms.named = true;
	e->terms.everywhere = !per_thread;
}

struct evsel *call_memory_event(const struct evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (evsel_is_bpf_output(l->evsels[i]) &&
		    !strcmp(l->evsels[i]->name, CALL_MEMORY_EVENT))
			return l->evsels[i];
	return NULL;
}

/* ---- start ---- */

/*
 * A program runs wherever its tracepoint is hit, as long as the event that it was attached to is
 * open. That has to be an event of its own, which no thread inherits: the end of a thread that has
 * inherited it would detach the program.
 */
static int attach(struct call_memory *m, int prog, const struct kevents *k, const struct evlist *l,
		  const char *tracepoint)
{
	struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT,
				     .size = PERF_ATTR_SIZE_VER0,
				     .disabled = 1 };

	for (size_t i = 0; i < k->nr; i++) {
		const struct evsel *e = l->evsels[k->fds[i].evsel];

		if (!e->tp_name || strcmp(e->tp_name, tracepoint))
			continue;
		a.config = e->attr.config;
		m->hooks[prog] =
			attr_open(&a, 0, -1, MAX(k->fds[i].cpu, 0), -1, PERF_FLAG_FD_CLOEXEC);
		if (m->hooks[prog] < 0)
			return m->hooks[prog];
		return ioctl(m->hooks[prog], PERF_EVENT_IOC_SET_BPF, m->progs[prog]) < 0 ? -errno
											 : 0;
	}
	return -ENOENT;
}

/* The ring of an event is found by its CPU, or by what is known of its thread. */
static int add_ring(struct call_memory *m, const struct kfd *k, u32 *nr)
{
	u32 place = m->per_thread ? (*nr)++ : (u32)k->cpu;
	int rc = bpf_map_set(m->events, &place, &(u32){ (u32)k->fd });

	if (!rc && m->per_thread)
		rc = bpf_map_set(m->tasks, &(u64){ (u32)k->tid }, &(u64){ place });
	return rc;
}

int call_memory_start(struct call_memory *m, const struct kevents *k, const struct evlist *l,
		      struct err *err)
{
	const struct evsel *e = call_memory_event(l);
	int rc = e ? 0 : -ENOENT;
	u32 nr = 0;

	for (size_t i = 0; !rc && i < k->nr; i++)
		if (k->fds[i].evsel == e->idx)
			rc = add_ring(m, &k->fds[i], &nr);
	rc = rc ?: attach(m, CALL_PROG_ENTER, k, l, "raw_syscalls:sys_enter");
	rc = rc ?: attach(m, CALL_PROG_EXIT, k, l, "raw_syscalls:sys_exit");
	return rc ? err_set(err, rc, "failed to attach BPF programs to raw_syscalls: %s",
			    err_str(rc))
		  : 0;
}
