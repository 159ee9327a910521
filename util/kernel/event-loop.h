/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event loop waits for descriptors, timers and signals, and calls whoever watches them. All that
 * records or counts live waits in one of these: rings, --control, -D, Ctrl-C. A callback that wants
 * the work to end returns a stop reason, which event_loop_wait() hands to the caller.
 *
 *	loop = event_loop_new(&err);
 *	event_loop_watch(loop, fd, EPOLLIN, on_data, ctx, &err);
 *	event_loop_timer(loop, 1000, 1000, on_second, ctx, &err);
 *	while (!(rc = event_loop_wait(loop, -1, &err)))
 *		...what is to be done after each waking...
 *	event_loop_free(loop);
 */
#ifndef PERF_KERNEL_EVENT_LOOP_H
#define PERF_KERNEL_EVENT_LOOP_H

#include "base/compat.h"
#include "base/err.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>

struct event_loop;

/*
 * What a callback returns: EVENT_LOOP_GO_ON, or a positive number of the caller's own that says why
 * the work is to end, or negative errno with a sentence in @err.
 */
enum { EVENT_LOOP_GO_ON = 0, EVENT_LOOP_STOP = 1 };

/** Called when @fd is ready; @events: the epoll events that are there. */
typedef int (*event_ready_fn)(void *ctx, int fd, u32 events, struct err *err);
/** Called once for each signal that came. */
typedef int (*event_signal_fn)(void *ctx, const struct signalfd_siginfo *info, struct err *err);

/** event_loop_new - make a loop that waits for nothing yet. Return: the caller's, or NULL with a
 * sentence in @err. */
struct event_loop *event_loop_new(struct err *err);
/** event_loop_free - stop watching everything and close timers and signals. Descriptors given to
 * event_loop_watch() stay open. NULL is fine. */
void event_loop_free(struct event_loop *l);

/** event_loop_watch - call @ready when @fd has @events (EPOLLIN, ...). @fd stays the caller's. A
 * file is always ready, as it is for poll(). Return: 0 or negative errno. */
int event_loop_watch(struct event_loop *l, int fd, u32 events, event_ready_fn ready, void *ctx,
		     struct err *err);
/** event_loop_forget - stop watching @fd; call this before closing it. What epoll has reported
 * already is not delivered any more. A timer is closed as well. */
void event_loop_forget(struct event_loop *l, int fd);

/**
 * event_loop_timer - call @ready in @ms milliseconds, and each @every milliseconds after that
 * (0: once). A time that passes several times before the loop waits again is told once.
 *
 * Return: a descriptor that event_loop_forget() takes and the loop owns, or negative errno.
 */
int event_loop_timer(struct event_loop *l, u64 ms, u64 every, event_ready_fn ready, void *ctx,
		     struct err *err);

/**
 * event_loop_signals - call @got for signals of @set, which must be blocked in all threads already
 * (sigprocmask(SIG_BLOCK, ...)), so that nothing else takes them.
 *
 * Return: 0 or negative errno.
 */
int event_loop_signals(struct event_loop *l, const sigset_t *set, event_signal_fn got, void *ctx,
		       struct err *err);

/**
 * event_loop_wait - wait until something is ready, at most @timeout_ms (-1: for ever), and call the
 * callbacks of all that is. An interrupted wait counts as one in which nothing was ready.
 *
 * Return: EVENT_LOOP_GO_ON, the largest stop reason that a callback returned, or negative errno:
 * after an error no further callback is called.
 */
int event_loop_wait(struct event_loop *l, int timeout_ms, struct err *err);

#endif
