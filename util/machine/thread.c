// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Incarnations of tids, their names over time, and the processes (address spaces) they belong to.
 *
 * A fork starts a new incarnation of the child's tid, with the current name of its parent. A record
 * with a tid that was never forked starts an incarnation that exists from time 0, with the name
 * ":tid" until a record names it. An exit changes nothing, because the last samples of a thread
 * come after it.
 */
#include "base/compat.h"

#include "base/alloc.h"
#include "machine/machine-internal.h"

static u32 tid_comm(struct machine *m, u32 tid)
{
	char text[16];
	int len = snprintf(text, sizeof(text), ":%d", (s32)tid);

	return intern_id(&m->comms, text, (size_t)len);
}

u32 epoch_new(struct machine *m, u64 from, u32 root)
{
	VEC_GROW(m->epochs, m->nr_epochs + 1, m->cap_epochs);
	m->epochs[m->nr_epochs] = (struct epoch){
		.from = from,
		.root = root,
		.kernel = (u32)m->nr_kernels - 1,
		.process = UINT32_MAX,
	};
	return (u32)m->nr_epochs++;
}

static void process_add_epoch(struct machine *m, struct process *p, u64 from, u32 root)
{
	VEC_GROW_FROM(p->epochs, (size_t)p->nr + 1, p->cap, 1);
	p->epochs[p->nr] = epoch_new(m, from, root);
	m->epochs[p->epochs[p->nr++]].process = (u32)(p - m->processes);
	p->tag = map_tree_tag(&m->tree);
}

static u32 process_new(struct machine *m, u64 from, u32 root)
{
	VEC_GROW(m->processes, m->nr_processes + 1, m->cap_processes);
	m->processes[m->nr_processes] = (struct process){ 0 };
	process_add_epoch(m, &m->processes[m->nr_processes], from, root);
	return (u32)m->nr_processes++;
}

struct epoch *process_epoch(struct machine *m, u32 process, u64 time, bool fresh)
{
	struct process *p = &m->processes[process];
	struct epoch *e = &m->epochs[p->epochs[p->nr - 1]];

	/* An epoch without duration would never be used: change its start instead. */
	if (!fresh || time <= e->from)
		return e;
	process_add_epoch(m, p, time, e->root);
	return &m->epochs[p->epochs[p->nr - 1]];
}

static struct tid_slot *tid_slot(struct machine *m, u32 tid)
{
	u32 *at = map64_slot(&m->tids, tid);

	if (*at == MAP64_NONE) {
		*at = (u32)m->nr_slots;
		VEC_GROW(m->slots, m->nr_slots + 1, m->cap_slots);
		m->slots[m->nr_slots++] = (struct tid_slot){ 0 };
	}
	return &m->slots[*at];
}

/* Return the newest incarnation of a tid, or UINT32_MAX. */
static u32 thread_last(const struct machine *m, u32 tid)
{
	u32 at = map64_get(&m->tids, tid);

	return at == MAP64_NONE ? UINT32_MAX : m->slots[at].threads[m->slots[at].nr - 1];
}

static u32 thread_new(struct machine *m, u32 pid, u32 tid, u32 process, u64 from)
{
	struct tid_slot *slot = tid_slot(m, tid);
	struct thread *t;

	VEC_GROW(m->threads, m->nr_threads + 1, m->cap_threads);
	t = &m->threads[m->nr_threads];
	*t = (struct thread){
		.from = from, .pid = pid, .tid = tid, .process = process, .nr_comms = 1
	};
	t->first = (struct comm_at){ from, 0 };
	VEC_GROW_FROM(slot->threads, (size_t)slot->nr + 1, slot->cap, 1);
	slot->threads[slot->nr++] = (u32)m->nr_threads;
	m->recent[tid % RECENT] = (struct recent_thread){ tid, (u32)m->nr_threads + 1 };
	return (u32)m->nr_threads++;
}

u32 thread_get(struct machine *m, u32 pid, u32 tid)
{
	struct recent_thread *recent = &m->recent[tid % RECENT];
	u32 at, leader, process;

	if (recent->thread && recent->tid == tid)
		at = recent->thread - 1;
	else
		at = thread_last(m, tid);
	if (at != UINT32_MAX) {
		*recent = (struct recent_thread){ tid, at + 1 };
		if (m->threads[at].pid == UINT32_MAX && pid != UINT32_MAX)
			m->threads[at].pid = pid;
		return at;
	}
	if (pid != tid && pid != UINT32_MAX) {
		leader = thread_get(m, pid, pid);
		process = m->threads[leader].process;
	} else {
		process = process_new(m, 0, NIL);
	}
	at = thread_new(m, pid, tid, process, 0);
	m->threads[at].first.comm = tid_comm(m, tid);
	return at;
}

static u32 last_comm(const struct thread *t)
{
	return t->nr_comms > 1 ? t->more[t->nr_comms - 2].comm : t->first.comm;
}

static u64 last_comm_time(const struct thread *t)
{
	return t->nr_comms > 1 ? t->more[t->nr_comms - 2].from : t->first.from;
}

static void set_comm(struct thread *t, u32 comm, u64 time)
{
	u64 last = last_comm_time(t);

	t->comm_set = true;
	if (comm == last_comm(t))
		return;
	if (time <= last) { /* also a late record: it is the latest information about this thread */
		if (t->nr_comms > 1)
			t->more[t->nr_comms - 2].comm = comm;
		else
			t->first.comm = comm;
		return;
	}
	VEC_GROW_FROM(t->more, t->nr_comms, t->cap, 1);
	t->more[t->nr_comms - 1] = (struct comm_at){ time, comm };
	t->nr_comms++;
}

/* Its memory is new. */
static void disinherit(struct process *p)
{
	if (!p->heir || p->heir_until != UINT32_MAX)
		return;
	p->heir_until = p->epochs[p->nr - 1];
	p->jit = NULL;
}

/* A process that starts with the mappings of @parent has its code that was made at run time. */
static void inherit(struct machine *m, u32 process, u32 pid, u32 parent)
{
	const struct dso *of = m->processes[parent].jit;
	struct process *p = &m->processes[process];

	if (!of || p->jit)
		return;
	p->jit = p->heir = perf_map_dso(m, pid, of->cpumode, of);
	p->heir_until = UINT32_MAX;
}

void thread_comm(struct machine *m, const struct rec_comm *c, u64 time)
{
	u32 at = thread_get(m, c->pid, c->tid), comm = intern_str_id(&m->comms, c->comm), *told;

	if (!m->threads[at].comm_set) {
		told = map64_slot(&m->told, last_comm(&m->threads[at]));
		*told = *told == MAP64_NONE ? comm : *told;
	}
	set_comm(&m->threads[at], comm, time);
	if (!c->exec)
		return;
	code_settle(m, m->threads[at].process, time);
	process_epoch(m, m->threads[at].process, time, true);
	disinherit(&m->processes[m->threads[at].process]);
}

/*
 * A process that is first seen through one of its threads has the mappings of that thread's parent.
 */
static void process_adopt(struct machine *m, u32 process, u32 pid, u32 parent)
{
	struct process *from = &m->processes[parent];
	struct epoch *e = process_epoch(m, process, 0, false);

	if (e->root != NIL || process == parent)
		return;
	from->tag = map_tree_tag(&m->tree);
	e->root = m->epochs[from->epochs[from->nr - 1]].root;
	inherit(m, process, pid, parent);
}

u32 thread_process(struct machine *m, u32 pid, u32 tid)
{
	u32 at = thread_get(m, pid, tid);

	return m->threads[at].process;
}

void thread_fork(struct machine *m, const struct rec_task *t, bool share, u64 time)
{
	u32 parent = thread_get(m, t->ppid, t->ptid), at, process, last, comm;
	bool comm_set;

	/* The tid of the parent was reused, and the record of that fork is missing. */
	if (m->threads[parent].pid != t->ppid && m->threads[parent].pid != UINT32_MAX &&
	    t->ppid != UINT32_MAX && t->ptid != t->tid) {
		u32 owner = t->ppid == t->ptid ? process_new(m, time, NIL)
					       : thread_process(m, t->ppid, t->ppid);

		parent = thread_new(m, t->ppid, t->ptid, owner, MAX(time, m->threads[parent].from));
		m->threads[parent].first.comm = tid_comm(m, t->ptid);
	}
	code_settle(m, m->threads[parent].process, time);
	comm = last_comm(&m->threads[parent]);
	comm_set = m->threads[parent].comm_set;
	last = thread_last(m, t->tid);
	if (last != UINT32_MAX && time < m->threads[last].from)
		time = m->threads[last].from;
	if (t->pid == t->ppid) {
		process = m->threads[parent].process;
	} else if (t->pid != t->tid) {
		process = thread_process(m, t->pid, t->pid);
		if (share)
			process_adopt(m, process, t->pid, m->threads[parent].process);
	} else if (!share) {
		process = process_new(m, time, NIL);
	} else {
		struct process *p = &m->processes[m->threads[parent].process];

		/* Both processes share the tree now, so neither may change its nodes in place. */
		p->tag = map_tree_tag(&m->tree);
		process = process_new(m, time, m->epochs[p->epochs[p->nr - 1]].root);
		inherit(m, process, t->pid, m->threads[parent].process);
	}
	at = thread_new(m, t->pid, t->tid, process, time);
	m->threads[at].comm_set = comm_set;
	m->threads[at].first.comm = comm_set ? comm : tid_comm(m, t->tid);
}

void threads_init(struct machine *m)
{
	u32 idle;

	intern_id(&m->comms, "", 0);
	epoch_new(m, 0, NIL); /* MACHINE_EPOCH_KERNEL */
	epoch_new(m, 0, NIL); /* MACHINE_EPOCH_NONE */
	idle = thread_get(m, 0, 0);
	set_comm(&m->threads[idle], intern_str_id(&m->comms, "swapper"), 0);
}

void threads_release(struct machine *m)
{
	size_t i;

	for (i = 0; i < m->nr_threads; i++)
		free(m->threads[i].more);
	for (i = 0; i < m->nr_slots; i++)
		free(m->slots[i].threads);
	for (i = 0; i < m->nr_processes; i++) {
		free(m->processes[i].epochs);
		code_queue_free(m->processes[i].code);
	}
	free(m->threads);
	free(m->slots);
	free(m->processes);
	free(m->epochs);
	map64_release(&m->tids);
	map64_release(&m->told);
	intern_release(&m->comms);
}
