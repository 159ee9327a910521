// SPDX-License-Identifier: GPL-2.0-or-later
/* Start and stop counting when it is time. */
#include "base/compat.h"
#include "recorder/delay.h"

#include "base/clock.h"
#include "recorder/off-cpu.h"

#include <time.h>

void counting_enable(const struct counting *c, bool on)
{
	kevents_enable(c->kevents, on);
	sleeps_enable(c->sleeps, on);
}

void counting_set(const struct counting *c, bool on)
{
	for (size_t i = 0; i < c->kevents->nr; i++) {
		const struct evsel *e = c->list->evsels[c->kevents->fds[i].evsel];

		/* Maps and names of what runs while nothing is sampled are needed afterwards. */
		if (on || !e->terms.carries)
			kfd_enable(&c->kevents->fds[i], on);
	}
	sleeps_enable(c->sleeps, on);
}

void counting_measure(const struct counting *c, bool on)
{
	counting_set(c, on);
	notice(c->notes, "Events %s\n", on ? "enabled" : "disabled");
}

static u64 now_ms(void)
{
	return clock_ns(CLOCK_MONOTONIC) / 1000000;
}

static int on_delay_over(void *ctx, int timer, u32 events __unused, struct err *err __unused)
{
	const struct delay *d = ctx;

	event_loop_forget(d->loop, timer);
	counting_measure(d->counting, true);
	return EVENT_LOOP_GO_ON;
}

static int on_span(void *ctx, int timer, u32 events, struct err *err);

/* Set the timer of a span. @at: milliseconds from the start */
static int span_timer(struct delay *d, u64 at, struct err *err)
{
	u64 gone = now_ms() - d->start_ms;
	int timer = event_loop_timer(d->loop, at > gone ? at - gone : 0, 0, on_span, d, err);

	return MIN(timer, 0);
}

/* A span begins, or the one we are in ends. */
static int on_span(void *ctx, int timer, u32 events __unused, struct err *err)
{
	struct delay *d = ctx;
	const struct delay_span *s = &d->spans->v[d->span];

	event_loop_forget(d->loop, timer);
	d->in_span = !d->in_span;
	counting_measure(d->counting, d->in_span);
	if (d->in_span)
		return span_timer(d, s->to, err);
	if (++d->span == d->spans->nr)
		return EVENT_LOOP_STOP;
	return span_timer(d, s[1].from, err);
}

int delay_start(struct delay *d, const struct record_opts *o, const struct counting *c,
		struct event_loop *loop, struct err *err)
{
	int timer;

	d->counting = c;
	d->spans = &o->spans;
	d->loop = loop;
	d->start_ms = now_ms();
	if (o->spans.nr)
		return span_timer(d, o->spans.v[0].from, err);
	if (o->delay_ms <= 0)
		return 0;
	timer = event_loop_timer(loop, (u64)o->delay_ms, 0, on_delay_over, d, err);
	return MIN(timer, 0);
}
