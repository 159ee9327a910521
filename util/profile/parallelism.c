// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"
#include "base/bisect.h"

#include "profile/parallelism.h"

#include "base/alloc.h"
#include "wire/records.h"

static void step(struct parallelism *p, u64 time, int by)
{
	p->running += by;
	VEC_GROW(p->steps, p->nr + 1, p->cap);
	p->steps[p->nr++] = (struct parallel_step){ time, p->running };
}

static void comes(struct parallelism *p, u32 tid, u64 time)
{
	u32 *running = map64_slot(&p->threads, tid);

	if (*running == 1)
		return;
	*running = 1;
	step(p, time, 1);
}

/* Note that a thread leaves its CPU. If nothing was heard of it before, it has run from the
 * start. */
static void goes(struct parallelism *p, u32 tid, u64 time)
{
	u32 *running = map64_slot(&p->threads, tid);

	if (!*running)
		return;
	p->early += *running == MAP64_NONE;
	*running = 0;
	step(p, time, -1);
}

static void note_task(struct parallelism *p, const struct session_event *ev)
{
	struct rec_task r;

	if (rec_task_decode(ev->hdr, ev->hdr->size, &r) || !r.tid)
		return;
	if (ev->hdr->type == PERF_RECORD_EXIT)
		goes(p, r.tid, ev->time);
	else if (ev->time) /* those with no time were there before the recording */
		map64_set(&p->threads, r.tid, 0);
}

/* A program that is run has not been switched to since its events began to count. */
static void note_exec(struct parallelism *p, const struct session_event *ev)
{
	struct rec_comm r;

	if (ev->hdr->misc & PERF_RECORD_MISC_COMM_EXEC &&
	    !rec_comm_decode(ev->hdr, ev->hdr->size, &r) && r.tid)
		comes(p, r.tid, ev->time);
}

void parallelism_note(struct parallelism *p, const struct session_event *ev)
{
	switch (ev->hdr->type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		if (!ev->id.tid || ev->id.tid == (u32)-1)
			return; /* idle, or not told */
		if (ev->hdr->misc & PERF_RECORD_MISC_SWITCH_OUT)
			goes(p, ev->id.tid, ev->time);
		else
			comes(p, ev->id.tid, ev->time);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: /* no switch follows */
		note_task(p, ev);
		break;
	case PERF_RECORD_COMM:
		note_exec(p, ev);
		break;
	}
}

/* Return how many steps were made up to a time. */
static size_t steps_until(const struct parallelism *p, u64 time, size_t near)
{
	size_t from = 0;

	if (near <= p->nr && (!near || p->steps[near - 1].time <= time)) {
		for (int i = 0; i < 8; i++, near++)
			if (near == p->nr || p->steps[near].time > time)
				return near;
		from = near;
	}
	return from + FIRST_BEHIND(p->steps + from, p->nr - from, time, time);
}

u32 parallelism_at(const struct parallelism *p, u64 time, u32 cpus, size_t *hint)
{
	s64 running = p->early;

	*hint = steps_until(p, time, *hint);
	if (*hint)
		running += p->steps[*hint - 1].running;
	if (cpus && running > cpus)
		running = cpus;
	return running < 1 ? 1 : (u32)MIN(running, (s64)UINT32_MAX);
}

void parallelism_release(struct parallelism *p)
{
	free(p->steps);
	map64_release(&p->threads);
	*p = (struct parallelism){ 0 };
}
