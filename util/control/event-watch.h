/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event watch waits for events that are not recorded themselves: each of their samples wakes the
 * event loop, and says no more than whose it is and when it was taken. Samples of our own process
 * are passed over.
 *
 *	w = (struct event_watch){ .list = &events, .ready = on_ready, .ctx = x };
 *	rc = event_watch_open(&w, &where, inherit, loop, &err);
 *	...on_ready() calls event_watch_read(&w)...
 *	event_watch_release(&w);
 */
#ifndef PERF_CONTROL_EVENT_WATCH_H
#define PERF_CONTROL_EVENT_WATCH_H

#include "kernel/event-loop.h"
#include "kernel/open.h"
#include "kernel/ring.h"

struct event_watch {
	struct evlist *list; /* borrowed; what to wait for */
	/* Called when there may be samples, with what an event loop takes as the result. */
	int (*ready)(void *ctx, struct err *err);
	void *ctx;

	struct kevents events;
	struct rings rings;
	struct event_loop *loop; /* borrowed; since event_watch_open() */
};

/**
 * event_watch_open - open the events of w->list, count from now on, and have @loop wait for their
 * samples. The attrs of the list are set up for that.
 * @o: where the events are opened; @inherit: children of the threads are watched, too
 *
 * Return: 0, or negative errno and a sentence. event_watch_release() has to be called either way.
 */
int event_watch_open(struct event_watch *w, const struct open_opts *o, bool inherit,
		     struct event_loop *loop, struct err *err);
/**
 * event_watch_read - take the samples that have come since the last call.
 * @last: is set to the time of the latest one, by the clock of perf; unchanged when there is none
 *
 * Return: how many there were.
 */
size_t event_watch_read(struct event_watch *w, u64 *last);
/** event_watch_release - close the events and free what was allocated. */
void event_watch_release(struct event_watch *w);

#endif
