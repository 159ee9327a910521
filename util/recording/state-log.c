// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dropping is done in three steps: find the life that each record is about, from the fork of a tid
 * to its exit; mark the lives that are still needed, with those that they inherit from; copy the
 * records of these.
 */
#include "base/compat.h"
#include "recording/state-log.h"

#include "base/alloc.h"

#define NONE UINT32_MAX
#define SLACK ((size_t)1 << 20) /* bytes of new records before old ones are dropped */

void state_log_add(struct state_log *l, const wire_header *rec, u64 time)
{
	VEC_GROW(l->v, l->nr + 1, l->cap);
	l->v[l->nr++] = (struct logged){ time, l->bytes.len };
	strbuf_add(&l->bytes, rec, rec->size);
}

size_t state_log_grown(const struct state_log *l)
{
	return l->bytes.len - MIN(l->bytes.len, l->limit);
}

bool state_log_is_long(const struct state_log *l)
{
	return state_log_grown(l) >= SLACK;
}

void state_log_apply(void *log, struct machine *m)
{
	const struct state_log *l = log;

	for (size_t i = 0; i < l->nr; i++) {
		const wire_header *rec = state_log_record(l, i);

		machine_apply(m, rec, rec->size, l->v[i].time, NULL);
	}
}

void state_log_release(struct state_log *l)
{
	free(l->v);
	strbuf_release(&l->bytes);
	*l = (struct state_log){ 0 };
}

void state_log_drop(struct state_log *l, state_log_gone_fn *gone, void *ctx)
{
	struct state_log kept = { 0 };

	for (size_t i = 0; i < l->nr; i++)
		if (!gone(ctx, l, i))
			state_log_add(&kept, state_log_record(l, i), l->v[i].time);
	kept.limit = kept.bytes.len + kept.bytes.len / 2;
	state_log_release(l);
	*l = kept;
}

/* ---- whose a record is ---- */

/* One life of a tid. */
struct life {
	u32 tid;
	u64 last;   /* time of the last record about it */
	u32 parent; /* the life that it was forked from; NONE: nothing is inherited */
	u32 leader; /* that of its process, itself if it leads */
	bool ended, wanted;
};

struct lives {
	struct life *v; /* owned */
	u32 nr;
	size_t cap;
	struct map64 by_tid; /* the newest life */
	u32 *of_record;      /* owned; NONE: it is about no thread */
};

static u32 life_new(struct lives *l, u32 tid, u32 parent)
{
	u32 own = l->nr++;

	VEC_GROW(l->v, l->nr, l->cap);
	l->v[own] = (struct life){ .tid = tid, .parent = parent, .leader = own };
	map64_set(&l->by_tid, tid, own);
	return own;
}

static u32 life_of(struct lives *l, u32 pid, u32 tid)
{
	u32 at = map64_get(&l->by_tid, tid), leader;

	if (at != MAP64_NONE)
		return at;
	leader = pid == tid ? NONE : life_of(l, pid, pid);
	at = life_new(l, tid, NONE);
	l->v[at].leader = leader == NONE ? at : leader;
	return at;
}

static u32 note_fork(struct lives *l, const wire_header *rec)
{
	bool apart = rec->misc & PERF_RECORD_MISC_FORK_EXEC;
	struct rec_task t;
	u32 parent, leader, own, before;

	if (rec_task_decode(rec, rec->size, &t))
		return NONE;
	parent = apart || t.ptid == t.tid ? NONE : life_of(l, t.ppid, t.ptid);
	leader = t.pid == t.tid ? NONE : life_of(l, t.pid, t.pid);
	before = map64_get(&l->by_tid, t.tid);
	if (before != MAP64_NONE)
		l->v[before].ended = true;
	own = life_new(l, t.tid, parent);
	if (leader != NONE)
		l->v[own].leader = leader;
	return own;
}

static u32 note_exit(struct lives *l, const wire_header *rec)
{
	struct rec_task t;
	u32 own;

	if (rec_task_decode(rec, rec->size, &t))
		return NONE;
	own = life_of(l, t.pid, t.tid);
	l->v[own].ended = true;
	return own;
}

static u32 note_comm(struct lives *l, const wire_header *rec)
{
	struct rec_comm c;
	u32 own;

	if (rec_comm_decode(rec, rec->size, &c))
		return NONE;
	own = life_of(l, c.pid, c.tid);
	if (c.exec)
		l->v[own].parent = NONE;
	return own;
}

static u32 note_map(struct lives *l, const wire_header *rec)
{
	struct rec_mmap m;

	if (rec_mmap_decode(rec, rec->size, &m) || m.pid == UINT32_MAX)
		return NONE;
	return life_of(l, m.pid, m.pid);
}

static u32 note_namespaces(struct lives *l, const wire_header *rec)
{
	struct rec_namespaces n;

	return rec_namespaces_decode(rec, rec->size, &n) ? NONE : life_of(l, n.pid, n.tid);
}

static u32 note(struct lives *l, const wire_header *rec)
{
	switch (rec->type) {
	case PERF_RECORD_FORK:
		return note_fork(l, rec);
	case PERF_RECORD_EXIT:
		return note_exit(l, rec);
	case PERF_RECORD_COMM:
		return note_comm(l, rec);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return note_map(l, rec);
	case PERF_RECORD_NAMESPACES:
		return note_namespaces(l, rec);
	default:
		return NONE;
	}
}

/* ---- what is needed ---- */

/* Want a life, and all that it inherits from. */
static void want(struct lives *l, u32 first)
{
	u32 *pending = NULL;
	size_t nr = 0, cap = 0;

	VEC_GROW(pending, nr + 1, cap);
	pending[nr++] = first;
	while (nr) {
		struct life *life = &l->v[pending[--nr]];

		if (life->wanted)
			continue;
		life->wanted = true;
		VEC_GROW(pending, nr + 2, cap);
		pending[nr++] = life->leader;
		if (life->parent != NONE)
			pending[nr++] = life->parent;
	}
	free(pending);
}

/* Tell whether a life is over. The record of its exit may have been lost. */
static bool is_over(const struct life *life, u64 now, bool (*runs)(u32 tid))
{
	if (life->ended || !runs || !life->tid || life->last + STATE_LOG_SILENT > now)
		return life->ended;
	return !runs(life->tid);
}

static void want_all(struct lives *l, const struct map64 *needed, u64 now, bool (*runs)(u32 tid))
{
	for (u32 i = 0; i < l->nr; i++)
		if (map64_get(needed, l->v[i].tid) != MAP64_NONE || !is_over(&l->v[i], now, runs))
			want(l, i);
}

static bool is_unwanted(void *ctx, const struct state_log *l __unused, size_t i)
{
	const struct lives *lives = ctx;
	u32 own = lives->of_record[i];

	return own != NONE && !lives->v[own].wanted;
}

void state_log_drop_ended(struct state_log *l, const struct map64 *needed, bool (*runs)(u32 tid))
{
	struct lives lives = { .of_record = xcalloc(l->nr + 1, sizeof(*lives.of_record)) };
	u64 now = 0;

	for (size_t i = 0; i < l->nr; i++) {
		u32 own = lives.of_record[i] = note(&lives, state_log_record(l, i));

		now = MAX(now, l->v[i].time);
		if (own != NONE)
			lives.v[own].last = l->v[i].time;
	}
	want_all(&lives, needed, now, runs);
	state_log_drop(l, is_unwanted, &lives);
	free(lives.v);
	free(lives.of_record);
	map64_release(&lives.by_tid);
}
