// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/bisect.h"
#include "profile/wall.h"

#include "base/alloc.h"
#include "resolve/resolve.h"
#include "wire/records.h"

/* ---- the events ---- */

static bool is_software(const struct evsel *e, const char *name, u64 config)
{
	return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == config &&
	       !strcmp(e->name, name);
}

void wall_find(struct wall *w, const struct evlist *l)
{
	bool clock = false, blocked = false;

	for (u32 i = 0; i < l->nr; i++) {
		const struct evsel *e = l->evsels[i];

		if (is_software(e, EVENT_WALL_CLOCK, PERF_COUNT_SW_TASK_CLOCK)) {
			w->clock = i;
			clock = true;
		} else if (is_software(e, EVENT_WALL_BLOCKED, PERF_COUNT_SW_CONTEXT_SWITCHES)) {
			w->blocked = i;
			w->min_block = e->attr.config2;
			blocked = true;
		} else if (is_software(e, "offcpu-time", PERF_COUNT_SW_BPF_OUTPUT)) {
			w->sleeps = i;
			w->has_sleeps = true;
		}
	}
	w->active = clock && blocked;
}

/* ---- switches ---- */

static struct wall_thread *thread_of(struct wall *w, u32 tid)
{
	u32 *at = map64_slot(&w->by_tid, tid);

	if (*at == MAP64_NONE) {
		*at = (u32)w->nr;
		VEC_GROW(w->threads, w->nr + 1, w->cap);
		w->threads[w->nr++] = (struct wall_thread){ 0 };
	}
	return &w->threads[*at];
}

static void note_switch(struct wall *w, const struct session_event *ev)
{
	struct wall_thread *t;

	if (!ev->id.tid || ev->id.tid == (u32)-1)
		return; /* idle, or not told */
	t = thread_of(w, ev->id.tid);
	if (ev->hdr->misc & PERF_RECORD_MISC_SWITCH_OUT) {
		VEC_GROW(t->gaps, t->nr + 1, t->cap);
		t->gaps[t->nr++] = (struct wall_gap){
			.out = ev->time,
			.preempted = ev->hdr->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT,
		};
		t->ended = false;
	} else if (t->nr && !t->gaps[t->nr - 1].in) {
		t->gaps[t->nr - 1].in = ev->time;
	}
}

void wall_note(struct wall *w, const struct session_event *ev)
{
	struct rec_task r;

	switch (ev->hdr->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		note_switch(w, ev);
		break;
	case PERF_RECORD_EXIT:
		if (!rec_task_decode(ev->hdr, ev->hdr->size, &r))
			thread_of(w, r.tid)->ended = true;
		break;
	default:
		return;
	}
	w->end = MAX(w->end, ev->time);
}

/* Return the first gap of a thread that does not begin before @time; NULL: none. */
static const struct wall_gap *gap_from(const struct wall_thread *t, u64 time)
{
	size_t lo = FIRST_FROM(t->gaps, t->nr, out, time);

	return lo < t->nr ? &t->gaps[lo] : NULL;
}

struct wall_absence wall_away(const struct wall *w, u32 tid, u64 time, u64 until)
{
	u32 at = map64_get(&w->by_tid, tid);
	const struct wall_thread *t = at == MAP64_NONE ? NULL : &w->threads[at];
	const struct wall_gap *gap = t ? gap_from(t, time) : NULL;
	struct wall_absence away = { 0 };
	u64 in;

	if (!gap)
		return away;
	away.preempted = gap->preempted;
	away.unfinished = !gap->in && !t->ended && gap == &t->gaps[t->nr - 1];
	in = away.unfinished ? until : gap->in;
	if (in > time && in - time >= w->min_block)
		away.ns = in - time;
	return away;
}

void wall_release(struct wall *w)
{
	for (size_t i = 0; i < w->nr; i++)
		free(w->threads[i].gaps);
	free(w->threads);
	map64_release(&w->by_tid);
	*w = (struct wall){ 0 };
}

/* ---- stacks ---- */

static enum wait_kind kind_of(struct wall_chains *c, const struct machine *m,
			      struct symbols *symbols, u64 addr)
{
	u32 *kind = map64_slot(&c->kinds, addr);
	const char *name;
	u64 start;

	if (*kind == MAP64_NONE) {
		name = resolve_kernel_name(m, symbols, addr, &start);
		*kind = name ? wait_of_function(name) : WAIT_NONE;
	}
	return (enum wait_kind) * kind;
}

/* The innermost function of the kernel that says something of it decides. */
static enum wait_kind find_kind(struct wall_chains *c, const struct machine *m,
				struct symbols *symbols, const struct sample *s)
{
	bool kernel = s->cpumode == PERF_RECORD_MISC_KERNEL;
	enum wait_kind kind = WAIT_NONE;

	for (u64 i = 0; i < s->nr_callchain && !kind; i++) {
		u64 word = s->callchain[i];

		if (word >= (u64)PERF_CONTEXT_MAX)
			kernel = word == (u64)PERF_CONTEXT_KERNEL;
		else if (kernel)
			kind = kind_of(c, m, symbols, word);
	}
	return kind;
}

enum wait_kind wall_kind(struct wall_chains *c, const struct machine *m, struct symbols *symbols,
			 const struct sample *s, bool preempted)
{
	enum wait_kind kind = find_kind(c, m, symbols, s);

	return kind ?: preempted ? WAIT_PREEMPTED : WAIT_OTHER;
}

const u64 *wall_chain(struct wall_chains *c, const struct sample *s, enum wait_kind kind,
		      bool unfinished, u64 *nr)
{
	u64 from = s->nr_callchain && s->callchain[0] == (u64)PERF_CONTEXT_KERNEL, n = 0;

	if (c->cap < s->nr_callchain + 3) {
		c->cap = (s->nr_callchain + 3) * 2;
		c->chain = xrealloc(c->chain, c->cap, sizeof(*c->chain));
	}
	c->chain[n++] = (u64)PERF_CONTEXT_KERNEL;
	if (unfinished)
		c->chain[n++] = wait_address(WAIT_UNFINISHED);
	if (kind)
		c->chain[n++] = wait_address(kind);
	for (u64 i = from; i < s->nr_callchain; i++)
		c->chain[n++] = s->callchain[i];
	*nr = n;
	return c->chain;
}

void wall_chains_release(struct wall_chains *c)
{
	free(c->chain);
	map64_release(&c->kinds);
}
