// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
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
	}
}

u64 wall_away(const struct wall *w, u32 tid, u64 time, u64 until, bool *preempted)
{
	u32 at = map64_get(&w->by_tid, tid);
	const struct wall_thread *t = at == MAP64_NONE ? NULL : &w->threads[at];
	size_t lo = 0, hi = t ? t->nr : 0;
	u64 in;

	*preempted = false;
	while (lo < hi) { /* the first gap that does not begin before the sample */
		size_t mid = lo + (hi - lo) / 2;

		if (t->gaps[mid].out < time)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!t || lo == t->nr)
		return 0;
	*preempted = t->gaps[lo].preempted;
	in = t->gaps[lo].in;
	if (!in)
		in = t->ended || lo + 1 < t->nr ? 0 : until;
	return in > time && in - time >= w->min_block ? in - time : 0;
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

const u64 *wall_chain_at(struct wall_chains *c, const struct sample *s, enum wait_kind kind,
			 u64 *nr)
{
	u64 from = s->nr_callchain && s->callchain[0] == (u64)PERF_CONTEXT_KERNEL;

	if (c->cap < s->nr_callchain + 2) {
		c->cap = (s->nr_callchain + 2) * 2;
		c->chain = xrealloc(c->chain, c->cap, sizeof(*c->chain));
	}
	c->chain[0] = (u64)PERF_CONTEXT_KERNEL;
	c->chain[1] = wait_address(kind);
	for (u64 i = from; i < s->nr_callchain; i++)
		c->chain[2 + i - from] = s->callchain[i];
	*nr = s->nr_callchain - from + 2;
	return c->chain;
}

const u64 *wall_chain(struct wall_chains *c, const struct machine *m, struct symbols *symbols,
		      const struct sample *s, bool preempted, u64 *nr, enum wait_kind *kind)
{
	*kind = find_kind(c, m, symbols, s);
	if (!*kind)
		*kind = preempted ? WAIT_PREEMPTED : WAIT_OTHER;
	return wall_chain_at(c, s, *kind, nr);
}

void wall_chains_release(struct wall_chains *c)
{
	free(c->chain);
	map64_release(&c->kinds);
}
