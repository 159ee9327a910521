// SPDX-License-Identifier: GPL-2.0-or-later
/* This file finds the inlined calls of a function, and sums what was counted in their callees. */
#include "base/compat.h"

#include "annotate/annotate-internal.h"

#include "base/alloc.h"

/* ---- numbers of calls ---- */

/* Return the number of a call. */
static u32 number_of(struct annotation *a, struct inline_numbers *numbers,
		     const struct annotate_inline *call)
{
	u32 number = intern_id(&numbers->by_call, (const char *)call, sizeof(*call));

	VEC_GROW(a->inlines, number + (size_t)1, a->cap_inlines);
	a->nr_inlines = MAX(a->nr_inlines, number + (size_t)1);
	a->inlines[number] = *call;
	return number;
}

u32 annotate_inlined(struct annotation *a, struct inline_numbers *numbers,
		     const struct inline_frame *frames, u32 nr,
		     u32 (*put)(void *ctx, const char *name), void *ctx)
{
	struct annotate_inline call = { 0 };

	for (u32 i = nr; i-- > 0;) {
		call.function = put(ctx, frames[i].name);
		call.file = put(ctx, frames[i + 1].file);
		call.line = frames[i + 1].line;
		call.outer = number_of(a, numbers, &call);
	}
	return call.outer;
}

/* ---- sums by callee ---- */

struct summing {
	const struct annotation *a;
	struct intern by_name;
	u32 *callee; /* by inlined call */
	struct annotate_callee *callees;
	size_t nr, cap;
};

/* Find the callee of each inlined call; the same function may be called from several places. */
static void find_callees(struct summing *s)
{
	const struct annotation *a = s->a;

	intern_str_id(&s->by_name, "");
	for (size_t i = 1; i < a->nr_inlines; i++) {
		const struct annotate_inline *call = &a->inlines[i];
		u32 id = intern_str_id(&s->by_name, annotation_text(a, call->function));
		u32 at = id ? id - 1 : UINT32_MAX; /* 0: a call of no known name */

		s->callee[i] = at;
		if (!id)
			continue;
		VEC_GROW(s->callees, at + (size_t)1, s->cap);
		if (at >= s->nr) {
			s->nr = at + (size_t)1;
			s->callees[at] = (struct annotate_callee){
				.function = call->function,
				.file = call->file,
				.line = call->line,
				.self = xcalloc(a->nr_events, sizeof(struct annotate_hits)),
				.total = xcalloc(a->nr_events, sizeof(struct annotate_hits)),
			};
		}
		s->callees[at].nr_calls++;
	}
}

/* Is the callee of an inlined call that of one inside of it, from @inner on? */
static bool counted_inside(const struct summing *s, u32 inner, u32 call)
{
	for (u32 i = inner; i != call; i = s->a->inlines[i].outer)
		if (s->callee[i] == s->callee[call])
			return true;
	return false;
}

static void add_hits(struct annotate_hits *to, const struct annotate_hits *from, u32 nr_events)
{
	for (u32 e = 0; e < nr_events; e++) {
		to[e].samples += from[e].samples;
		to[e].period += from[e].period;
	}
}

static void add_line(struct summing *s, size_t i)
{
	const struct annotation *a = s->a;
	const struct annotate_hits *hits = annotation_hits(a, i, 0);
	u32 inner = a->lines[i].inlined;

	for (u32 call = inner; call; call = a->inlines[call].outer) {
		struct annotate_callee *c;

		if (s->callee[call] == UINT32_MAX || counted_inside(s, inner, call))
			continue;
		c = &s->callees[s->callee[call]];
		add_hits(c->total, hits, a->nr_events);
		if (call == inner)
			add_hits(c->self, hits, a->nr_events);
	}
}

struct order {
	const struct annotation *a;
	const u32 *events;
	size_t nr_events;
};

static int by_total(const void *x, const void *y, void *ctx)
{
	const struct annotate_callee *a = x, *b = y;
	const struct order *order = ctx;

	for (size_t i = 0; i < order->nr_events; i++) {
		u64 left = a->total[order->events[i]].period;
		u64 right = b->total[order->events[i]].period;

		if (left != right)
			return left > right ? -1 : 1;
	}
	return strcmp(annotation_text(order->a, a->function),
		      annotation_text(order->a, b->function));
}

static void callee_release(struct annotate_callee *c)
{
	free(c->self);
	free(c->total);
}

/* Leave out the callees in which nothing was counted. */
static void drop_empty(struct summing *s, const struct order *order)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->nr; i++) {
		u64 samples = 0;

		for (size_t e = 0; e < order->nr_events; e++)
			samples += s->callees[i].total[order->events[e]].samples;
		if (samples)
			s->callees[nr++] = s->callees[i];
		else
			callee_release(&s->callees[i]);
	}
	s->nr = nr;
}

struct annotate_callee *annotation_callees(const struct annotation *a, const u32 *events,
					   size_t nr_events, size_t *nr)
{
	struct summing s = { .a = a };
	struct order order = { a, events, nr_events };

	s.callee = xcalloc(a->nr_inlines + 1, sizeof(*s.callee));
	find_callees(&s);
	for (size_t i = 0; i < a->nr; i++)
		if (a->lines[i].kind == ANNOTATE_INSN && a->lines[i].inlined)
			add_line(&s, i);
	drop_empty(&s, &order);
	if (s.nr)
		qsort_r(s.callees, s.nr, sizeof(*s.callees), by_total, &order);
	intern_release(&s.by_name);
	free(s.callee);
	*nr = s.nr;
	return s.callees;
}

void annotate_callees_free(struct annotate_callee *callees, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		callee_release(&callees[i]);
	free(callees);
}
