// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tasks are identified by tid alone. The tasks of a process share one set of mappings. A forked
 * process shares the set of its parent until one of them changes it.
 */
#include "base/compat.h"
#include "base/bisect.h"
#include "machine/machine.h"
#include "machine/tasks.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/intern.h"

#include <errno.h>
#include <sys/mman.h>

#define NONE UINT32_MAX
#define BUCKETS 256 /* siblings are listed by tid modulo this, and then by tid */

#ifndef MAP_HUGETLB
#define MAP_HUGETLB 0x40000
#endif
#ifndef PERF_RECORD_MISC_FORK_EXEC
#define PERF_RECORD_MISC_FORK_EXEC (1 << 13)
#endif

enum { LOOSE, WAITING, PLACED }; /* task.placed */

/* A set of mappings that do not overlap, sorted by address. */
struct map_set {
	struct task_map *v; /* owned */
	size_t nr, cap;
	u32 users; /* number of processes */
};

struct tasks {
	bool want_maps;
	struct task *tasks; /* owned */
	size_t nr, cap;
	struct map64 by_tid;
	u32 *set_of; /* owned: the set of each process */
	size_t nr_processes, cap_processes;
	struct map_set *sets; /* owned */
	size_t nr_sets, cap_sets;
	struct intern names;
	struct arena arena;
	const char **name_of; /* owned: by id in names; these copies stay where they are */
	size_t nr_names, cap_names;
	u32 first_root, last_root;
};

/* ---- names ---- */

static const char *keep_name(struct tasks *t, const char *name)
{
	u32 id = intern_str_id(&t->names, name);

	while (t->nr_names <= id) {
		VEC_GROW(t->name_of, t->nr_names + 1, t->cap_names);
		t->name_of[t->nr_names++] = NULL;
	}
	if (!t->name_of[id])
		t->name_of[id] = arena_strdup(&t->arena, name);
	return t->name_of[id];
}

/* ---- tasks ---- */

static u32 new_process(struct tasks *t)
{
	VEC_GROW(t->sets, t->nr_sets + 1, t->cap_sets);
	t->sets[t->nr_sets] = (struct map_set){ .users = 1 };
	VEC_GROW(t->set_of, t->nr_processes + 1, t->cap_processes);
	t->set_of[t->nr_processes] = (u32)t->nr_sets++;
	return (u32)t->nr_processes++;
}

static u32 add_task(struct tasks *t, u32 pid, u32 tid, u32 process)
{
	VEC_GROW(t->tasks, t->nr + 1, t->cap);
	t->tasks[t->nr] = (struct task){
		.pid = pid,
		.tid = tid,
		.ppid = NONE,
		.process = process,
		.parent = NONE,
		.first_child = NONE,
		.last_child = NONE,
		.next = NONE,
	};
	map64_set(&t->by_tid, tid, (u32)t->nr);
	return (u32)t->nr++;
}

static u32 find_task(const struct tasks *t, u32 tid)
{
	u32 at = map64_get(&t->by_tid, tid);

	return at == MAP64_NONE || t->tasks[at].gone ? NONE : at;
}

static u32 get_task(struct tasks *t, u32 pid, u32 tid)
{
	u32 at = find_task(t, tid), leader;

	if (at != NONE) {
		if (t->tasks[at].pid == NONE)
			t->tasks[at].pid = pid;
		return at;
	}
	if (pid == tid || pid == NONE)
		return add_task(t, pid, tid, new_process(t));
	/* The task is added first, so that there is no cycle when ids are damaged. */
	at = add_task(t, pid, tid, NONE);
	leader = find_task(t, pid);
	if (leader == NONE)
		leader = add_task(t, pid, pid, new_process(t));
	if (t->tasks[leader].process == NONE)
		t->tasks[leader].process = new_process(t);
	t->tasks[at].process = t->tasks[leader].process;
	return at;
}

static int apply_comm(struct tasks *t, const void *rec, size_t size)
{
	struct rec_comm c;
	const char *name;
	u32 at;

	if (rec_comm_decode(rec, size, &c))
		return -EINVAL;
	name = keep_name(t, c.comm);
	at = get_task(t, c.pid, c.tid);
	t->tasks[at].comm = name;
	return 0;
}

static int apply_fork(struct tasks *t, const wire_header *rec, size_t size)
{
	struct rec_task f;
	u32 parent, child;

	if (rec_task_decode(rec, size, &f))
		return -EINVAL;
	child = find_task(t, f.tid);
	parent = get_task(t, f.ppid, f.ptid);
	if (t->tasks[parent].pid != f.ppid) {
		t->tasks[parent].gone = true;
		parent = get_task(t, f.ppid, f.ptid);
	}
	if (child != NONE)
		t->tasks[child].gone = true;
	child = get_task(t, f.pid, f.tid);
	t->tasks[child].comm = t->tasks[parent].comm;
	t->tasks[child].ppid = t->tasks[parent].tid;
	if (t->tasks[child].pid != t->tasks[parent].pid &&
	    !(rec->misc & PERF_RECORD_MISC_FORK_EXEC)) {
		u32 *set = &t->set_of[t->tasks[child].process];

		t->sets[*set].users--;
		*set = t->set_of[t->tasks[parent].process];
		t->sets[*set].users++;
	}
	return 0;
}

static int apply_exit(struct tasks *t, const void *rec, size_t size)
{
	struct rec_task x;

	(void)t;
	return rec_task_decode(rec, size, &x); /* a task that has ended is shown as well */
}

/* ---- mappings ---- */

/*
 * Return the name of a mapping; code in memory without a file is described by the runtime's
 * perf-PID.map.
 */
static const char *map_name(struct tasks *t, const struct rec_mmap *m)
{
	char text[32];
	bool nameless = m->flags & MAP_HUGETLB || is_anon_path(m->filename);

	if (!nameless || !(m->prot & PROT_EXEC))
		return keep_name(t, m->filename);
	snprintf(text, sizeof(text), "/tmp/perf-%d.map", (s32)m->pid);
	return keep_name(t, text);
}

/* Return the set of a process, which is not shared from now on. */
static struct map_set *own_set(struct tasks *t, u32 process)
{
	u32 at = t->set_of[process];
	struct map_set copy;

	if (t->sets[at].users == 1)
		return &t->sets[at];
	t->sets[at].users--;
	copy = t->sets[at];
	copy.users = 1;
	copy.cap = copy.nr + 1;
	copy.v = xcalloc(copy.cap, sizeof(*copy.v));
	if (copy.nr)
		memcpy(copy.v, t->sets[at].v, copy.nr * sizeof(*copy.v));
	VEC_GROW(t->sets, t->nr_sets + 1, t->cap_sets);
	t->sets[t->nr_sets] = copy;
	t->set_of[process] = (u32)t->nr_sets;
	return &t->sets[t->nr_sets++];
}

/* Replace the @drop mappings from @at on by the @nr @pieces. */
static void replace_maps(struct map_set *s, size_t at, size_t drop, const struct task_map *pieces,
			 size_t nr)
{
	size_t tail = s->nr - at - drop;

	VEC_GROW(s->v, s->nr + nr, s->cap);
	memmove(&s->v[at + nr], &s->v[at + drop], tail * sizeof(*s->v));
	memcpy(&s->v[at], pieces, nr * sizeof(*s->v));
	s->nr = at + nr + tail;
}

/* Insert a mapping: whatever lies within its range is removed, and parts outside it stay. */
static void insert_map(struct map_set *s, const struct task_map *m)
{
	struct task_map pieces[3];
	size_t lo = FIRST_BEHIND(s->v, s->nr, end, m->start), drop = 0, nr = 0;

	while (lo + drop < s->nr && s->v[lo + drop].start < m->end)
		drop++;
	if (drop && s->v[lo].start < m->start) {
		pieces[nr] = s->v[lo];
		pieces[nr++].end = m->start;
	}
	pieces[nr++] = *m;
	if (drop && s->v[lo + drop - 1].end > m->end) {
		const struct task_map *last = &s->v[lo + drop - 1];

		pieces[nr] = *last;
		pieces[nr].start = m->end;
		pieces[nr++].pgoff += m->end - last->start;
	}
	replace_maps(s, lo, drop, pieces, nr);
}

static int apply_mmap(struct tasks *t, const wire_header *rec, size_t size)
{
	u8 mode = rec->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct task_map map;
	struct rec_mmap m;
	u32 at;

	if (rec_mmap_decode(rec, size, &m))
		return -EINVAL;
	if (mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_GUEST_KERNEL ||
	    mode == PERF_RECORD_MISC_GUEST_USER || m.start + m.len < m.start)
		return 0;
	map = (struct task_map){
		.start = m.start,
		.end = m.start + m.len,
		.pgoff = strcmp(m.filename, "[vdso]") ? m.pgoff : 0,
		.ino = m.ino,
		.prot = m.prot,
		.flags = m.flags,
		.name = map_name(t, &m),
	};
	at = get_task(t, m.pid, m.tid);
	insert_map(own_set(t, t->tasks[at].process), &map);
	return 0;
}

const struct task_map *task_maps(const struct tasks *t, const struct task *task, size_t *nr)
{
	const struct map_set *s = &t->sets[t->set_of[task->process]];

	*nr = s->nr;
	return s->v;
}

int tasks_apply(struct tasks *t, const wire_header *rec, size_t size)
{
	switch (rec->type) {
	case PERF_RECORD_COMM:
		return apply_comm(t, rec, size);
	case PERF_RECORD_FORK:
		return apply_fork(t, rec, size);
	case PERF_RECORD_EXIT:
		return apply_exit(t, rec, size);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return t->want_maps ? apply_mmap(t, rec, size) : 0;
	default:
		return 0;
	}
}

/* ---- the tree ---- */

/* Add the task below its parent, or to the roots. */
static void place(struct tasks *t, u32 at)
{
	struct task *task = &t->tasks[at];
	u32 *first = &t->first_root, *last = &t->last_root;

	if (task->parent != NONE) {
		first = &t->tasks[task->parent].first_child;
		last = &t->tasks[task->parent].last_child;
	}
	if (*last == NONE)
		*first = at;
	else
		t->tasks[*last].next = at;
	*last = at;
	task->placed = PLACED;
}

/*
 * A task is added below its parent when that has its place, so the oldest ancestor without a place
 * comes first.
 */
static void place_with_parents(struct tasks *t, u32 at)
{
	u32 from = NONE; /* the way back, linked by next */

	while (at != NONE && t->tasks[at].placed == LOOSE) {
		u32 up = t->tasks[at].ppid == NONE ? NONE : find_task(t, t->tasks[at].ppid);

		if (up != NONE && t->tasks[up].placed == WAITING)
			up = NONE; /* a cycle, which only a damaged file can have */
		t->tasks[at].placed = up == at ? PLACED : WAITING;
		t->tasks[at].parent = up == at ? NONE : up;
		t->tasks[at].next = from;
		from = at;
		at = up;
	}
	while (from != NONE) {
		u32 next = t->tasks[from].next;

		t->tasks[from].next = NONE;
		place(t, from);
		from = next;
	}
}

static int by_bucket(const void *a, const void *b, void *ctx)
{
	const struct task *tasks = ctx;
	u32 x = tasks[*(const u32 *)a].tid, y = tasks[*(const u32 *)b].tid;

	if (x % BUCKETS != y % BUCKETS)
		return x % BUCKETS < y % BUCKETS ? -1 : 1;
	return (s32)x < (s32)y ? -1 : (s32)x > (s32)y;
}

void tasks_end(struct tasks *t)
{
	u32 *order = xcalloc(t->nr, sizeof(*order));
	size_t i, nr = 0;

	for (i = 0; i < t->nr; i++)
		if (!t->tasks[i].gone)
			order[nr++] = (u32)i;
	qsort_r(order, nr, sizeof(*order), by_bucket, t->tasks);
	for (i = 0; i < nr; i++)
		place_with_parents(t, order[i]);
	free(order);
}

const struct task *tasks_next(const struct tasks *t, const struct task *prev, u32 *level)
{
	if (!prev) {
		*level = 0;
		return t->first_root == NONE ? NULL : &t->tasks[t->first_root];
	}
	if (prev->first_child != NONE) {
		++*level;
		return &t->tasks[prev->first_child];
	}
	while (prev->next == NONE) {
		if (prev->parent == NONE)
			return NULL;
		prev = &t->tasks[prev->parent];
		--*level;
	}
	return &t->tasks[prev->next];
}

/* ---- life ---- */

struct tasks *tasks_new(bool maps)
{
	struct tasks *t = xzalloc(sizeof(*t));

	t->want_maps = maps;
	t->first_root = t->last_root = NONE;
	add_task(t, 0, 0, new_process(t));
	t->tasks[0].comm = keep_name(t, "swapper");
	return t;
}

void tasks_free(struct tasks *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->nr_sets; i++)
		free(t->sets[i].v);
	free(t->sets);
	free(t->set_of);
	free(t->tasks);
	free(t->name_of);
	map64_release(&t->by_tid);
	intern_release(&t->names);
	arena_release(&t->arena);
	free(t);
}
