/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control channel of commands that record or count (--control): commands are read from a
 * descriptor or a fifo, one on each line, and "ack\n" is written back when a command is done. A
 * channel that cannot be read or written any more is left alone, and the work goes on.
 *
 *	rc = control_open(&channel, "fifo:ctl,ack", &err);
 *	rc = control_start(&channel, &target, loop, &err);
 *	...event_loop_wait(loop, ...) runs the commands...
 *	control_close(&channel);
 */
#ifndef PERF_CONTROL_CONTROL_H
#define PERF_CONTROL_CONTROL_H

#include "base/notice.h"
#include "base/strbuf.h"
#include "events/evlist.h"
#include "kernel/event-loop.h"
#include "kernel/open.h"

/* The objects that the commands of a channel act on. All pointers are borrowed. */
struct control_target {
	const struct evlist *evlist;
	const struct kevents *kevents; /* NULL: events can only be enabled all together */
	/* Let everything count, or nothing, and tell the user about it. */
	void (*measure)(void *ctx, bool on);
	/* Take a snapshot. Return: it will be complete later, which control_snapshot_done() tells.
	 * NULL: "snapshot" is no command here. */
	bool (*snapshot)(void *ctx);
	void *ctx;                     /* of the functions above */
	int stop;                      /* the stop reason that "stop" gives to the event loop */
	const struct notices *notices; /* what the commands tell the user; may be NULL */
};

/* A channel. A zeroed one is a channel that nobody asked for. */
struct control {
	bool given;                   /* control_open() was called */
	bool own;                     /* the channel opened the descriptors and closes them */
	bool ack_late;                /* a snapshot is being taken */
	int fd, ack;                  /* -1: none */
	struct strbuf text;           /* owned; what was read and is not a whole command yet */
	struct control_target target; /* since control_start() */
	struct event_loop *loop;      /* borrowed; where the channel is watched */
};

/**
 * control_open - open the channel that @text names: "fd:N[,M]" or "fifo:PATH[,PATH]", where the
 * second one takes the acknowledgements. A channel that @c had before is closed.
 *
 * Return: 0, or negative errno. @err has no sentence when @text has another form.
 */
int control_open(struct control *c, const char *text, struct err *err);
/** control_close - close the channel and forget what was read. */
void control_close(struct control *c);
/**
 * control_start - have @loop run the commands that come. Nothing is done for a channel that nobody
 * asked for. @t is copied, and @c has to stay where it is.
 *
 * Return: 0, or negative errno and a sentence.
 */
int control_start(struct control *c, const struct control_target *t, struct event_loop *loop,
		  struct err *err);
/** control_snapshot_done - acknowledge the snapshot that was asked for, if any was. */
void control_snapshot_done(struct control *c);

#endif
