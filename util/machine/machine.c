// SPDX-License-Identifier: GPL-2.0-or-later
/* Keep the model: records are applied, lookups read it. machine.h says what is valid when. */
#include "machine/machine.h"

#include "base/alloc.h"
#include "machine/machine-internal.h"

#include <errno.h>
#include <sys/auxv.h>

struct machine *machine_new(void)
{
	struct machine *m = xzalloc(sizeof(*m));
	const u64_una *random = (const u64_una *)getauxval(AT_RANDOM);

	m->side = xzalloc(sizeof(*m->side));
	pthread_mutex_init(&m->side->lock, NULL);
	m->tree.seed = random ? *random : 0;
	m->kernel_tag = map_tree_tag(&m->tree);
	m->guest_tag = map_tree_tag(&m->tree);
	VEC_GROW(m->kernels, 1, m->cap_kernels);
	m->kernels[m->nr_kernels++] = (struct kernel_version){ .epoch = MACHINE_EPOCH_KERNEL };
	intern_id(&m->cgroup_paths, "", 0);
	threads_init(m);
	return m;
}

void machine_name_kernel(struct machine *m, const char *name)
{
	m->dsos.kernel_name = name;
}

static void side_release(struct side *s)
{
	map64_release(&s->threads);
	map64_release(&s->pairs);
	free(s->by_id);
	s->by_id = NULL;
	s->nr_pairs = s->cap_pairs = 0;
	heirs_release(s);
	intern_release(&s->comms);
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	threads_release(m);
	map_tree_release(&m->tree);
	dso_table_release(&m->dsos);
	arena_release(&m->arena);
	intern_release(&m->cgroup_paths);
	map64_release(&m->cgroups);
	free(m->kernels);
	free(m->pokes);
	side_release(m->side);
	pthread_mutex_destroy(&m->side->lock);
	free(m->side);
	free(m);
}

struct machine *machine_forget(struct machine *m)
{
	struct machine *old = machine_new(), empty = *old;

	*old = *m;
	*m = empty;
	m->dsos = old->dsos;
	m->guest_code = old->guest_code;
	old->dsos = (struct dso_table){ 0 };
	return old;
}

static int malformed(const char *what, struct err *err)
{
	return err_set(err, -EINVAL, "malformed %s record", what);
}

static void note_poke(struct machine *m, const struct rec_text_poke *rec, u64 time)
{
	u8 *bytes;

	if (!rec->new_len)
		return;
	bytes = arena_alloc(&m->arena, (size_t)rec->new_len + rec->old_len);
	memcpy(bytes, rec->new_bytes, rec->new_len);
	if (rec->old_len)
		memcpy(bytes + rec->new_len, rec->old_bytes, rec->old_len);
	VEC_GROW(m->pokes, m->nr_pokes + 1, m->cap_pokes);
	m->pokes[m->nr_pokes++] = (struct text_poke){
		.time = time,
		.addr = rec->addr,
		.len = rec->new_len,
		.old_len = rec->old_len,
		.bytes = bytes,
		.old = bytes + rec->new_len,
	};
}

int machine_apply(struct machine *m, const wire_header *rec, size_t size, u64 time, struct err *err)
{
	union {
		struct rec_mmap map;
		struct rec_comm comm;
		struct rec_task task;
		struct rec_ksymbol ksym;
		struct rec_cgroup cgroup;
		struct rec_text_poke poke;
	} r;

	if (size < sizeof(*rec))
		return malformed("state", err);
	switch (rec->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (rec_mmap_decode(rec, size, &r.map))
			return malformed("MMAP", err);
		machine_map(m, &r.map, rec->misc, time);
		return 0;
	case PERF_RECORD_COMM:
		if (rec_comm_decode(rec, size, &r.comm))
			return malformed("COMM", err);
		thread_comm(m, &r.comm, time);
		return 0;
	case PERF_RECORD_FORK:
		if (rec_task_decode(rec, size, &r.task))
			return malformed("FORK", err);
		/* The task existed before the recording; records of its mappings follow. */
		thread_fork(m, &r.task, !(rec->misc & PERF_RECORD_MISC_FORK_EXEC), time);
		return 0;
	case PERF_RECORD_KSYMBOL:
		if (rec_ksymbol_decode(rec, size, &r.ksym))
			return malformed("KSYMBOL", err);
		machine_ksymbol(m, &r.ksym, time);
		return 0;
	case PERF_RECORD_CGROUP:
		if (rec_cgroup_decode(rec, size, &r.cgroup))
			return malformed("CGROUP", err);
		map64_set(&m->cgroups, r.cgroup.id, intern_str_id(&m->cgroup_paths, r.cgroup.path));
		return 0;
	case PERF_RECORD_TEXT_POKE:
		if (rec_text_poke_decode(rec, size, &r.poke))
			return malformed("TEXT_POKE", err);
		note_poke(m, &r.poke, time);
		return 0;
	default:
		return 0;
	}
}

const struct text_poke *machine_pokes(const struct machine *m, size_t *nr)
{
	*nr = m->nr_pokes;
	return m->pokes;
}

void machine_set_build_id(struct machine *m, const char *path, u16 misc, const u8 *id, u8 size)
{
	dso_set_build_id(&m->dsos, path, misc & PERF_RECORD_MISC_CPUMODE_MASK, id, size);
}

void machine_seal(struct machine *m)
{
	u32 i;

	for (i = 0; i < m->nr_processes; i++)
		code_settle(m, i, UINT64_MAX);
	m->sealed = true;
}

void machine_unseal(struct machine *m)
{
	m->sealed = false;
	side_release(m->side);
}

bool machine_sealed(const struct machine *m)
{
	return m->sealed;
}

/*
 * Return the index of the last element of a sorted array whose time is not after @time; 0 when all
 * are.
 */
#define LAST_AT(nr, time_of_i, time)                                                               \
	({                                                                                         \
		size_t lo_ = 0, hi_ = (nr);                                                        \
                                                                                                   \
		while (hi_ - lo_ > 1) {                                                            \
			size_t i = lo_ + (hi_ - lo_) / 2;                                          \
                                                                                                   \
			if ((time_of_i) <= (time))                                                 \
				lo_ = i;                                                           \
			else                                                                       \
				hi_ = i;                                                           \
		}                                                                                  \
		lo_;                                                                               \
	})

static void narrow(struct thread_at *out, u64 from, u64 until)
{
	out->from = MAX(out->from, from);
	out->until = MIN(out->until, until);
}

/* Return the incarnation of @tid at @time and the interval of its existence, or NULL. */
static const struct thread *incarnation(const struct machine *m, u32 tid, u64 time,
					struct thread_at *out)
{
	u32 at = map64_get(&m->tids, tid);
	const struct tid_slot *slot;
	const struct thread *t;
	size_t n;

	if (at == MAP64_NONE)
		return NULL;
	slot = &m->slots[at];
	n = LAST_AT(slot->nr, m->threads[slot->threads[i]].from, time);
	t = &m->threads[slot->threads[n]];
	if (time < t->from) {
		narrow(out, 0, t->from);
		return NULL;
	}
	narrow(out, t->from, n + 1 < slot->nr ? m->threads[slot->threads[n + 1]].from : UINT64_MAX);
	return t;
}

static void comm_at(const struct thread *t, u64 time, struct thread_at *out)
{
	size_t nr = t->nr_comms - 1, n;

	if (!nr || time < t->more[0].from) {
		out->comm = t->first.comm;
		narrow(out, 0, nr ? t->more[0].from : UINT64_MAX);
		return;
	}
	n = LAST_AT(nr, t->more[i].from, time);
	out->comm = t->more[n].comm;
	narrow(out, t->more[n].from, n + 1 < nr ? t->more[n + 1].from : UINT64_MAX);
}

static void epoch_at(const struct machine *m, u32 process, u64 time, struct thread_at *out)
{
	const struct process *p = &m->processes[process];
	size_t n = LAST_AT(p->nr, m->epochs[p->epochs[i]].from, time);

	out->epoch = p->epochs[n];
	narrow(out, n ? m->epochs[p->epochs[n]].from : 0,
	       n + 1 < p->nr ? m->epochs[p->epochs[n + 1]].from : UINT64_MAX);
}

/* Give a thread that no record tells of its number and its name. */
static void number_stranger(const struct machine *m, struct thread_at *out)
{
	struct side *s = m->side;
	char text[16];
	int len = snprintf(text, sizeof(text), ":%d", (s32)out->tid);
	u32 *slot;

	pthread_mutex_lock(&s->lock);
	slot = map64_slot(&s->threads, (u64)out->pid << 32 | out->tid);
	if (*slot == MAP64_NONE)
		*slot = (u32)s->threads.nr - 1;
	out->thread = (u32)m->nr_threads + *slot;
	out->comm = intern_find(&m->comms, text, (size_t)len);
	if (out->comm == UINT32_MAX)
		out->comm = (u32)m->comms.nr + intern_id(&s->comms, text, (size_t)len);
	pthread_mutex_unlock(&s->lock);
}

/*
 * Describe an unknown tid: a thread of @out->pid if that is known, otherwise of a process without
 * mappings.
 */
static void unknown_thread(const struct machine *m, u64 time, struct thread_at *out)
{
	const struct thread *leader = out->pid == out->tid ? NULL
							   : incarnation(m, out->pid, time, out);

	out->epoch = MACHINE_EPOCH_NONE;
	if (leader)
		epoch_at(m, leader->process, time, out);
	number_stranger(m, out);
}

/*
 * If the kernel's mappings have changed their meaning since the epoch began, the pair of (epoch,
 * version of the kernel's mappings) is an epoch of its own.
 */
static void kernel_epoch(const struct machine *m, u64 time, struct thread_at *out)
{
	size_t n = LAST_AT(m->nr_kernels, m->kernels[i].from, time);
	struct side *s = m->side;
	u32 *slot;

	narrow(out, m->kernels[n].from,
	       n + 1 < m->nr_kernels ? m->kernels[n + 1].from : UINT64_MAX);
	if (n == m->epochs[out->epoch].kernel)
		return;
	pthread_mutex_lock(&s->lock);
	slot = map64_slot(&s->pairs, (u64)out->epoch << 32 | n);
	if (*slot == MAP64_NONE) {
		*slot = (u32)s->nr_pairs;
		VEC_GROW(s->by_id, s->nr_pairs + 1, s->cap_pairs);
		s->by_id[s->nr_pairs++] = (struct epoch_pair){ out->epoch, (u32)n };
	}
	out->epoch = (u32)m->nr_epochs + *slot;
	pthread_mutex_unlock(&s->lock);
}

/*
 * While the model is being built, a process that is used in a new version of the kernel's mappings
 * gets a new epoch.
 */
static void follow_kernel(struct machine *m, u32 process)
{
	const struct process *p = &m->processes[process];
	u32 newest = (u32)m->nr_kernels - 1;

	if (m->epochs[p->epochs[p->nr - 1]].kernel != newest)
		process_epoch(m, process, m->kernels[newest].from, true)->kernel = newest;
}

void machine_thread_at(const struct machine *m, u32 pid, u32 tid, u64 time, struct thread_at *out)
{
	const struct thread *t;

	*out = (struct thread_at){ .pid = pid, .tid = tid, .until = UINT64_MAX };
	t = incarnation(m, tid, time, out);
	if (!t && !m->sealed) {
		/* A model that is still being built adds the thread permanently. */
		thread_get((struct machine *)m, pid, tid);
		t = incarnation(m, tid, time, out);
	}
	if (t) {
		out->thread = (u32)(t - m->threads);
		out->pid = t->pid;
		comm_at(t, time, out);
		if (!m->sealed) {
			follow_kernel((struct machine *)m, t->process);
			code_settle((struct machine *)m, t->process, time);
		}
		epoch_at(m, t->process, time, out);
	} else {
		unknown_thread(m, time, out);
	}
	if (m->nr_kernels > 1 && m->sealed)
		kernel_epoch(m, time, out);
	out->kernel_epoch = m->nr_kernels > 1 ? machine_kernel_epoch(m, out->epoch)
					      : MACHINE_EPOCH_KERNEL;
	if (!m->sealed)
		out->until = MIN(out->until, time + 1 ? time + 1 : time);
}

bool machine_thread_known(const struct machine *m, u32 pid, u32 tid, u64 time, u64 known,
			  struct thread_at *out)
{
	const struct thread *t;

	*out = (struct thread_at){ .pid = pid, .tid = tid, .epoch = MACHINE_EPOCH_NONE };
	out->until = known + 1 ? known + 1 : known;
	t = time <= known ? incarnation(m, tid, time, out) : NULL;
	/* The pid may come later. */
	if (time > known || (t && t->pid == UINT32_MAX))
		return false;
	if (!t) {
		number_stranger(m, out);
		return true;
	}
	out->thread = (u32)(t - m->threads);
	out->pid = t->pid;
	comm_at(t, time, out);
	return true;
}

u32 machine_stranger(const struct machine *m, u32 thread)
{
	return thread < m->nr_threads ? UINT32_MAX : thread - (u32)m->nr_threads;
}

/* Return the epoch of the process for an id that kernel_epoch() has allocated. */
static u32 side_epoch(const struct machine *m, u32 epoch, u32 *kernel)
{
	struct side *s = m->side;
	u32 own = MACHINE_EPOCH_NONE;

	pthread_mutex_lock(&s->lock);
	if (epoch - m->nr_epochs < s->nr_pairs) {
		*kernel = s->by_id[epoch - m->nr_epochs].kernel;
		own = s->by_id[epoch - m->nr_epochs].epoch;
	}
	pthread_mutex_unlock(&s->lock);
	return own;
}

u32 machine_kernel_epoch(const struct machine *m, u32 epoch)
{
	u32 kernel = 0;

	if (epoch < m->nr_epochs)
		kernel = m->epochs[epoch].kernel;
	else
		side_epoch(m, epoch, &kernel);
	return m->kernels[kernel].epoch;
}

static u32 guest_root(const struct machine *m, const struct epoch *e)
{
	u32 own = e->process < m->nr_processes ? m->processes[e->process].guest_root : NIL;

	return own != NIL ? own : m->guest_root;
}

void machine_set_guest_code(struct machine *m)
{
	m->guest_code = true;
}

const struct map *machine_find_range(const struct machine *m, u32 epoch, u8 cpumode, u64 addr,
				     u64 *start, u64 *end)
{
	u32 root = NIL, kernel = 0, n;
	const struct map *map;

	if (epoch < m->nr_epochs)
		kernel = m->epochs[epoch].kernel;
	else
		epoch = side_epoch(m, epoch, &kernel);
	if (cpumode == PERF_RECORD_MISC_KERNEL)
		root = m->kernels[kernel].root;
	else if (cpumode == PERF_RECORD_MISC_USER)
		root = m->epochs[epoch].root;
	else if (cpumode == PERF_RECORD_MISC_GUEST_KERNEL)
		root = guest_root(m, &m->epochs[epoch]);
	if (m->guest_code && root == NIL && cpumode != PERF_RECORD_MISC_KERNEL)
		root = m->epochs[epoch].root;
	n = map_tree_find_range(&m->tree, root, addr, start, end);
	map = n == NIL ? NULL : m->tree.nodes[n].map;
	if (map && map->dso->kind == DSO_PERF_MAP && epoch < m->nr_epochs)
		map = heir_map(m, epoch, map);
	return map;
}

const struct map *machine_find_map(const struct machine *m, u32 epoch, u8 cpumode, u64 addr)
{
	u64 start, end;

	return machine_find_range(m, epoch, cpumode, addr, &start, &end);
}

const struct map *machine_kernel_map(const struct machine *m)
{
	return m->kernel_map;
}

const char *machine_comm(const struct machine *m, u32 comm)
{
	const char *text;

	if (comm < m->comms.nr)
		return intern_str(&m->comms, comm);
	pthread_mutex_lock(&m->side->lock);
	text = intern_str(&m->side->comms, comm - (u32)m->comms.nr);
	pthread_mutex_unlock(&m->side->lock);
	return text;
}

const char *machine_comm_told(const struct machine *m, u32 comm)
{
	u32 told = map64_get(&m->told, comm);

	return machine_comm(m, told == MAP64_NONE ? comm : told);
}

const char *machine_cgroup(const struct machine *m, u64 id)
{
	u32 at = map64_get(&m->cgroups, id);

	return at == MAP64_NONE ? NULL : intern_str(&m->cgroup_paths, at);
}

struct dso *const *machine_dsos(const struct machine *m, size_t *nr)
{
	*nr = m->dsos.nr;
	return m->dsos.dsos;
}

/* Return the number of the model's own ids plus those that lookups have added. */
static u32 with_side(const struct machine *m, size_t own, const size_t *extra)
{
	u32 nr;

	pthread_mutex_lock(&m->side->lock);
	nr = (u32)(own + *extra);
	pthread_mutex_unlock(&m->side->lock);
	return nr;
}

u32 machine_nr_threads(const struct machine *m)
{
	return with_side(m, m->nr_threads, &m->side->threads.nr);
}

u32 machine_nr_comms(const struct machine *m)
{
	return with_side(m, m->comms.nr, &m->side->comms.nr);
}

u32 machine_nr_epochs(const struct machine *m)
{
	return with_side(m, m->nr_epochs, &m->side->nr_pairs);
}
