/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sleeps of threads as samples of an event "offcpu-time", whose period is the time in ns. The
 * event is opened like others, for its ids; its samples are made here, in the layout that perf 6.1
 * has for them, so that every perf reads them. A sleep that had not ended when the recording did
 * has PERF_RECORD_MISC_SWITCH_OUT, which samples do not have otherwise.
 */
#ifndef PERF_RECORDER_OFF_CPU_H
#define PERF_RECORDER_OFF_CPU_H

#include "kernel/event-loop.h"
#include "recorder/opened.h"

struct sleeps;

/** sleeps_open - load the programs, after the events are opened. @s: NULL when none of the events
 * is that of sleeps; all functions below take that. Return: 0, or negative errno and a sentence. */
int sleeps_open(struct sleeps **s, const struct opened *ev, const struct record_opts *o,
		struct err *err);
/** sleeps_enable - take note of sleeps, or stop. */
void sleeps_enable(struct sleeps *s, bool on);
/** sleeps_watch - wake @loop when there are some. Return: 0, or negative errno and a sentence. */
int sleeps_watch(struct sleeps *s, struct event_loop *loop, struct err *err);
/** sleeps_read - append as samples what has come to @out. */
void sleeps_read(struct sleeps *s, struct strbuf *out);
/** sleeps_finish - append the sums of what was no sample of its own; tell what found no room. */
void sleeps_finish(struct sleeps *s, struct strbuf *out, const struct notices *notes);
/** sleeps_free - unload and free. */
void sleeps_free(struct sleeps *s);

#endif
