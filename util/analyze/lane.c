// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/compat.h"

#include "analyze/lane.h"

#include "base/alloc.h"
#include "base/bisect.h"
#include "codec/leb.h"

#define KIND_BITS 4
#define CHANGE_BYTES 16 /* the most that a change takes: 10 and 5, rounded up */
#define LEAST_BYTES 32  /* most lanes are of tasks that live shortly */

_Static_assert(LANE_KINDS <= 1 << KIND_BITS, "a kind fits its bits");

const char *lane_kind_name(enum lane_kind kind)
{
	static const char *const names[LANE_KINDS] = { "nothing known", "running", "runnable",
						       "sleeping",      "blocked", "idle",
						       "interrupt",     "softirq", "frequency" };

	return names[kind];
}

void lane_release(struct lane *l)
{
	free(l->bytes);
	free(l->stops);
	free(l->window);
	*l = (struct lane){ 0 };
}

/* ---- filling ---- */

static void put_number(struct lane *l, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		l->bytes[l->len++] = (u8)(v | 0x80);
	l->bytes[l->len++] = (u8)v;
}

void lane_add(struct lane *l, u64 time, enum lane_kind kind, u32 value)
{
	struct lane_stop *last = &l->last;
	u64 passed;

	if (kind == last->kind && value == last->value) /* which is nothing in an empty lane */
		return;
	/* Offsets have 32 bits. No recording that is read in practice gets there. */
	if (unlikely(l->len > UINT32_MAX - CHANGE_BYTES))
		return;
	if (!l->nr)
		l->first = last->time = time;
	passed = time > last->time ? MIN(time - last->time, UINT64_MAX >> KIND_BITS) : 0;
	VEC_GROW_FROM(l->bytes, (size_t)l->len + CHANGE_BYTES, l->cap, LEAST_BYTES);
	put_number(l, passed << KIND_BITS | kind);
	put_number(l, value);
	last->sums[last->kind] += passed;
	last->time += passed;
	last->kind = kind;
	last->value = value;
	last->at = l->len;
	if (++l->nr % LANE_STRIDE)
		return;
	VEC_GROW_FROM(l->stops, l->nr_stops + 1, l->cap_stops, 4);
	l->stops[l->nr_stops++] = *last;
}

/* Write an interval for each kind of the window; the last one is that of now, which goes on.
 * Return: how many changes are left out. */
static u32 close_window(struct lane *l)
{
	struct lane_window *w = l->window;
	u32 before = l->nr;
	u64 at = w->start;

	for (u32 kind = 0; kind < LANE_KINDS; kind++) {
		if (kind == w->kind || !w->sums[kind])
			continue;
		lane_add(l, at, (enum lane_kind)kind, w->values[kind]);
		at += w->sums[kind];
	}
	lane_add(l, at, w->kind, w->values[w->kind]);
	return w->nr - MIN(w->nr, l->nr - before);
}

u32 lane_add_coarse(struct lane *l, u64 grain, u64 time, enum lane_kind kind, u32 value)
{
	struct lane_window *w = l->window;
	u32 left_out = 0;

	if (!w && (!grain || !l->nr)) {
		lane_add(l, time, kind, value);
		return 0;
	}
	if (!w) {
		w = l->window = xzalloc(sizeof(*w));
	} else if (time < w->start + grain) {
		w->sums[w->kind] += time - MIN(w->since, time);
	} else {
		left_out = close_window(l);
		*w = (struct lane_window){ 0 };
	}
	if (!w->nr++)
		w->start = time;
	w->since = MAX(w->since, time);
	w->kind = kind;
	w->values[kind] = value;
	return left_out;
}

void lane_finish(struct lane *l, u64 end)
{
	if (l->window)
		close_window(l);
	free(l->window);
	l->window = NULL;
	l->end = MAX(end, l->last.time);
	if (!l->nr)
		return;
	l->cap = l->len;
	l->bytes = xrealloc(l->bytes, l->cap, 1);
	if (!l->nr_stops)
		return;
	l->cap_stops = l->nr_stops;
	l->stops = xrealloc(l->stops, l->cap_stops, sizeof(*l->stops));
}

/* ---- reading ---- */

/* Read the change behind the place of @s, which moves there. */
static bool step(const struct lane *l, struct lane_stop *s)
{
	struct cur c;
	u64 passed;

	if (s->at >= l->len)
		return false;
	c = cur_make(l->bytes + s->at, l->len - s->at, false);
	passed = cur_uleb(&c);
	s->sums[s->kind] += passed >> KIND_BITS;
	s->time += passed >> KIND_BITS;
	s->kind = (enum lane_kind)(passed & ((1U << KIND_BITS) - 1));
	s->value = (u32)cur_uleb(&c);
	s->at = (u32)(c.p - l->bytes);
	return true;
}

/* Return the state of the lane at a time: after the last change that is not behind it. */
static struct lane_stop state_at(const struct lane *l, u64 time)
{
	size_t stop = FIRST_BEHIND(l->stops, l->nr_stops, time, time);
	struct lane_stop s = stop ? l->stops[stop - 1] : (struct lane_stop){ .time = l->first };
	struct lane_stop next = s;

	while (step(l, &next) && next.time <= time)
		s = next;
	return s;
}

void lane_seek(struct lane_cursor *c, const struct lane *l, u64 time)
{
	*c = (struct lane_cursor){ .lane = l, .over = !l->nr || time >= l->end };
	if (c->over)
		return;
	c->at = state_at(l, time);
	if (!c->at.at) /* the first change is behind @time */
		step(l, &c->at);
}

const struct lane_interval *lane_next(struct lane_cursor *c)
{
	struct lane_interval *i = &c->now;

	while (!c->over) {
		*i = (struct lane_interval){ c->at.time, 0, c->at.kind, c->at.value };
		c->over = !step(c->lane, &c->at);
		i->end = c->over ? c->lane->end : c->at.time;
		if (i->end > i->start)
			return i;
	}
	return NULL;
}

/* Compute the sums from the beginning of the lane to a time. */
static void sums_until(const struct lane *l, u64 time, u64 sums[LANE_KINDS])
{
	struct lane_stop s = state_at(l, time);

	memcpy(sums, s.sums, sizeof(s.sums));
	if (time > s.time)
		sums[s.kind] += MIN(time, l->end) - s.time;
}

void lane_sums(const struct lane *l, u64 from, u64 to, u64 sums[LANE_KINDS])
{
	u64 before[LANE_KINDS], known = 0;

	memset(sums, 0, LANE_KINDS * sizeof(*sums));
	if (to <= from)
		return;
	if (l->nr) {
		sums_until(l, from, before);
		sums_until(l, to, sums);
		for (u32 k = 0; k < LANE_KINDS; k++)
			known += sums[k] -= before[k];
	}
	sums[LANE_NONE] += to - from - known;
}
