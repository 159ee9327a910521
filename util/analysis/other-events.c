// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analysis/other-events.h"

#include "analyze/reach.h"
#include "base/alloc.h"

struct other_events {
	struct task_table *tasks; /* borrowed */
	struct other_marks result;
	u32 most;
	size_t cap, cap_events;
	u32 *number_of; /* owned; by number in the recording's list: that in events + 1; 0: none */
	u32 nr_number_of;
	size_t cap_number_of;
};

struct other_events *other_events_new(struct task_table *tasks, u32 most)
{
	struct other_events *o = xzalloc(sizeof(*o));

	o->tasks = tasks;
	o->most = most ? MAX(most, 2U) : OTHER_MARKS;
	return o;
}

void other_events_free(struct other_events *o)
{
	if (!o)
		return;
	free(o->result.v);
	free(o->result.events);
	free(o->number_of);
	free(o);
}

const struct other_marks *other_events_result(const struct other_events *o)
{
	return &o->result;
}

/* Return the number of an event that has marks; UINT16_MAX: there are too many events. */
static u16 number_of(struct other_events *o, u32 event)
{
	struct other_marks *r = &o->result;

	VEC_REACH(o->number_of, event, o->nr_number_of, o->cap_number_of);
	if (!o->number_of[event]) {
		if (r->nr_events == UINT16_MAX)
			return UINT16_MAX;
		VEC_GROW(r->events, r->nr_events + 1, o->cap_events);
		r->events[r->nr_events] = (struct other_event){ .event = event };
		o->number_of[event] = ++r->nr_events;
	}
	return (u16)(o->number_of[event] - 1);
}

/* Leave out every second mark of the event that has most of them. The first one stays, so that
 * those that stay are the ones that a doubled distance would have chosen. */
static void thin_out(struct other_events *o)
{
	struct other_marks *r = &o->result;
	u32 most = 0, nr = 0, turn = 0;

	for (u32 i = 1; i < r->nr_events; i++)
		if (r->events[i].kept > r->events[most].kept)
			most = i;
	for (u32 i = 0; i < r->nr; i++)
		if (r->v[i].event != most || turn++ % 2 == 0)
			r->v[nr++] = r->v[i];
	r->events[most].kept -= r->nr - nr;
	r->events[most].shift++;
	r->nr = nr;
}

static u32 task_of(struct other_events *o, const struct engine_input *in)
{
	if (!in->tid || in->tid == UINT32_MAX)
		return OTHER_NO_TASK;
	return task_table_at(o->tasks, in->pid, in->tid, in->time)->id;
}

static void feed(void *state, const struct engine_input *in)
{
	struct other_events *o = state;
	struct other_marks *r = &o->result;
	struct other_event *event;
	u16 number;

	if (!in->wanted || !in->in_time)
		return;
	r->seen++;
	number = number_of(o, in->event);
	if (number == UINT16_MAX)
		return;
	event = &r->events[number];
	if (event->seen++ & ((1ULL << event->shift) - 1))
		return;
	VEC_GROW(r->v, r->nr + 1, o->cap);
	r->v[r->nr++] = (struct other_mark){
		.time = in->time,
		.place = in->place,
		.task = task_of(o, in),
		.cpu = (u16)MIN(in->cpu, (u32)OTHER_NO_CPU),
		.event = number,
	};
	event->kept++;
	if (r->nr > o->most)
		thin_out(o);
}

const struct engine *other_events_engine(void)
{
	static const struct engine e = {
		.name = "other events",
		.rest = true,
		.feed = feed,
	};

	return &e;
}
