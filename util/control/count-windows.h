/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows of time in which events count: each opens when one event happens, and closes when another
 * one does (--begin, --end). An event counts by its time: of what has happened since the last look,
 * the latest decides.
 */
#ifndef PERF_CONTROL_COUNT_WINDOWS_H
#define PERF_CONTROL_COUNT_WINDOWS_H

#include "control/event-watch.h"

/* The caller sets the first part before count_windows_start(); all pointers are borrowed. */
struct count_windows {
	struct event_watch begin, end; /* only their lists; an empty one: nothing begins, or ends */
	void (*measure)(void *ctx, bool on); /* is called when a window has opened or closed */
	void *ctx;
	bool last; /* without events that begin, the first end gives EVENT_LOOP_STOP */

	bool open;
	u64 begun, ended; /* times of the latest of the two; 0: none has happened yet */
	u64 since;        /* time of the event that has opened the current window */
	u64 nr;           /* windows that were opened by an event */
	u64 missed;       /* windows that had closed before it was seen that they were open */
};

/** count_windows_given - tell whether there are events that open or close windows. */
bool count_windows_given(const struct count_windows *w);
/**
 * count_windows_start - watch the events. Without any that open windows, one is open from the
 * start.
 * @o: where the events are opened; @inherit: children of the threads are watched, too
 *
 * Return: 0, or negative errno and a sentence. count_windows_release() has to be called either way.
 */
int count_windows_start(struct count_windows *w, const struct open_opts *o, bool inherit,
			struct event_loop *loop, struct err *err);
/**
 * count_windows_turn - open or close a window, after events have happened.
 * @begins, @ends: how many, which w->begun and w->ended have the latest times of
 *
 * Return: what the event loop is to return.
 */
int count_windows_turn(struct count_windows *w, size_t begins, size_t ends);
/** count_windows_release - stop watching and free what was allocated. */
void count_windows_release(struct count_windows *w);

#endif
