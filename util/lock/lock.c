// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "lock/lock-internal.h"

#include "analyze/reach.h"
#include "base/alloc.h"

/* The flags of contention_begin have these bits. */
enum { SPIN = 1, READ = 2, WRITE = 4, RT = 8, PERCPU = 16, MUTEX = 32 };

#define OF_CPU (1ULL << 32) /* the idle tasks have one tid: they are told apart by CPU */
#define ALL_LOCKDEP                                                                                \
	(1U << LOCK_ACQUIRE | 1U << LOCK_ACQUIRED | 1U << LOCK_CONTENDED | 1U << LOCK_RELEASE)
#define ALL_WAITS (1U << LOCK_BEGIN | 1U << LOCK_END)

static const struct engine_event events[LOCK_EVENTS] = {
	[LOCK_ACQUIRE] = { .names = { "lock:lock_acquire" },
			   .fields = { "lockdep_addr", "name", "flags" },
			   .optional = 1U << AT_NAME },
	[LOCK_ACQUIRED] = { .names = { "lock:lock_acquired" },
			    .fields = { "lockdep_addr", "name" },
			    .optional = 1U << AT_NAME },
	[LOCK_CONTENDED] = { .names = { "lock:lock_contended" },
			     .fields = { "lockdep_addr", "name" },
			     .optional = 1U << AT_NAME },
	[LOCK_RELEASE] = { .names = { "lock:lock_release" },
			   .fields = { "lockdep_addr", "name" },
			   .optional = 1U << AT_NAME },
	[LOCK_BEGIN] = { .names = { "lock:contention_begin" },
			 .fields = { "lock_addr", "name", "flags" },
			 .optional = 1U << AT_NAME },
	[LOCK_END] = { .names = { "lock:contention_end" }, .fields = { "lock_addr" } },
};

enum lock_type lock_type_of(u64 flags)
{
	static const struct {
		u32 flags;
		enum lock_type type;
	} types[] = {
		{ 0, LOCK_SEMAPHORE },
		{ SPIN, LOCK_SPINLOCK },
		{ SPIN | READ, LOCK_RWLOCK_R },
		{ SPIN | WRITE, LOCK_RWLOCK_W },
		{ READ, LOCK_RWSEM_R },
		{ WRITE, LOCK_RWSEM_W },
		{ RT, LOCK_RT_MUTEX },
		{ RT | READ, LOCK_RWLOCK_RT_R },
		{ RT | WRITE, LOCK_RWLOCK_RT_W },
		{ PERCPU | READ, LOCK_PERCPU_SEM_R },
		{ PERCPU | WRITE, LOCK_PERCPU_SEM_W },
		{ MUTEX, LOCK_MUTEX },
		{ MUTEX | SPIN, LOCK_MUTEX },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].flags == flags)
			return types[i].type;
	return LOCK_UNKNOWN;
}

struct lock *lock_new(const struct lock_conf *conf)
{
	struct lock *k = xzalloc(sizeof(*k));

	k->conf = *conf;
	return k;
}

void lock_free(struct lock *k)
{
	if (!k)
		return;
	intern_release(&k->names);
	intern_release(&k->chains);
	intern_release(&k->keys);
	intern_release(&k->hold_keys);
	free(k->seen);
	free(k->rows);
	free(k->holds);
	free(k->tasks);
	free(k);
}

/* ---- rows ---- */

/* Return the number of a call chain; 0: it has no frames. */
static u32 chain_id(struct lock *k, const u64_una *ips, u64 nr)
{
	return nr ? intern_id(&k->chains, (const char *)ips, nr * sizeof(*ips)) : 0;
}

/* Return the number of the call chain of an event: its addresses in the kernel. */
static u32 chain_of(struct lock *k, const struct sample *s)
{
	u64 first = 0, nr = 0;

	if (!s)
		return 0;
	while (first < s->nr_callchain && s->callchain[first] >= (u64)PERF_CONTEXT_MAX &&
	       s->callchain[first] != (u64)PERF_CONTEXT_USER)
		first++;
	while (first + nr < s->nr_callchain && nr < k->conf.max_stack &&
	       s->callchain[first + nr] < (u64)PERF_CONTEXT_MAX)
		nr++;
	return chain_id(k, s->callchain + first, nr);
}

const u64_una *lock_chain(const struct lock *k, u32 chain, u32 *nr)
{
	*nr = chain < k->chains.nr ? k->chains.lens[chain] / (u32)sizeof(u64) : 0;
	return *nr ? (const u64_una *)intern_str(&k->chains, chain) : NULL;
}

static const struct chain_seen *look_at_chain(struct lock *k, u32 chain)
{
	struct chain_seen *seen;

	VEC_REACH(k->seen, chain, k->nr_seen, k->cap_seen);
	seen = &k->seen[chain];
	if (!seen->looked) {
		u32 nr;
		const u64_una *ips = lock_chain(k, chain, &nr);

		seen->looked = seen->wanted = true;
		if (k->conf.chain)
			seen->wanted = k->conf.chain(k->conf.ctx, ips, nr, &seen->caller);
	}
	return seen;
}

/* Return what rows are told apart by. The key has no padding. */
static u32 key_of(struct lock *k, const struct lock_row *row)
{
	struct {
		u64 what;
		u32 type, named;
	} key = { 0 };

	switch (k->conf.by) {
	case LOCK_BY_CALLER:
		key.what = row->caller;
		key.type = row->type;
		break;
	case LOCK_BY_CHAIN:
		key.what = row->chain;
		key.type = row->type;
		break;
	case LOCK_BY_ADDRESS:
	case LOCK_BY_FUTEX:
		key.what = row->address;
		break;
	case LOCK_BY_TASK:
	case LOCK_BY_OWNER:
		key.what = row->task;
		break;
	case LOCK_BY_OWNER_CHAIN:
		key.what = row->task;
		key.type = row->chain;
		break;
	case LOCK_BY_CGROUP:
		key.what = row->cgroup;
		break;
	case LOCK_BY_CLASS:
		key.named = !!*row->name;
		key.what = key.named ? (u64)(uintptr_t)row->name : row->caller;
		break;
	}
	return intern_id(&k->keys, (const char *)&key, sizeof(key));
}

/* Return the number of a row like this, which is made unless it is there. */
static u32 find_row(struct lock *k, const struct lock_row *row)
{
	u32 at = key_of(k, row);

	if (at < k->nr_rows)
		return at;
	VEC_REACH(k->rows, at, k->nr_rows, k->cap_rows);
	k->rows[at] = *row;
	return at;
}

static const char *name_of(struct lock *k, const struct engine_input *in)
{
	size_t len;
	const char *text = engine_text(in, AT_NAME, &len);

	return intern_str(&k->names, intern_id(&k->names, text, len));
}

/* Note the task of an event. */
static const struct task_at *task_of(struct lock *k, const struct engine_input *in)
{
	const struct task_at *task = task_table_at(k->conf.tasks, in->pid, in->tid, in->time);

	VEC_REACH(k->tasks, task->id, k->nr_tasks, k->cap_tasks);
	k->tasks[task->id] = true;
	return task;
}

u32 row_of(struct lock *k, const struct engine_input *in, enum lock_type type)
{
	const struct task_at *task = task_of(k, in);
	struct lock_row row = {
		.type = type,
		.address = engine_number(in, AT_ADDRESS),
		.cgroup = in->sample ? in->sample->cgroup : 0,
		.task = task->id,
		.name = name_of(k, in),
		.chain = chain_of(k, in->sample),
	};
	const struct lock_begin begin = { type, row.address, row.cgroup, row.name, task };
	const struct chain_seen *seen = look_at_chain(k, row.chain);

	if (!in->wanted || !in->in_time || !seen->wanted ||
	    (k->conf.wanted && !k->conf.wanted(k->conf.ctx, &begin)))
		return UINT32_MAX;
	row.caller = seen->caller;
	return find_row(k, &row);
}

void lock_add(struct lock *k, const struct lock_row *row, const u64_una *ips, u32 nr)
{
	struct lock_row add = *row;
	const struct chain_seen *seen;
	struct lock_row *sum;
	u32 at;

	add.chain = chain_id(k, ips, nr);
	add.waits = (struct lock_waits){ 0 };
	add.acquired = add.contended = 0;
	seen = look_at_chain(k, add.chain);
	if (!seen->wanted)
		return;
	add.caller = seen->caller;
	at = find_row(k, &add);
	sum = &k->rows[at];
	lock_waits_add(&sum->waits, &row->waits);
	sum->acquired += row->waits.count;
	sum->contended += row->waits.count;
}

/* ---- waits ---- */

struct hold *hold_of(struct lock *k, const struct engine_input *in)
{
	const u64 key[2] = { in->tid ? in->tid : in->cpu | OF_CPU, engine_number(in, AT_ADDRESS) };
	u32 at = intern_id(&k->hold_keys, (const char *)key, sizeof(key));
	struct hold *h;

	VEC_REACH(k->holds, at, k->nr_holds, k->cap_holds);
	h = &k->holds[at];
	if (h->last < k->lost) {
		k->missing.torn += h->state == HOLD_WAITING;
		h->state = HOLD_NONE;
	}
	h->last = in->time;
	return h;
}

void begin_wait(struct lock *k, const struct engine_input *in, struct hold *h, u32 row)
{
	h->state = row == UINT32_MAX ? HOLD_UNWANTED : HOLD_WAITING;
	h->row = row;
	h->since = in->time;
}

void end_wait(struct lock *k, const struct engine_input *in, struct hold *h)
{
	u64 ns = in->time > h->since ? in->time - h->since : 0;

	lock_waits_add(&k->rows[h->row].waits, &(struct lock_waits){ 1, ns, ns, ns });
	if (k->conf.wait)
		k->conf.wait(k->conf.ctx, in->time - ns, in->time);
	h->state = HOLD_NONE;
}

/* A wait is counted when it has ended. */
static void on_end(struct lock *k, const struct engine_input *in, struct hold *h)
{
	if (h->state != HOLD_WAITING) {
		k->missing.ends += h->state == HOLD_NONE;
		h->state = HOLD_NONE;
		return;
	}
	end_wait(k, in, h);
	k->rows[h->row].acquired++;
	k->rows[h->row].contended++;
}

static void feed_waits(struct lock *k, const struct engine_input *in)
{
	struct hold *h = hold_of(k, in);

	if (in->event == LOCK_BEGIN || in->event == LOCK_CONTENDED) {
		if (h->state == HOLD_NONE)
			begin_wait(k, in, h,
				   row_of(k, in,
					  in->event == LOCK_BEGIN
						  ? lock_type_of(engine_number(in, AT_FLAGS))
						  : LOCK_UNKNOWN));
	} else if (in->event == LOCK_END || h->state != HOLD_NONE) {
		on_end(k, in, h);
	}
}

/* ---- the engine ---- */

/* One kind of events is enough if the kernel tells of both. */
static bool takes(const struct lock *k, u32 event)
{
	u32 first = k->conf.all ? ALL_LOCKDEP : ALL_WAITS;
	u32 kind = 1U << event & ALL_WAITS ? ALL_WAITS : ALL_LOCKDEP;

	return kind == first || !(k->bound & first);
}

static void feed(void *state, const struct engine_input *in)
{
	struct lock *k = state;

	if (!takes(k, in->event))
		return;
	if (k->conf.all && 1U << in->event & ALL_LOCKDEP)
		lockdep_feed(k, in);
	else
		feed_waits(k, in);
}

static void lost(void *state, u32 cpu, u64 time)
{
	struct lock *k = state;

	k->lost = k->lost > time ? k->lost : time;
}

static void finish(void *state)
{
	struct lock *k = state;

	for (u32 i = 0; i < k->nr_holds; i++)
		k->missing.unended += k->holds[i].state == HOLD_WAITING;
}

static void bound(void *state, u32 event, const struct tf_event *format)
{
	struct lock *k = state;

	k->bound |= 1U << event;
}

struct engine lock_engine(const char *name)
{
	return (struct engine){
		.name = name,
		.record = "perf lock record",
		.events = events,
		.nr_events = LOCK_EVENTS,
		.any = true,
		.bound = bound,
		.feed = feed,
		.lost = lost,
		.finish = finish,
	};
}

/* ---- results ---- */

/* The first number of interned keys is that of nothing. */
const struct lock_row *lock_rows(const struct lock *k, size_t *nr)
{
	*nr = k->nr_rows ? k->nr_rows - 1 : 0;
	return k->nr_rows ? k->rows + 1 : NULL;
}

struct lock_missing lock_missing(const struct lock *k)
{
	struct lock_missing m = k->missing;

	for (u32 i = 1; i < k->nr_rows; i++) {
		m.rows++;
		m.broken += k->rows[i].broken;
	}
	return m;
}

bool lock_saw_task(const struct lock *k, u32 task)
{
	return task < k->nr_tasks && k->tasks[task];
}
